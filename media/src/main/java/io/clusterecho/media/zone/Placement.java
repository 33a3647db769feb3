package io.clusterecho.media.zone;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
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
    /**
     * Delay, jitter and loss of datagrams on one way between two processes.
     *
     * @param delayNs   added to the time over loopback, in ns, from 0.
     * @param jitterNs  largest further delay, uniformly distributed, in ns, from 0; datagrams are not reordered.
     * @param lossShare probability of loss of each datagram, from 0 to 1, independent of others.
     */
    public record Distance(long delayNs, long jitterNs, double lossShare)
    {
        public static final Distance NONE = new Distance(0, 0, 0);

        /** For instance {@code 490 us + up to 20.0 us, 0.1% lost}. */
        @Override
        public String toString()
        {
            return Quantity.formatNs(delayNs) + (0 == jitterNs ? "" : " + up to " + Quantity.formatNs(jitterNs)) +
                (0 == lossShare ? "" : ", " + Math.round(lossShare * 1e6) / 1e4 + "% lost");
        }
    }

    /**
     * Distances from others to one process, for the datagrams that they send to it.
     *
     * @param own address that this process sends from, which identifies it to others, or null for the system's choice.
     */
    public record Distances(InetAddress own, Map<InetAddress, Distance> members, Distance clients)
    {
        public Distances
        {
            members = Map.copyOf(members);
        }
    }

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
    private static final int MOST_MEMBERS = 100;
    private static final long MAX_DELAY_NS = 10_000_000_000L;

    public Placement
    {
        memberZones = List.copyOf(memberZones);
        distances = Map.copyOf(distances);
    }

    /** The placement of a name or a property file, empty for {@link #NONE}; an error says key, value, what is allowed. */
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
                yield Optional.of(read(file, memberCount));
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

    /** Whether a host is this machine, reached without a network. */
    public static boolean isLoopback(final String host)
    {
        // A name that does not resolve now may resolve to any address later.
        return Io.orElse(false, () -> Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress));
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
        InvalidSettingException.throwIf(
            addresses.size() < hosts.size() || !addresses.stream().allMatch(InetAddress::isLoopbackAddress) ||
            addresses.contains(address(LOCAL_HOST)),
            SettingKeys.HOSTS, String.join(",", hosts), "with " + SettingKeys.PLACEMENT +
            ", a different loopback address for each member, and not 127.0.0.1, which clients use, as in " +
            "127.0.0.2,127.0.0.3; or 127.0.0.1 for all, to have them assigned");

        return hosts;
    }

    /** Zones of members and clients, the clients' first. */
    public List<String> zones()
    {
        return Stream.concat(Stream.of(clientZone), memberZones.stream()).distinct().toList();
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
        final List<String> ways = new ArrayList<>();
        final List<String> zones = zones();
        for (int i = 0; i < zones.size(); i++)
        {
            for (int j = i; j < zones.size(); j++)
            {
                addWays(ways, zones.get(i), zones.get(j));
            }
        }
        return "emulated " + name + ": member " + eachMember((id) -> id + " in " + memberZones.get(id)) + ", clients in " +
            clientZone + "; one way " + (ways.isEmpty() ? "no distance at all" : String.join(", ", ways)) +
            "; added to an echo: " + eachMember((id) -> Quantity.formatNs(echoNs(id)) + " if member " + id + " leads");
    }

    private String eachMember(final IntFunction<String> text)
    {
        return IntStream.range(0, memberZones.size()).mapToObj(text).collect(Collectors.joining(", "));
    }

    private void addWays(final List<String> ways, final String one, final String other)
    {
        final Distance there = distance(one, other);
        final Distance back = distance(other, one);
        if (!there.equals(back))
        {
            ways.add(one + " to " + other + " " + there);
            ways.add(other + " to " + one + " " + back);
        }
        else if (!Distance.NONE.equals(there))
        {
            ways.add(one + "-" + other + " " + there);
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
        PARTITION_ZONES.forEach((one) -> PARTITION_ZONES.stream().filter((other) -> !other.equals(one))
            .forEach((other) -> distances.put(key(one, other), new Distance(PARTITION_DELAY_NS, 0, 0))));

        return new Placement(
            PARTITION,
            IntStream.range(0, memberCount).mapToObj((id) -> PARTITION_ZONES.get(id % PARTITION_ZONES.size())).toList(),
            PARTITION_ZONES.get(0),
            distances);
    }

    private static InetAddress address(final String host)
    {
        return Io.call(
            (ex) -> new InvalidSettingException(SettingKeys.HOSTS, host, "a name that resolves, or an address"),
            () -> InetAddress.getByName(host));
    }

    private static String key(final String from, final String to)
    {
        return from + "." + to;
    }

    private static Placement read(final Path file, final int memberCount)
    {
        final String source = " (" + file + ")";
        final Setting<List<String>> names = new Setting<>(
            "zones", "", "distinct names of letters and digits, separated by commas" + source, "", Placement::parseZones);
        final List<String> zones = names.parse(Settings.load(file).getOrDefault(names.key(), ""));
        final String allowed = "one of the zones " + String.join(",", zones) + source;
        // Also of members that a smaller cluster does not have.
        final List<Setting<String>> places = Stream.concat(
            Stream.of("client"), IntStream.range(0, MOST_MEMBERS).mapToObj((id) -> "member." + id))
            .map((key) -> new Setting<String>(key, "", allowed, "", (text) -> Setting.checked(zones.contains(text), text)))
            .toList();
        final Map<String, Way> ways = new HashMap<>();
        zones.forEach((one) -> zones.forEach((other) -> ways.put(key(one, other), Way.of(key(one, other), source))));
        final List<Setting<?>> known = new ArrayList<>(places);
        known.add(names);
        ways.values().forEach((way) -> known.addAll(List.of(way.delay, way.jitter, way.loss)));
        final Settings settings = new Settings("zone.", known).putFiles(List.of(file));

        final Map<String, Distance> distances = new HashMap<>();
        zones.forEach((one) -> zones.forEach((other) -> distances.put(
            key(one, other), ways.get(key(one, other)).distance(settings, ways.get(key(other, one))))));
        return new Placement(
            file.toString(), places.subList(1, 1 + memberCount).stream().map(settings::value).toList(),
            settings.value(places.get(0)), distances);
    }

    private static List<String> parseZones(final String text)
    {
        final List<String> zones = List.of(text.split("\\s*,\\s*", -1));
        return Setting.checked(
            zones.stream().allMatch((zone) -> zone.matches(ZONE)) && Set.copyOf(zones).size() == zones.size(), zones);
    }

    /** Settings of one way between two zones. */
    private record Way(Setting<Long> delay, Setting<Long> jitter, Setting<Double> loss)
    {
        private static Way of(final String zones, final String source)
        {
            final String key = "zone." + zones + ".";
            return new Way(
                time(key + "delay", source), time(key + "jitter", source), new Setting<>(
                key + "loss", "0", "a share of less than 100%, as in 0.1%" + source, "", (text) ->
                {
                    final double share = Quantity.parseShare(text);
                    return Setting.checked(share < 1, share);
                }));
        }

        private static Setting<Long> time(final String key, final String source)
        {
            return new Setting<>(key, "0ns", "a time of at most 10s, as in 490us" + source, "", (text) ->
            {
                final long timeNs = Quantity.parseDurationNs(text);
                return Setting.checked(timeNs <= MAX_DELAY_NS, timeNs);
            });
        }

        /** A value for one way also applies to the way back, unless that is set. */
        private Distance distance(final Settings settings, final Way back)
        {
            return new Distance(
                settings.value(settings.isGiven(delay) ? delay : back.delay),
                settings.value(settings.isGiven(jitter) ? jitter : back.jitter),
                settings.value(settings.isGiven(loss) ? loss : back.loss));
        }
    }
}
