package io.clusterecho.media.zone;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

/**
 * The zone of each member and of all clients, and the distances between zones. Emulated on one machine: each member has a
 * separate loopback address, by which others know its distance. Immutable.
 */
public final class Placement
{
    /** Value for no emulation. */
    public static final String NONE = "none";

    /** Name of the placement with all in one zone. */
    public static final String CLUSTER = "cluster";

    /** Name of the placement with a zone for each of three members. */
    public static final String PARTITION = "partition";

    public static final String ALLOWED = NONE + ", " + CLUSTER + " (one zone), " + PARTITION +
        " (three zones, as far apart as availability zones), or a file with the zone of each member";

    /**
     * One way between two zones of {@link #PARTITION}, in ns. The published guide reports medians of about 2,070 us across zones
     * and 109 us within one, for the same echo; the difference is two round trips, one between client and leader and one between
     * leader and follower, so four ways. It also reports medians of 996 us, which fit a leader in the client's zone, with two
     * ways. Percentiles are not further apart than within a zone, so there is no jitter.
     */
    public static final long PARTITION_DELAY_NS = 490_000L;

    private static final List<String> PARTITION_ZONES = List.of("a", "b", "c");
    private static final String ZONE = "[A-Za-z0-9_-]{1,32}";
    private static final String LOCAL_HOST = "127.0.0.1";
    private static final String HOST_PREFIX = "127.0.0.";
    private static final int FIRST_HOST = 2;
    private static final long MAX_DELAY_NS = 10_000_000_000L;

    private final String name;
    private final List<String> memberZones;
    private final String clientZone;
    private final Map<String, Distance> distances;

    private Placement(
        final String name, final List<String> memberZones, final String clientZone, final Map<String, Distance> distances)
    {
        this.name = name;
        this.memberZones = List.copyOf(memberZones);
        this.clientZone = clientZone;
        this.distances = Map.copyOf(distances);
    }

    /** As {@link #of(String, String, int)}, for the setting of a member. */
    public static Optional<Placement> of(final String text, final int memberCount)
    {
        return of(SettingKeys.PLACEMENT, text, memberCount);
    }

    /**
     * The placement of a name or a property file, or empty for {@link #NONE}.
     *
     * @throws InvalidSettingException with key, value and what is allowed.
     */
    public static Optional<Placement> of(final String key, final String text, final int memberCount)
    {
        return switch (text)
        {
            case NONE -> Optional.empty();
            case CLUSTER -> Optional.of(new Placement(
                CLUSTER, IntStream.range(0, memberCount).mapToObj((id) -> "a").toList(), "a", Map.of()));
            case PARTITION -> Optional.of(partition(memberCount));
            default ->
            {
                final Path file = Path.of(text);
                if (!Files.isRegularFile(file))
                {
                    throw new InvalidSettingException(key, text, ALLOWED);
                }
                yield Optional.of(new Reader(file.toString(), Settings.load(file)).read(memberCount));
            }
        };
    }

    /**
     * The placement whose distances are emulated: none for {@link #CLUSTER} and {@link #PARTITION} of other hosts, whose
     * distances are real.
     *
     * @throws InvalidSettingException with key, value and what is allowed.
     */
    public static Optional<Placement> emulated(final String key, final String text, final List<String> hosts)
    {
        return Set.of(CLUSTER, PARTITION).contains(text) && hosts.stream().noneMatch(Placement::isLoopback) ?
            Optional.empty() : of(key, text, hosts.size());
    }

    private static boolean isLoopback(final String host)
    {
        try
        {
            return InetAddress.getByName(host).isLoopbackAddress();
        }
        catch (final UnknownHostException ex)
        {
            return false;
        }
    }

    /** Whether a text that once named a placement is a file that no longer exists. */
    public static boolean isMissing(final String text)
    {
        return !Set.of(NONE, CLUSTER, PARTITION).contains(text) && !Files.isRegularFile(Path.of(text));
    }

    /**
     * Addresses that distinguish the members.
     *
     * @return loopback addresses from 127.0.0.2 up if all hosts are 127.0.0.1, else the hosts unchanged.
     * @throws InvalidSettingException if they are not distinct loopback addresses.
     */
    public static List<String> distinctHosts(final List<String> hosts)
    {
        if (hosts.stream().allMatch(LOCAL_HOST::equals))
        {
            return IntStream.range(0, hosts.size()).mapToObj((id) -> HOST_PREFIX + (FIRST_HOST + id)).toList();
        }

        final Set<InetAddress> addresses = new LinkedHashSet<>(hosts.stream().map(Placement::address).toList());
        if (addresses.size() < hosts.size() || !addresses.stream().allMatch(InetAddress::isLoopbackAddress) ||
            addresses.contains(address(LOCAL_HOST)))
        {
            throw new InvalidSettingException(
                SettingKeys.HOSTS, String.join(",", hosts), "with " + SettingKeys.PLACEMENT +
                ", a different loopback address for each member, and not 127.0.0.1, which clients use, as in " +
                "127.0.0.2,127.0.0.3; or 127.0.0.1 for all, to have them assigned");
        }

        return hosts;
    }

    /** Name or file of the placement. */
    public String name()
    {
        return name;
    }

    /** Zones of members and clients, the clients' first. */
    public List<String> zones()
    {
        final Set<String> zones = new LinkedHashSet<>();
        zones.add(clientZone);
        zones.addAll(memberZones);
        return List.copyOf(zones);
    }

    public String zoneOfMember(final int memberId)
    {
        return memberZones.get(memberId);
    }

    public String zoneOfClients()
    {
        return clientZone;
    }

    /** Delay, jitter and loss of one way between two zones. */
    public Distance distance(final String from, final String to)
    {
        return distances.getOrDefault(key(from, to), Distance.NONE);
    }

    /** Round trip between two zones, in addition to that over loopback, without jitter. */
    public long roundTripNs(final String one, final String other)
    {
        return distance(one, other).delayNs() + distance(other, one).delayNs();
    }

    /**
     * Added delay of a replicated echo, without jitter: the round trip between client and leader, and the one between the leader
     * and the nearest followers that complete a quorum.
     */
    public long echoNs(final int leaderId)
    {
        return roundTripNs(clientZone, zoneOfMember(leaderId)) + quorumNs(leaderId);
    }

    /** Longest round trip between a client and a member, without jitter. */
    public long longestClientNs()
    {
        return memberZones.stream().mapToLong((zone) -> roundTripNs(clientZone, zone)).max().orElse(0);
    }

    /** Longest round trip between a leader and the nearest followers that complete a quorum, without jitter. */
    public long longestQuorumNs()
    {
        return IntStream.range(0, memberZones.size()).mapToLong(this::quorumNs).max().orElse(0);
    }

    private long quorumNs(final int leaderId)
    {
        final String leaderZone = zoneOfMember(leaderId);
        final long[] followersNs = IntStream.range(0, memberZones.size()).filter((id) -> id != leaderId)
            .mapToLong((id) -> roundTripNs(leaderZone, zoneOfMember(id))).sorted().toArray();
        final int needed = memberZones.size() / 2;
        return 0 == needed ? 0 : followersNs[needed - 1];
    }

    public Distances ofMember(final int memberId, final List<String> hosts)
    {
        return distancesTo(zoneOfMember(memberId), hosts, memberId);
    }

    /** Distances from members to a client, whose address the system chooses. */
    public Distances ofClient(final List<String> hosts)
    {
        return distancesTo(clientZone, hosts, -1);
    }

    /** A sentence that begins with "emulated". */
    public String text()
    {
        final StringBuilder words = new StringBuilder("emulated ").append(name).append(": ");
        for (int id = 0; id < memberZones.size(); id++)
        {
            words.append(0 == id ? "member " : ", ").append(id).append(" in ").append(memberZones.get(id));
        }
        words.append(", clients in ").append(clientZone).append("; one way ");
        final List<String> ways = new ArrayList<>();
        final List<String> zones = zones();
        for (int i = 0; i < zones.size(); i++)
        {
            for (int j = i; j < zones.size(); j++)
            {
                addWays(ways, zones.get(i), zones.get(j));
            }
        }
        words.append(ways.isEmpty() ? "no distance at all" : String.join(", ", ways)).append("; added to an echo: ");
        for (int id = 0; id < memberZones.size(); id++)
        {
            words.append(0 == id ? "" : ", ").append(Quantity.formatNs(echoNs(id))).append(" if member ").append(id)
                .append(" leads");
        }
        return words.toString();
    }

    private void addWays(final List<String> ways, final String one, final String other)
    {
        final Distance there = distance(one, other);
        final Distance back = distance(other, one);
        if (there.equals(back))
        {
            if (!there.isNone())
            {
                ways.add(one + "-" + other + " " + there);
            }
        }
        else
        {
            ways.add(one + " to " + other + " " + there);
            ways.add(other + " to " + one + " " + back);
        }
    }

    private Distances distancesTo(final String zone, final List<String> hosts, final int ownId)
    {
        final Map<InetAddress, Distance> others = new HashMap<>();
        for (int id = 0; id < hosts.size(); id++)
        {
            if (id != ownId)
            {
                others.put(address(hosts.get(id)), distance(zoneOfMember(id), zone));
            }
        }

        return new Distances(-1 == ownId ? null : address(hosts.get(ownId)), others, distance(clientZone, zone));
    }

    private static Placement partition(final int memberCount)
    {
        final Map<String, Distance> distances = new HashMap<>();
        for (final String one : PARTITION_ZONES)
        {
            PARTITION_ZONES.stream().filter((other) -> !other.equals(one))
                .forEach((other) -> distances.put(key(one, other), new Distance(PARTITION_DELAY_NS, 0, 0)));
        }

        return new Placement(
            PARTITION,
            IntStream.range(0, memberCount).mapToObj((id) -> PARTITION_ZONES.get(id % PARTITION_ZONES.size())).toList(),
            PARTITION_ZONES.get(0),
            distances);
    }

    private static InetAddress address(final String host)
    {
        try
        {
            return InetAddress.getByName(host);
        }
        catch (final UnknownHostException ex)
        {
            throw new InvalidSettingException(SettingKeys.HOSTS, host, "a name that resolves, or an address");
        }
    }

    private static String key(final String from, final String to)
    {
        return from + "." + to;
    }

    /** Parses a file; keys that remain at the end are unknown. */
    private static final class Reader
    {
        private final String file;
        private final Map<String, String> left;

        Reader(final String file, final Map<String, String> properties)
        {
            this.file = file;
            left = new TreeMap<>(properties);
        }

        Placement read(final int memberCount)
        {
            final List<String> zones = zones();
            final List<String> memberZones = new ArrayList<>();
            for (int id = 0; id < memberCount; id++)
            {
                memberZones.add(zone("member." + id, zones));
            }
            final String clientZone = zone("client", zones);
            // Members that a smaller cluster does not have.
            left.keySet().removeIf((key) -> key.matches("member\\.[0-9]{1,2}"));

            final Map<String, Distance> distances = new HashMap<>();
            for (final String from : zones)
            {
                for (final String to : zones)
                {
                    distances.put(key(from, to), distance(from, to));
                }
            }
            left.keySet().removeIf((key) -> zones.stream().anyMatch((from) -> zones.stream().anyMatch((to) ->
                key.matches("zone\\." + key(from, to).replace(".", "\\.") + "\\.(delay|jitter|loss)"))));
            if (!left.isEmpty())
            {
                final String key = left.keySet().iterator().next();
                throw new InvalidSettingException(
                    "unknown key " + key + "=" + left.get(key) + " (" + file + "); known keys: zones, member.N, client, and " +
                    "zone.A.B.delay, zone.A.B.jitter and zone.A.B.loss for two of the zones " + String.join(",", zones));
            }

            return new Placement(file, memberZones, clientZone, distances);
        }

        private List<String> zones()
        {
            final String text = left.getOrDefault("zones", "");
            left.remove("zones");
            final List<String> zones = List.of(text.trim().split("\\s*,\\s*", -1));
            if (!zones.stream().allMatch((zone) -> zone.matches(ZONE)) || Set.copyOf(zones).size() < zones.size())
            {
                throw new InvalidSettingException(
                    "zones", text, "distinct names of letters and digits, separated by commas (" + file + ")");
            }

            return zones;
        }

        private String zone(final String key, final List<String> zones)
        {
            final String zone = left.getOrDefault(key, "").trim();
            left.remove(key);
            if (!zones.contains(zone))
            {
                throw new InvalidSettingException(
                    key, zone, "one of the zones " + String.join(",", zones) + " (" + file + ")");
            }

            return zone;
        }

        private Distance distance(final String from, final String to)
        {
            return new Distance(
                timeNs(from, to, "delay"), timeNs(from, to, "jitter"),
                value(keyOf(from, to, "loss"), "0", Quantity::parseShare, (share) -> share < 1, "less than 100%"));
        }

        private long timeNs(final String from, final String to, final String what)
        {
            return value(
                keyOf(from, to, what), "0ns", Quantity::parseDurationNs, (timeNs) -> timeNs <= MAX_DELAY_NS, "at most 10s");
        }

        private <T> T value(
            final String key,
            final String otherwise,
            final Function<String, T> parser,
            final Predicate<T> isAllowed,
            final String allowed)
        {
            final T value;
            try
            {
                value = parser.apply(left.getOrDefault(key, otherwise));
            }
            catch (final IllegalArgumentException ex)
            {
                throw new InvalidSettingException(key, left.get(key), ex.getMessage() + " (" + file + ")");
            }
            if (!isAllowed.test(value))
            {
                throw new InvalidSettingException(key, left.get(key), allowed + " (" + file + ")");
            }

            return value;
        }

        /** A value for one way also applies to the way back, unless that is set. */
        private String keyOf(final String from, final String to, final String what)
        {
            final String key = "zone." + key(from, to) + "." + what;
            return left.containsKey(key) ? key : "zone." + key(to, from) + "." + what;
        }
    }
}
