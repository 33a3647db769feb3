package io.clusterecho.control.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.Profile;
import io.clusterecho.node.member.RoomNeeded;
import io.clusterecho.platform.PathMtu;

/**
 * Checks of the kernel, the limits of this container, and Aeron's MTU against the paths to the other hosts.
 *
 * @param paths measures the path to a host; empty if there is none.
 */
record SystemChecks(HostPlan plan, HostFiles files, Function<String, Optional<PathMtu>> paths)
{
    private static final int MTU_STEP = 32;
    private static final String CLOCK_FOLDER = "sys/devices/system/clocksource/clocksource0/";
    /** Clock sources that are read without a system call. */
    private static final Set<String> FAST_CLOCKS =
        Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");
    private static final String DAMON_FOLDER = "sys/kernel/mm/damon/admin/kdamonds";
    private static final long LONGEST_SLACK_NS = 1_000;
    private static final long KB = 1 << 10;

    List<Check> ofKernel()
    {
        return List.of(
            clockSource(), timerSlack(), KernelSetting.check("huge pages", files), memorySampling(), swap(),
            KernelSetting.check("write-back", files),
            KernelSetting.check("free memory", files), KernelSetting.check("interruptions", files), memory(),
            containerProcessors());
    }

    List<Check> ofNetwork()
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
        return plan.others().stream().flatMap((host) -> paths.apply(host).stream()).findFirst()
            .map((path) -> NetworkCard.of(files, path.interfaceName()));
    }

    private Check localMtu()
    {
        return paths.apply("127.0.0.1").map((path) -> ofPath("127.0.0.1", path).orElse(Check.of(
            "mtu", plan.config().mtuLength() + " bytes, within that of " + path.interfaceName() + "; no other hosts")))
            .orElse(Check.unknown("mtu", "the MTU of loopback is unknown", plan.config().mtuLength() + " or more"));
    }

    /** By the narrowest link of the path, where that can be measured. */
    Check pathMtu(final String host)
    {
        final int mtuLength = plan.config().mtuLength();
        final Optional<PathMtu> path = paths.apply(host);
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

    Check clockSource()
    {
        final String file = CLOCK_FOLDER + "current_clocksource";
        final String others = files.text(CLOCK_FOLDER + "available_clocksource").orElse("none");
        return files.text(file).map((clock) -> Check.of("clock source", clock).warnIf(
            !FAST_CLOCKS.contains(clock), "tsc, because each reading of this one is a system call",
            List.of(others.split(" ")).contains("tsc") ? "echo tsc | sudo tee /" + file :
            "choose another machine type # this one has " + others))
            .orElse(Check.unknown("clock source", "there is no /" + file, "tsc"));
    }

    Check timerSlack()
    {
        final String file = files.nameForThisThread("timerslack_ns");
        final Optional<Long> slackNs = files.number(file);
        if (slackNs.isEmpty())
        {
            return Check.unknown("timer slack", "no number can be read from /" + file, LONGEST_SLACK_NS + " ns");
        }

        // Not with profile compact: on few cores, shorter sleeps were measured to cost more than they save.
        return Check.of("timer slack", slackNs.get() + " ns").warnIf(
            slackNs.get() > LONGEST_SLACK_NS && Profile.SHARED == plan.profile(),
            LONGEST_SLACK_NS + " ns, because it lengthens each sleep of a member's thread",
            "echo " + LONGEST_SLACK_NS + " > /proc/$$/timerslack_ns # in the shell that starts members and clients; " +
            "in a systemd unit: TimerSlackNSec=1us");
    }

    /** DAMON samples memory on a kernel thread that does not yield: on two cores it ran for up to 4 ms, twice a second. */
    Check memorySampling()
    {
        final Optional<String> on = files.names(DAMON_FOLDER).stream().map((name) -> DAMON_FOLDER + "/" + name)
            .filter((folder) -> files.text(folder + "/state").filter("on"::equals).isPresent()).findFirst();
        return on.map((folder) -> Check.of("memory sampling", "DAMON" +
            files.number(folder + "/contexts/0/monitoring_attrs/intervals/sample_us")
            .map((us) -> ", each " + us / 1_000 + " ms").orElse("")).warnIf(
            true, "off, because its thread runs for milliseconds at a time, and does not yield",
            "echo off | sudo tee /" + folder + "/state")).orElse(Check.of("memory sampling", "off"));
    }

    Check swap()
    {
        final long totalKb = KernelSetting.memoryKb(files, "SwapTotal").orElse(0L);
        final long swappiness = files.number("proc/sys/vm/swappiness").orElse(0L);
        return Check.of("swap", totalKb / KB + " MB, vm.swappiness=" + swappiness).warnIf(
            0 != totalKb && swappiness > 1, "at most 1, so that a member's memory is swapped only as a last resort",
            "sudo sysctl -w vm.swappiness=1");
    }

    /** Heaps, states and shared memory of drivers, compared with available memory and the container's limit, which counts all. */
    Check memory()
    {
        final long wanted = plan.memberCount() * (plan.maxHeapBytes() +
            plan.config().value(NodeSettings.STATE_LENGTH) + new RoomNeeded(plan.config()).sharedMemoryLength());
        final Optional<Long> available = KernelSetting.memoryKb(files, "MemAvailable").map((kilobytes) -> kilobytes * KB);
        final Optional<Long> limit = ContainerLimits.of(files).memoryBytes();
        if (available.isEmpty())
        {
            return Check.unknown("memory", "/proc/meminfo has no MemAvailable", RoomNeeded.text(wanted));
        }

        final long ofContainer = limit.orElse(Long.MAX_VALUE);
        return Check.of("memory", RoomNeeded.text(available.get()) + " available" +
            limit.map((length) -> ", limit of this container " + RoomNeeded.text(length)).orElse("")).failIf(
            Math.min(available.get(), ofContainer) < wanted,
            RoomNeeded.text(wanted) + " for heaps and buffers of " + plan.memberCount() +
            " members, because the kernel kills a process when memory runs out",
            ofContainer < wanted ? "run the container with --memory=" + ((wanted >> 30) + 1) + "g" :
            "run fewer members on this host, or lower -Xmx in " + plan.jvmOptions());
    }

    Check containerProcessors()
    {
        final Optional<Double> limit = ContainerLimits.of(files).cpuCount();
        return Check.of(
            "cpu quota", limit.map((count) -> String.format(Locale.ROOT, "%.2f processors", count)).orElse("none")).warnIf(
            limit.isPresent(), "none, because all threads stop for the rest of a period once its quota is used up",
            "run the container with --cpuset-cpus=LIST instead of --cpus # in Kubernetes: whole processors, requests equal to " +
            "limits, and the static CPU manager");
    }
}
