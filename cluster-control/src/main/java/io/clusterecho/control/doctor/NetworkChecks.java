package io.clusterecho.control.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.clusterecho.host.HostFiles;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.PathMtu;
import io.clusterecho.platform.SocketBuffers;

/** Checks of socket buffers against windows, and of Aeron's MTU against the paths to the other hosts. */
final class NetworkChecks
{
    private static final String RECEIVE_KEY = "aeron.socket.so_rcvbuf";
    private static final String SEND_KEY = "aeron.socket.so_sndbuf";
    private static final String WINDOW_KEY = "aeron.rcv.initial.window.length";
    private static final int MTU_STEP = 32;
    private static final String TCP_FOLDER = "proc/sys/net/ipv4/";
    private static final long TCP_BUFFER_LENGTH = 4 << 20;

    private final HostPlan plan;
    private final HostFiles files;
    private final Function<String, Optional<PathMtu>> paths;
    /** Each is measured once. */
    private final Map<String, Optional<PathMtu>> known = new HashMap<>();

    NetworkChecks(
        final HostPlan plan,
        final HostFiles files,
        final Function<String, Optional<PathMtu>> paths)
    {
        this.plan = plan;
        this.files = files;
        this.paths = paths;
    }

    List<Check> all()
    {
        final List<Check> checks = new ArrayList<>(List.of(receiveBuffer(), sendBuffer(), tcp()));
        final List<String> others = plan.others();
        others.forEach((host) -> checks.add(pathMtu(host)));
        if (others.isEmpty())
        {
            checks.add(localMtu());
        }
        return checks;
    }

    /** The interface that messages leave this host through, if any do. */
    Optional<NetworkCard> card()
    {
        return plan.others().stream().flatMap((host) -> path(host).stream()).findFirst()
            .map((path) -> NetworkCard.of(files, path.interfaceName()));
    }

    private Optional<PathMtu> path(final String host)
    {
        return known.computeIfAbsent(host, paths);
    }

    Check receiveBuffer()
    {
        final Optional<Long> limit = files.number("proc/sys/net/core/rmem_max");
        final long asked = plan.aeronLength(RECEIVE_KEY).orElse((long)SocketBuffers.MAX_LENGTH);
        if (limit.isEmpty())
        {
            return Check.unknown("rmem_max", "there is no /proc/sys/net/core/rmem_max", asked + " or more");
        }

        final int mtuLength = plan.config().mtuLength();
        final long granted = Math.min(limit.get(), asked);
        final long window =
            plan.aeronLength(WINDOW_KEY).orElse((long)SocketBuffers.windowLength(mtuLength, (int)granted));
        final String found = "net.core.rmem_max=" + limit.get() + ", a window of " + window;
        final String fix = "sudo sysctl -w net.core.rmem_max=" + Math.max(asked, window);
        if (window > granted)
        {
            return Check.fail(
                "rmem_max", found, Math.max(asked, window) + " or more, because what does not fit into the socket is lost", fix);
        }

        return granted < asked ? Check.warn(
            "rmem_max", found, asked + " or more, for a window of " +
            SocketBuffers.windowLength(mtuLength, (int)asked) + ": a smaller window makes senders wait", fix) :
            Check.ok("rmem_max", found);
    }

    Check sendBuffer()
    {
        final Optional<Long> limit = files.number("proc/sys/net/core/wmem_max");
        final long asked = plan.aeronLength(SEND_KEY).orElse((long)SocketBuffers.MAX_LENGTH);
        if (limit.isEmpty())
        {
            return Check.unknown("wmem_max", "there is no /proc/sys/net/core/wmem_max", asked + " or more");
        }

        final String found = "net.core.wmem_max=" + limit.get();
        final String fix = "sudo sysctl -w net.core.wmem_max=" + asked;
        if (limit.get() < plan.config().mtuLength())
        {
            return Check.fail("wmem_max", found, "at least the MTU of " + plan.config().mtuLength(), fix);
        }

        return limit.get() < asked ?
            Check.warn("wmem_max", found, asked + " or more: with less, a sender's bursts end in short sends", fix) :
            Check.ok("wmem_max", found);
    }

    /**
     * The longest buffers of TCP, and whether a connection that was idle starts slowly. Members do not use TCP; gRPC, etcd and
     * other systems that are measured beside them do.
     */
    Check tcp()
    {
        final String wanted = "buffers of " + TCP_BUFFER_LENGTH +
            " or more and no slow start, because other systems measured here use TCP";
        final Optional<String> receive = files.text(TCP_FOLDER + "tcp_rmem");
        final Optional<String> send = files.text(TCP_FOLDER + "tcp_wmem");
        final Optional<Long> slowStart = files.number(TCP_FOLDER + "tcp_slow_start_after_idle");
        if (receive.isEmpty() || send.isEmpty() || slowStart.isEmpty())
        {
            return Check.unknown("tcp", "/" + TCP_FOLDER + " has no tcp_rmem, tcp_wmem or tcp_slow_start_after_idle", wanted);
        }

        final List<String> assignments = new ArrayList<>();
        longer(receive.get()).ifPresent((lengths) -> assignments.add("net.ipv4.tcp_rmem='" + lengths + "'"));
        longer(send.get()).ifPresent((lengths) -> assignments.add("net.ipv4.tcp_wmem='" + lengths + "'"));
        if (0 != slowStart.get())
        {
            assignments.add("net.ipv4.tcp_slow_start_after_idle=0");
        }
        final String found = "tcp_rmem=" + spaced(receive.get()) + ", tcp_wmem=" + spaced(send.get()) +
            ", tcp_slow_start_after_idle=" + slowStart.get();
        return assignments.isEmpty() ? Check.ok("tcp", found) :
            Check.warn("tcp", found, wanted, "sudo sysctl -w " + String.join(" ", assignments));
    }

    /** Three lengths with a longer last one, or empty if that is long enough. */
    private static Optional<String> longer(final String lengths)
    {
        final String before = spaced(lengths).replaceFirst("[^ ]*$", "");
        final String last = spaced(lengths).substring(before.length());
        final boolean isFit = last.matches("[0-9]{1,15}") && Long.parseLong(last) >= TCP_BUFFER_LENGTH;
        return isFit ? Optional.empty() : Optional.of(before + TCP_BUFFER_LENGTH);
    }

    private static String spaced(final String lengths)
    {
        return lengths.trim().replaceAll("\\s+", " ");
    }

    private Check localMtu()
    {
        final Optional<PathMtu> path = path("127.0.0.1");
        return path.isEmpty() ? Check.unknown("mtu", "the MTU of loopback is unknown", plan.config().mtuLength() + " or more") :
            ofPath("127.0.0.1", path.get()).orElse(Check.ok(
                "mtu", plan.config().mtuLength() + " bytes, within that of " + path.get().interfaceName() + "; no other hosts"));
    }

    /** By the narrowest link of the path, where that can be measured. */
    Check pathMtu(final String host)
    {
        final int mtuLength = plan.config().mtuLength();
        final Optional<PathMtu> path = path(host);
        if (path.isEmpty())
        {
            return Check.fail(
                "mtu", "no route to " + host, "a host name that resolves, and a route to it",
                "ip route get " + host + " # shows what is missing");
        }

        return ofPath(host, path.get()).orElseGet(() -> path.get().gap(host).map((gap) -> Check.unknown(
            "mtu", gap, "a reply from that host: no filter for UDP port " + plan.probePort(host) + " there; or check with " +
            "tracepath -n " + host)).orElse(
            Check.ok("mtu", mtuLength + " bytes reach " + host + " unfragmented")));
    }

    private Optional<Check> ofPath(final String host, final PathMtu path)
    {
        final int mtuLength = plan.config().mtuLength();
        return mtuLength <= path.datagramLength() ? Optional.empty() : Optional.of(Check.fail(
            "mtu", path.link() + ", " + NodeSettings.MTU.key() + "=" + mtuLength,
            "at most " + path.datagramLength() + " to " + host + ", or an MTU of " + (mtuLength + path.headerLength()) +
            " on every host and between them: larger packets are fragmented, and one lost fragment loses the whole packet",
            "scripts/start-cluster.sh --mtu " + path.datagramLength() / MTU_STEP * MTU_STEP));
    }
}
