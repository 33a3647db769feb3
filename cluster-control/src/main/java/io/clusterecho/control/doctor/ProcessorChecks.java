package io.clusterecho.control.doctor;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.clusterecho.control.member.CoreNeed;
import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.host.Processors;
import io.clusterecho.node.config.NodeSettings;

final class ProcessorChecks
{
    private final HostPlan plan;
    private final Processors processors;
    private final ContainerLimits limits;
    private final HostFiles files;
    /** One core for each thread, if cores are pinned. */
    private final SortedSet<Integer> cores;
    /** The same, or the cores that the processes as a whole are pinned to. */
    private final SortedSet<Integer> pinned;

    ProcessorChecks(final HostPlan plan, final HostFiles files)
    {
        this.plan = plan;
        this.files = files;
        processors = Processors.of(files);
        limits = ContainerLimits.of(files);
        final SortedSet<Integer> launchedOn = plan.launchedOn(processors);
        final boolean areCoresGiven = !NodeSettings.AUTO.equals(plan.config().value(NodeSettings.CORES));
        cores = launchedOn.isEmpty() || areCoresGiven ? plan.cores(files) : new TreeSet<>();
        pinned = cores.isEmpty() ? launchedOn : cores;
    }

    List<Check> all(final Optional<NetworkCard> card)
    {
        return List.of(cores(), hyperThreads(), isolation(), governor(), cardNode(card));
    }

    Check cores()
    {
        final int count = allowed().size();
        final int usable = limits.cpuCount().map((limit) -> Math.min(count, Math.max(1, limit.intValue()))).orElse(count);
        final CoreNeed need = plan.coreNeed();
        if (0 == usable)
        {
            return Check.unknown("cores", "there is no /sys/devices/system/cpu/online", need.threadCount() + " or more");
        }

        final boolean isNarrow = !pinned.isEmpty() && pinned.size() < plan.memberCount() * plan.profile().threadCount();
        final String found = need.found(usable) + (isNarrow ? ", members pinned to " + pinned.size() : "");
        final boolean isShort = need.coreCount() > usable || isNarrow;
        return Check.of("cores", found).failIf(isShort && plan.profile().isSpinning(), need.wanted(), need.fix(usable))
            .warnIf(isShort, need.wanted(), need.fix(usable));
    }

    Check hyperThreads()
    {
        if (!processors.isThreaded())
        {
            return Check.of("hyper-threads", "each processor is a separate core");
        }

        final long coresOfPinned =
            pinned.stream().map((cpu) -> processors.siblings().getOrDefault(cpu, new TreeSet<>())).distinct().count();
        final boolean isShared = plan.profile().isSpinning() && (pinned.isEmpty() ?
            plan.coreNeed().coreCount() > processors.coreCount() : coresOfPinned < pinned.size());
        return Check.of("hyper-threads", processors.online().size() + " processors are " + processors.coreCount() + " cores" +
            (pinned.isEmpty() || !isShared ? "" : ", and members are pinned to both of one core")).warnIf(
            isShared, "a core for each spinning thread, because two on one core get half of it each",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control");
    }

    /** Linux does not balance load over isolated cores: a process pinned to several of them as a whole runs on the first. */
    Check isolation()
    {
        final String found = "isolated " + orNone(processors.isolated()) + ", tickless " + orNone(processors.tickless()) +
            ", members pinned to " + orNone(pinned);
        if (!plan.profile().isSpinning() || 0 == plan.memberCount())
        {
            return Check.of("isolation", found + "; only spinning threads need it");
        }

        final SortedSet<Integer> pinnedAndIsolated = cores.isEmpty() ? new TreeSet<>(pinned) : new TreeSet<>();
        pinnedAndIsolated.retainAll(processors.isolated());
        final SortedSet<Integer> range = ownRange();
        final String setCores = "scripts/start-cluster.sh --profile dedicated --set " + NodeSettings.CORES.key() + "=";
        return Check.of("isolation", found)
            .warnIf(
                !pinnedAndIsolated.isEmpty(), "no isolcpus=" + CpuList.format(pinnedAndIsolated) +
                " for members that are pinned as a whole, because Linux does not balance threads over isolated processors: all " +
                "would share one", setCores + CpuList.format(pinnedAndIsolated))
            .warnIf(
                pinned.isEmpty() && range.size() < plan.memberCount() * plan.profile().threadCount(),
                "isolated processors for the members; this host has too few", "")
            .warnIf(pinned.isEmpty(), "isolated processors for the members", setCores + CpuList.format(range))
            .warnIf(
                !processors.tickless().containsAll(pinned), "no timer tick on processors that members are pinned to",
                "scripts/prepare-host.sh --isolate " + CpuList.format(pinned) + " # prints kernel command line parameters");
    }

    Check governor()
    {
        final SortedSet<String> governors = processors.governors();
        final String found = String.join(", ", governors);
        return governors.isEmpty() ? Check.unknown(
            "governor", "no processor has a scaling_governor: this kernel does not control the frequency",
            "performance, where available") : Check.of("governor", found).warnIf(
            !"performance".equals(found), "performance, because a processor that slows down when idle responds late",
            "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    }

    Check cardNode(final Optional<NetworkCard> card)
    {
        if (processors.nodes().size() < 2)
        {
            return Check.of("numa", "one node with all processors" + card.map((one) -> " and " + one.name()).orElse(""));
        }
        if (card.isEmpty())
        {
            return Check.of("numa", processors.nodes().size() + " nodes; messages stay on loopback");
        }

        final String name = card.get().name();
        if (card.get().node().isEmpty())
        {
            return Check.unknown(
                "numa", "/sys/class/net/" + name + "/device/numa_node does not name a node", "members on the node of " + name);
        }

        final SortedSet<Integer> near = processors.nodes().getOrDefault(card.get().node().get(), new TreeSet<>());
        final SortedSet<Integer> used = pinned.isEmpty() ? allowed() : pinned;
        final String found = name + " on node " + card.get().node().get() + " (" + CpuList.format(near) + "), members on " +
            CpuList.format(used);
        return Check.of("numa", found).warnIf(
            !near.containsAll(used), "members on the node of " + name + ", because memory of another node is a hop away",
            "scripts/start-cluster.sh --set '" + NodeSettings.LAUNCH_PREFIX.key() + "=numactl -N " + card.get().node().get() +
            " -m " + card.get().node().get() + "'");
    }

    /** All but the first core, which handles interrupts by default. */
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

    private static String orNone(final SortedSet<Integer> cpus)
    {
        return cpus.isEmpty() ? "none" : CpuList.format(cpus);
    }
}
