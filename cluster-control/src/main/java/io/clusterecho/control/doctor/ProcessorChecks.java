package io.clusterecho.control.doctor;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.host.Processors;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.Profile;

/**
 * Whether there are processors enough, and whether they are left to the members.
 */
final class ProcessorChecks
{
    /** Interrupts, other programs, the JVM's own threads. */
    private static final int CORES_OF_THE_SYSTEM = 1;

    private final HostPlan plan;
    private final Processors processors;
    private final ContainerLimits limits;
    private final HostFiles files;
    /** A processor for each thread, if that was chosen. */
    private final SortedSet<Integer> cores;
    /** Those, or what the processes as a whole are kept on. */
    private final SortedSet<Integer> pinned;

    ProcessorChecks(final HostPlan plan, final HostFiles files)
    {
        this.plan = plan;
        this.files = files;
        processors = Processors.of(files);
        limits = ContainerLimits.of(files);
        final SortedSet<Integer> launchedOn = plan.launchedOn(processors);
        cores = launchedOn.isEmpty() || plan.areCoresGiven() ? plan.cores(files) : new TreeSet<>();
        pinned = cores.isEmpty() ? launchedOn : cores;
    }

    List<Check> all(final Optional<NetworkCard> card)
    {
        return List.of(cores(), hyperThreads(), isolation(), governor(), cardNode(card));
    }

    Check cores()
    {
        final int usable = usableCount();
        if (0 == usable)
        {
            return Check.unknown("cores", "there is no /sys/devices/system/cpu/online", plan.threadCount() + " or more");
        }

        final Profile profile = plan.profile();
        final int memberThreads = plan.memberCount() * profile.threadCount();
        final int needed = plan.threadCount() + CORES_OF_THE_SYSTEM;
        final boolean isNarrow = !pinned.isEmpty() && pinned.size() < memberThreads;
        final String found = usable + (1 == usable ? " processor" : " processors") + " for " + plan.text() +
            (isNarrow ? ", members pinned to " + pinned.size() : "");
        if (needed <= usable && !isNarrow)
        {
            return Check.ok("cores", found);
        }

        final String wanted = needed + ": " + profile.threadCount() + " for each member, " + HostPlan.THREADS_PER_CLIENT +
            " for each client, " + CORES_OF_THE_SYSTEM + " for the system";
        if (profile.isSpinning())
        {
            return Check.fail(
                "cores", found, wanted + ", as threads that spin wait for one another's time slice otherwise",
                "scripts/start-cluster.sh --profile " + (usable < 4 * plan.memberCount() ? "compact" : "shared"));
        }

        return Check.warn(
            "cores", found, wanted + "; with fewer, times say as much about the scheduler as about Aeron",
            Profile.COMPACT == profile ? "run fewer members or clients on this host" :
                "scripts/start-cluster.sh --profile compact");
    }

    Check hyperThreads()
    {
        if (!processors.isThreaded())
        {
            return Check.ok("hyper-threads", "each processor is a core of its own");
        }

        final String found = processors.online().size() + " processors are " + processors.coreCount() + " cores";
        final long coresOfPinned =
            pinned.stream().map((cpu) -> processors.siblings().getOrDefault(cpu, new TreeSet<>())).distinct().count();
        final boolean isShared = pinned.isEmpty() ? plan.threadCount() + CORES_OF_THE_SYSTEM > processors.coreCount() :
            coresOfPinned < pinned.size();
        return !isShared || !plan.profile().isSpinning() ? Check.ok("hyper-threads", found) : Check.warn(
            "hyper-threads", found + (pinned.isEmpty() ? "" : ", and members are pinned to both of one"),
            "a core for each spinning thread, as two on one core take half of it each",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control");
    }

    /**
     * Linux does not spread threads over processors that are isolated from its scheduler: a member that is pinned to several of
     * them as a whole runs on the first.
     */
    Check isolation()
    {
        final String found = "isolated " + orNone(processors.isolated()) + ", tickless " + orNone(processors.tickless()) +
            ", members pinned to " + orNone(pinned);
        if (!plan.profile().isSpinning() || 0 == plan.memberCount())
        {
            return Check.ok("isolation", found + "; needed by spinning threads alone");
        }

        final SortedSet<Integer> pinnedAndIsolated = cores.isEmpty() ? new TreeSet<>(pinned) : new TreeSet<>();
        pinnedAndIsolated.retainAll(processors.isolated());
        if (!pinnedAndIsolated.isEmpty())
        {
            return Check.warn(
                "isolation", found, "no isolcpus=" + CpuList.format(pinnedAndIsolated) +
                " for members that are pinned as a whole, as Linux does not spread threads over isolated processors: all would " +
                "share one",
                "scripts/start-cluster.sh --profile dedicated --set " + NodeSettings.CORES.key() + "=" +
                CpuList.format(pinnedAndIsolated));
        }
        final SortedSet<Integer> range = ownRange();
        if (pinned.isEmpty() && range.size() < plan.memberCount() * plan.profile().threadCount())
        {
            return Check.warn("isolation", found, "processors that members have for themselves, of which there are too few", "");
        }
        if (pinned.isEmpty())
        {
            return Check.warn(
                "isolation", found, "processors that members have for themselves",
                "scripts/start-cluster.sh --profile dedicated --set " + NodeSettings.CORES.key() + "=" + CpuList.format(range));
        }

        return processors.tickless().containsAll(pinned) ? Check.ok("isolation", found) : Check.warn(
            "isolation", found, "no timer's tick on processors that members are pinned to",
            "scripts/prepare-host.sh --isolate " + CpuList.format(pinned) +
            " # prints what to put into the kernel's command line");
    }

    Check governor()
    {
        final SortedSet<String> governors = processors.governors();
        if (governors.isEmpty())
        {
            return Check.unknown(
                "governor", "no processor has a scaling_governor: its frequency is not this kernel's to choose",
                "performance, where there is one");
        }

        final String found = String.join(", ", governors);
        return "performance".equals(found) ? Check.ok("governor", found) : Check.warn(
            "governor", found, "performance, as a processor that slows down when idle answers late",
            "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    }

    Check cardNode(final Optional<NetworkCard> card)
    {
        if (processors.nodes().size() < 2)
        {
            return Check.ok("numa", "one node has all processors" + card.map((one) -> " and " + one.name()).orElse(""));
        }
        if (card.isEmpty())
        {
            return Check.ok("numa", processors.nodes().size() + " nodes; messages stay on loopback");
        }

        final String name = card.get().name();
        if (card.get().node().isEmpty())
        {
            return Check.unknown(
                "numa", "/sys/class/net/" + name + "/device/numa_node names no node", "members on the node of " + name);
        }

        final SortedSet<Integer> near = processors.nodes().getOrDefault(card.get().node().get(), new TreeSet<>());
        final SortedSet<Integer> used = pinned.isEmpty() ? allowed() : pinned;
        final String found = name + " on node " + card.get().node().get() + " (" + CpuList.format(near) + "), members on " +
            CpuList.format(used);
        return near.containsAll(used) ? Check.ok("numa", found) : Check.warn(
            "numa", found, "members on the node of " + name + ", as memory of another node is a hop away",
            "scripts/start-cluster.sh --set '" + NodeSettings.LAUNCH_PREFIX.key() + "=numactl -N " + card.get().node().get() +
            " -m " + card.get().node().get() + "'");
    }

    /**
     * All but the first core: interrupts go there unless told otherwise.
     */
    private SortedSet<Integer> ownRange()
    {
        final SortedSet<Integer> range = new TreeSet<>(allowed());
        if (!range.isEmpty() && processors.coreCount() > 1)
        {
            range.removeAll(processors.siblings().getOrDefault(range.first(), new TreeSet<>()));
        }
        return range;
    }

    private SortedSet<Integer> allowed()
    {
        final SortedSet<Integer> allowed = new TreeSet<>(processors.online());
        limits.cpusAllowed().ifPresent((text) -> allowed.retainAll(CpuList.parse(text)));
        return allowed;
    }

    private int usableCount()
    {
        final int count = allowed().size();
        return limits.cpuCount().map((limit) -> Math.min(count, Math.max(1, limit.intValue()))).orElse(count);
    }

    private static String orNone(final SortedSet<Integer> cpus)
    {
        return cpus.isEmpty() ? "none" : CpuList.format(cpus);
    }
}
