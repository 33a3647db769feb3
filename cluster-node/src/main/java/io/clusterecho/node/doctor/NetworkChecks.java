package io.clusterecho.node.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.clusterecho.host.HostFiles;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.PathMtu;
import io.clusterecho.platform.SocketBuffers;

/**
 * Whether sockets have room for windows, and whether packets of Aeron's MTU get through to the other hosts in one piece.
 */
final class NetworkChecks
{
    private static final String RECEIVE_KEY = "aeron.socket.so_rcvbuf";
    private static final String SEND_KEY = "aeron.socket.so_sndbuf";
    private static final String WINDOW_KEY = "aeron.rcv.initial.window.length";
    private static final int MTU_STEP = 32;
    private static final int NO_ANSWER = 1;
    /** As in "ping: local error: message too long, mtu: 1500" and "Frag needed and DF set (mtu = 1400)". */
    private static final Pattern TOLD_MTU = Pattern.compile("mtu ?[=:] ?([0-9]{3,5})");

    private final HostPlan plan;
    private final HostFiles files;
    private final Commands commands;
    private final Function<String, Optional<PathMtu>> paths;

    NetworkChecks(
        final HostPlan plan,
        final HostFiles files,
        final Commands commands,
        final Function<String, Optional<PathMtu>> paths)
    {
        this.plan = plan;
        this.files = files;
        this.commands = commands;
        this.paths = paths;
    }

    List<Check> all()
    {
        final List<Check> checks = new ArrayList<>(List.of(receiveBuffer(), sendBuffer()));
        final List<String> others = plan.others();
        others.forEach((host) -> checks.add(pathMtu(host)));
        if (others.isEmpty())
        {
            checks.add(localMtu());
        }
        return checks;
    }

    /**
     * The card by which messages leave this host, if any do.
     */
    Optional<NetworkCard> card()
    {
        return plan.others().stream().flatMap((host) -> paths.apply(host).stream()).findFirst()
            .map((path) -> NetworkCard.of(files, path.interfaceName()));
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
                "rmem_max", found, Math.max(asked, window) + " or more, as what does not fit into the socket is lost", fix);
        }

        return granted < asked ? Check.warn(
            "rmem_max", found, asked + " or more, for a window of " +
            SocketBuffers.windowLength(mtuLength, (int)asked) + ": with less, senders wait for windows", fix) :
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
            return Check.fail("wmem_max", found, "the MTU of " + plan.config().mtuLength() + " at least", fix);
        }

        return limit.get() < asked ?
            Check.warn("wmem_max", found, asked + " or more: with less, bursts of a sender are short sends", fix) :
            Check.ok("wmem_max", found);
    }

    private Check localMtu()
    {
        final Optional<PathMtu> path = paths.apply("127.0.0.1");
        return path.isEmpty() ? Check.unknown("mtu", "loopback does not tell its MTU", plan.config().mtuLength() + " or more") :
            ofInterface("127.0.0.1", path.get()).orElse(Check.ok(
                "mtu", plan.config().mtuLength() + " bytes, which " + path.get().interfaceName() + " carries; no other hosts"));
    }

    /**
     * By the interface first; then the kernel is asked to send one that may not be cut, and tells what it knows of the path.
     */
    Check pathMtu(final String host)
    {
        final int mtuLength = plan.config().mtuLength();
        final Optional<PathMtu> path = paths.apply(host);
        if (path.isEmpty())
        {
            return Check.fail(
                "mtu", "no way to " + host, "a name that has an address, and a route to it",
                "ip route get " + host + " # says what is missing");
        }

        final Optional<Check> tooLong = ofInterface(host, path.get());
        if (tooLong.isPresent())
        {
            return tooLong.get();
        }

        final List<String> ping =
            List.of("ping", "-n", "-M", "do", "-c", "2", "-W", "1", "-s", String.valueOf(mtuLength), host);
        final Optional<Commands.Answer> answer = commands.ask(ping);
        final String wanted = "an answer to " + String.join(" ", ping);
        if (answer.isEmpty())
        {
            return Check.unknown(
                "mtu", path.get().interfaceName() + " carries " + mtuLength + " bytes; no ping here that could ask the way to " +
                host, wanted);
        }
        if (0 == answer.get().exitCode())
        {
            return Check.ok("mtu", mtuLength + " bytes get to " + host + " in one packet");
        }

        final Matcher told = TOLD_MTU.matcher(answer.get().text());
        if (told.find())
        {
            return tooLong(
                host, "a link on the way to " + host + " has an MTU of " + told.group(1),
                Integer.parseInt(told.group(1)) - (path.get().mtuLength() - path.get().datagramLength()),
                "its MTU raised");
        }

        return Check.unknown(
            "mtu", NO_ANSWER == answer.get().exitCode() ? host + " does not answer ping" :
                "ping: " + answer.get().text().strip().replaceAll("\\s+", " "), wanted);
    }

    private Optional<Check> ofInterface(final String host, final PathMtu path)
    {
        final int mtuLength = plan.config().mtuLength();
        return mtuLength <= path.datagramLength() ? Optional.empty() : Optional.of(tooLong(
            host, path.interfaceName() + " has an MTU of " + path.mtuLength(), path.datagramLength(),
            "an MTU of " + (mtuLength + path.mtuLength() - path.datagramLength()) + " on every host"));
    }

    private Check tooLong(final String host, final String found, final int datagramLength, final String orElse)
    {
        return Check.fail(
            "mtu", found + ", " + NodeSettings.MTU.key() + "=" + plan.config().mtuLength(),
            datagramLength + " at most to " + host + ", or " + orElse +
            ": longer packets are cut, and all is lost with one piece",
            "scripts/start-cluster.sh --mtu " + datagramLength / MTU_STEP * MTU_STEP);
    }
}
