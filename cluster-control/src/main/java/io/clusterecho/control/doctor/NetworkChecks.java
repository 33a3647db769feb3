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

/** Checks of the limits of sockets, and of Aeron's MTU against the paths to the other hosts. */
final class NetworkChecks
{
    private static final int MTU_STEP = 32;

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
        final List<Check> checks = new ArrayList<>(List.of(
            KernelSetting.check("network", files), KernelSetting.check("tcp", files)));
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

    private Check localMtu()
    {
        final Optional<PathMtu> path = path("127.0.0.1");
        return path.isEmpty() ? Check.unknown("mtu", "the MTU of loopback is unknown", plan.config().mtuLength() + " or more") :
            ofPath("127.0.0.1", path.get()).orElse(Check.of(
                "mtu", plan.config().mtuLength() + " bytes, within that of " + path.get().interfaceName() + "; no other hosts"));
    }

    /** By the narrowest link of the path, where that can be measured. */
    Check pathMtu(final String host)
    {
        final int mtuLength = plan.config().mtuLength();
        final Optional<PathMtu> path = path(host);
        if (path.isEmpty())
        {
            return Check.of("mtu", "no route to " + host).failIf(
                true, "a host name that resolves, and a route to it", "ip route get " + host + " # shows what is missing");
        }

        return ofPath(host, path.get()).orElseGet(() -> path.get().gap(host).map((gap) -> Check.unknown(
            "mtu", gap, "a reply from that host: no filter for UDP port " + plan.probePort(host) + " there; or check with " +
            "tracepath -n " + host)).orElse(
            Check.of("mtu", mtuLength + " bytes reach " + host + " unfragmented")));
    }

    private Optional<Check> ofPath(final String host, final PathMtu path)
    {
        final int mtuLength = plan.config().mtuLength();
        return mtuLength <= path.datagramLength() ? Optional.empty() : Optional.of(Check.of(
            "mtu", path.link() + ", " + NodeSettings.MTU.key() + "=" + mtuLength).failIf(
            true, "at most " + path.datagramLength() + " to " + host + ", or an MTU of " + (mtuLength + path.headerLength()) +
            " on every host and between them: larger packets are fragmented, and one lost fragment loses the whole packet",
            "scripts/start-cluster.sh --mtu " + path.datagramLength() / MTU_STEP * MTU_STEP));
    }
}
