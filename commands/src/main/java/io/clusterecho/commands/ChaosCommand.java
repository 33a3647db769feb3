package io.clusterecho.commands;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.LoadOption;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.failover.lab.Fault;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.Faults;
import io.clusterecho.failover.lab.PlannedFault;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Faults of all kinds, drawn at random. */
@Command(
    name = "chaos",
    header = "Inject random faults under load, and audit what was lost.",
    description = {
        "",
        "A failover test whose faults and victims are drawn by --seed: the same options inject the same faults again." })
@CommandHelp(
    examples = {
        "load-client chaos --for 1h --seed 7 --timeouts fast",
        "load-client chaos --fault kill,partition,pause --victim leader,follower" },
    mostUsed = {
        "--for", "--seed", "--fault", "--victim", "--overlap", "--timeouts", "--rate", "--delivery", "--label",
        "--json" },
    declared = { ChaosCommand.Draw.class, FaultCommand.Injection.class })
public final class ChaosCommand extends FaultCommand
{
    private static final List<String> DEFAULT_VICTIMS = List.of("leader", "follower", "followers", "all");

    /** How long faults are drawn. */
    record Draw(
        @LoadOption(names = "--for", label = "TIME", byDefault = "10m", kind = LoadOption.Kind.TIME,
            text = "Start new cycles for this long. Default: ${DEFAULT-VALUE}.")
        long durationNs,
        @LoadOption(names = "--overlap", label = "TIME", byDefault = "0s", kind = LoadOption.Kind.TIME,
            text = "Inject a second fault in each cycle, drawn like the first, up to this long after it, into members that " +
            "the first does not affect at that time. Not with wipe, and never two disk faults. Default: none.")
        long overlapNs)
    {
    }

    @Option(names = "--fault", paramLabel = "LIST", split = ",",
        description = "Draw from these faults, as in failover. Default: all that need no other option: " +
        "--allow-disk-faults adds those of disks.")
    private List<FaultSpec> faults;

    @Option(names = "--victim", paramLabel = "LIST", split = ",",
        description = "Draw from these victims, as in failover. Default: leader,follower,followers,all.")
    private List<String> victims;

    @Override
    public Integer call()
    {
        final List<String> candidates = null == victims ? DEFAULT_VICTIMS : victims;
        final List<FaultSpec> specs = null == faults ? possible(candidates) : faults;
        final Draw draw = options.read(Draw.class, Map.of());
        return execute(
            specs, candidates, PlannedFault.random(specs, candidates, seed(), draw.overlapNs), 0, draw.durationNs);
    }

    private List<FaultSpec> possible(final List<String> candidates)
    {
        return Faults.ALL.stream()
            .filter((fault) -> !fault.is(Fault.Trait.OF_SCRIPT) && !fault.is(Fault.Trait.OF_CALLS) &&
                (!fault.is(Fault.Trait.OF_DISK) || injection().isDiskFaultAllowed()))
            .map(FaultSpec::new)
            .filter((one) -> candidates.stream().anyMatch((victim) -> new PlannedFault(one, victim, 0).isAllowed()))
            .toList();
    }
}
