package io.clusterecho.node.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Endpoints of one member: five UDP ports from its first one on. */
public record MemberEndpoints(int memberId, String host, int firstPort)
{
    /**
     * Offset from a member's ingress port to a port on which nothing listens: a datagram sent there comes back as an error of the
     * host, which proves that it arrived.
     */
    public static final int PROBE_PORT_OFFSET = 9;

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*\\]");
    private static final int PORTS_PER_MEMBER = 10;
    /** Of the ports, in their order. */
    private static final List<String> PURPOSES = List.of("ingress", "consensus", "log", "catch-up", "archive");

    /** Endpoints of a member that has the base port, as all do with the same ports, or ports by its id from there on. */
    static MemberEndpoints of(final int memberId, final String host, final int basePort, final boolean areSamePorts)
    {
        return new MemberEndpoints(memberId, host, basePort + (areSamePorts ? 0 : PORTS_PER_MEMBER * memberId));
    }

    /** Endpoints of all members, whose hosts are in the order of their ids. */
    public static List<MemberEndpoints> ofAll(final List<String> hosts, final int basePort, final boolean areSamePorts)
    {
        return IntStream.range(0, hosts.size()).mapToObj((id) -> of(id, hosts.get(id), basePort, areSamePorts)).toList();
    }

    /** Where clients send requests: host:port. */
    public String ingress()
    {
        return endpoint(0);
    }

    /** Where members exchange election and position messages: host:port. */
    public String consensus()
    {
        return endpoint(1);
    }

    /** Where a member that lags receives the log that it missed: host:port. */
    public String catchup()
    {
        return endpoint(3);
    }

    /** Where the archive receives requests: host:port. */
    public String archive()
    {
        return endpoint(4);
    }

    /** UDP port on which nothing listens, for probes of the path MTU. */
    public int probePort()
    {
        return firstPort + PROBE_PORT_OFFSET;
    }

    /** All endpoints of this member, with their purposes, as in {@code ingress 127.0.0.1:20000}. */
    public List<String> named()
    {
        return IntStream.range(0, PURPOSES.size()).mapToObj((i) -> PURPOSES.get(i) + " " + endpoint(i)).toList();
    }

    /** The members as the consensus module wants them: {@code id,ingress,consensus,log,catchup,archive|...}. */
    public static String clusterMembers(final List<MemberEndpoints> members)
    {
        return members.stream().map((member) -> member.memberId + "," + IntStream.range(0, PURPOSES.size())
            .mapToObj(member::endpoint).collect(Collectors.joining(","))).collect(Collectors.joining("|"));
    }

    /** The ingress endpoints as a client wants them: {@code 0=host:port,1=host:port...}. */
    public static String ingressEndpoints(final List<MemberEndpoints> members)
    {
        return members.stream().map((m) -> m.memberId + "=" + m.ingress()).collect(Collectors.joining(","));
    }

    /** Whether a host is an address, and not a name to be resolved. */
    public static boolean isAddress(final String host)
    {
        return ADDRESS.matcher(host).matches();
    }

    private String endpoint(final int purpose)
    {
        return host + ":" + (firstPort + purpose);
    }
}
