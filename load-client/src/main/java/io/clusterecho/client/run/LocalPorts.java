package io.clusterecho.client.run;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.CommandHint;

/**
 * Finds out that no cluster runs on this machine without waiting for sessions that nobody can open. It reads the kernel's
 * table of UDP sockets rather than binding the ports, which could get in the way of a member that starts.
 */
record LocalPorts(HostFiles files, WaitClock clock)
{
    /** Time for a cluster to appear that was started at the same moment. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(1);
    /** From here on a connect timeout means that the user expects a cluster that starts later. */
    private static final long PATIENT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int HEXADECIMAL = 16;

    /** Read the tables of this machine. */
    LocalPorts()
    {
        this(HostFiles.ofThisMachine(), WaitClock.SYSTEM);
    }

    /**
     * Wait until a socket is bound to one of the ports. Returns at once if one of the addresses is not of this machine, or if
     * the system has no table of sockets.
     *
     * @param endpoints        of the members, {@code 0=host:port,...}.
     * @param connectTimeoutNs of a session, in ns; above 10 s it is waited out, else 1 s is.
     * @throws NotConnectedException that names the ports, if no socket is bound to any of them.
     */
    void await(final String endpoints, final long connectTimeoutNs)
    {
        final Set<Integer> ports = localPorts(endpoints);
        final long timeoutNs = connectTimeoutNs > PATIENT_NS ? connectTimeoutNs : Math.min(connectTimeoutNs, GRACE_NS);
        if (!Deadline.in(timeoutNs, clock).await(() -> !isFree(ports)))
        {
            throw new NotConnectedException(
                "no cluster at " + endpoints + ": no socket on this machine is bound to UDP port " +
                ports.stream().map(String::valueOf).collect(Collectors.joining(", ")) +
                "; start a cluster with: " + CommandHint.of("cluster-node", "start"), null);
        }
    }

    /**
     * Whether no member can answer: all addresses are of this machine, and no socket is bound to any of the ports.
     *
     * @param endpoints of the members, {@code 0=host:port,...}.
     * @return false also if the system has no table of sockets.
     */
    boolean isFree(final String endpoints)
    {
        return isFree(localPorts(endpoints));
    }

    private boolean isFree(final Set<Integer> ports)
    {
        final List<String> rows =
            Stream.of("proc/net/udp", "proc/net/udp6").flatMap((name) -> files.lines(name).stream()).toList();
        // "  sl  local_address rem_address ...", then rows such as " 163: 0100007F:4E20 00000000:0000 ...".
        return !ports.isEmpty() && !rows.isEmpty() && rows.stream().map((row) -> row.trim().split("\\s+"))
            .filter((words) -> words.length > 2 && words[0].endsWith(":"))
            .map((words) -> Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1), HEXADECIMAL))
            .noneMatch(ports::contains);
    }

    /** @return the ports, or none if one of the addresses is not of this machine. */
    private static Set<Integer> localPorts(final String endpoints)
    {
        final Set<Integer> ports = new TreeSet<>();
        for (final String endpoint : endpoints.split(","))
        {
            final int colon = endpoint.lastIndexOf(':');
            if (!OwnAddress.isOwn(endpoint.substring(endpoint.indexOf('=') + 1, colon)))
            {
                return Set.of();
            }
            ports.add(Integer.valueOf(endpoint.substring(colon + 1)));
        }

        return ports;
    }
}
