package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultSequence;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.Faults;
import io.clusterecho.failover.lab.PlannedFault;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Faults of all kinds, drawn at random. */
@Command(
    name = "chaos",
    header = "Inject random faults under load, and audit what was lost.",
    description = {
        "",
        "A failover test whose faults and victims are drawn by --seed. The result has the fault of each cycle; --replay " +
        "injects the same faults again." })
@CommandHelp(
    examples = {
        "load-client chaos --for 1h --seed 7 --timeouts fast",
        "load-client chaos --fault kill,partition,pause --victim leader,follower",
        "load-client chaos --replay out/20261123-101500-run" },
    mostUsed = {
        "--for", "--seed", "--fault", "--victim", "--overlap", "--replay", "--timeouts", "--rate", "--delivery", "--label",
        "--json" })
public final class ChaosCommand extends FaultCommand
{
    private static final long DEFAULT_DURATION_NS = 600_000_000_000L;
    private static final List<String> DEFAULT_VICTIMS = List.of("leader", "follower", "followers", "all");

    @Option(names = "--for", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Start new cycles for this long. Default: 10m; with --replay, until the last fault of that test.")
    private Long durationNs;

    @Option(names = "--fault", paramLabel = "LIST", split = ",",
        description = "Draw from these faults, as in failover. Default: all that need no other option: " +
        "--allow-disk-faults adds those of disks.")
    private List<FaultSpec> faults;

    @Option(names = "--victim", paramLabel = "LIST", split = ",",
        description = "Draw from these victims, as in failover. Default: leader,follower,followers,all.")
    private List<String> victims;

    @Option(names = "--overlap", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Inject a second fault in each cycle, drawn like the first, up to this long after it, into members that " +
        "the first does not affect at that time. Not with wipe, and never two disk faults. Default: none.")
    private long overlapNs;

    @Option(names = "--replay", paramLabel = "DIR",
        description = "Inject the faults of the test in this folder, in its order.")
    private Path replay;

    @Override
    public Integer call()
    {
        return null == replay ? draw() : replay();
    }

    private int draw()
    {
        checkReturn(overlapNs > 0);
        final List<String> candidates = null == victims ? DEFAULT_VICTIMS : victims;
        final List<FaultSpec> specs = null == faults ? possible(candidates) : faults;
        return execute(
            specs, candidates, FaultSequence.random(specs, candidates, seed(), overlapNs), FaultSequence.ENDLESS,
            null == durationNs ? DEFAULT_DURATION_NS : durationNs);
    }

    private int replay()
    {
        InvalidSettingException.throwIf(
            null != faults || null != victims || overlapNs > 0, "--replay", replay,
            "without --fault, --victim and --overlap: they are those of the test");

        final List<PlannedFault> planned = PlannedFault.stored(replay);
        final List<PlannedFault> all = planned.stream().flatMap(PlannedFault::stream).toList();
        checkReturn(all.size() > planned.size());
        return execute(
            all.stream().map(PlannedFault::spec).toList(), all.stream().map(PlannedFault::victim).toList(),
            FaultSequence.of(planned), planned.size(), null == durationNs ? 0 : durationNs);
    }

    private List<FaultSpec> possible(final List<String> candidates)
    {
        return Faults.ALL.stream()
            .filter((fault) -> !fault.is(Fault.Trait.OF_SCRIPT) && !fault.is(Fault.Trait.OF_CALLS) &&
                (!fault.is(Fault.Trait.OF_DISK) || isDiskFaultAllowed))
            .map(FaultSpec::new)
            .filter((one) -> candidates.stream().anyMatch((victim) -> new PlannedFault(one, victim, 0).isAllowed()))
            .toList();
    }
}
