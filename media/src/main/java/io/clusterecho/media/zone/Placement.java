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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

/**
 * The zone of each member and of all clients, and the distances between zones. Emulated on one machine: each member has a
 * separate loopback address, by which others know its distance. Immutable.
 *
 * @param name      or file of the placement.
 * @param distances of one way between two zones, by both names; none for those that are missing.
 */
public record Placement(String name, List<String> memberZones, String clientZone, Map<String, Distance> distances)
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

    public Placement
    {
        memberZones = List.copyOf(memberZones);
        distances = Map.copyOf(distances);
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
                InvalidSettingException.throwIf(!Files.isRegularFile(file), key, text, ALLOWED);
                yield Optional.of(read(file.toString(), new TreeMap<>(Settings.load(file)), memberCount));
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

    /** Zones of members and clients, the clients' first. */
    public List<String> zones()
    {
        final Set<String> zones = new LinkedHashSet<>();
        zones.add(clientZone);
        zones.addAll(memberZones);
        return List.copyOf(zones);
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
        return roundTripNs(clientZone, memberZones.get(leaderId)) + quorumNs(leaderId);
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
        final String leaderZone = memberZones.get(leaderId);
        final long[] followersNs = IntStream.range(0, memberZones.size()).filter((id) -> id != leaderId)
            .mapToLong((id) -> roundTripNs(leaderZone, memberZones.get(id))).sorted().toArray();
        final int needed = memberZones.size() / 2;
        return 0 == needed ? 0 : followersNs[needed - 1];
    }

    public Distances ofMember(final int memberId, final List<String> hosts)
    {
        return distancesTo(memberZones.get(memberId), hosts, memberId);
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
                others.put(address(hosts.get(id)), distance(memberZones.get(id), zone));
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

    private static Placement read(final String file, final SortedMap<String, String> values, final int memberCount)
    {
        final String text = values.getOrDefault("zones", "");
        final List<String> zones = List.of(text.trim().split("\\s*,\\s*", -1));
        InvalidSettingException.throwIf(
            !zones.stream().allMatch((zone) -> zone.matches(ZONE)) || Set.copyOf(zones).size() < zones.size(), "zones", text,
            "distinct names of letters and digits, separated by commas (" + file + ")");
        final List<String> memberZones = IntStream.range(0, memberCount)
            .mapToObj((id) -> zone("member." + id, values, zones, file)).toList();
        final String clientZone = zone("client", values, zones, file);
        final Map<String, Distance> distances = new HashMap<>();
        for (final String from : zones)
        {
            for (final String to : zones)
            {
                distances.put(key(from, to), distance(from, to, values, file));
            }
        }

        final String ofZones = "(" + String.join("|", zones) + ")";
        // Also members that a smaller cluster does not have.
        final Pattern known = Pattern.compile(
            "zones|client|member\\.[0-9]{1,2}|zone\\." + ofZones + "\\." + ofZones + "\\.(delay|jitter|loss)");
        values.keySet().stream().filter((key) -> !known.matcher(key).matches()).findFirst().ifPresent((key) ->
        {
            throw new InvalidSettingException(
                "unknown key " + key + "=" + values.get(key) + " (" + file + "); known keys: zones, member.N, client, and " +
                "zone.A.B.delay, zone.A.B.jitter and zone.A.B.loss for two of the zones " + String.join(",", zones));
        });
        return new Placement(file, memberZones, clientZone, distances);
    }

    private static String zone(
        final String key, final Map<String, String> values, final List<String> zones, final String file)
    {
        final String zone = values.getOrDefault(key, "").trim();
        InvalidSettingException.throwIf(
            !zones.contains(zone), key, zone, "one of the zones " + String.join(",", zones) + " (" + file + ")");
        return zone;
    }

    private static Distance distance(
        final String from, final String to, final Map<String, String> values, final String file)
    {
        return new Distance(
            value(from, to, "delay", values, file, "0ns", Placement::parseDelayNs),
            value(from, to, "jitter", values, file, "0ns", Placement::parseDelayNs),
            value(from, to, "loss", values, file, "0", Placement::parseLossShare));
    }

    private static <T> T value(
        final String from,
        final String to,
        final String what,
        final Map<String, String> values,
        final String file,
        final String otherwise,
        final Function<String, T> parser)
    {
        // A value for one way also applies to the way back, unless that is set.
        final String ofWay = "zone." + key(from, to) + "." + what;
        final String key = values.containsKey(ofWay) ? ofWay : "zone." + key(to, from) + "." + what;
        try
        {
            return parser.apply(values.getOrDefault(key, otherwise));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(key, values.get(key), ex.getMessage() + " (" + file + ")");
        }
    }

    private static long parseDelayNs(final String text)
    {
        final long timeNs = Quantity.parseDurationNs(text);
        if (timeNs > MAX_DELAY_NS)
        {
            throw new IllegalArgumentException("at most 10s");
        }
        return timeNs;
    }

    private static double parseLossShare(final String text)
    {
        final double share = Quantity.parseShare(text);
        if (share >= 1)
        {
            throw new IllegalArgumentException("less than 100%");
        }
        return share;
    }
}
