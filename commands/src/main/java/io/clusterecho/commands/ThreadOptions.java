package io.clusterecho.commands;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** Threads of the client, their idle strategy and their cores, and the compilers of its JVM. */
@OptionGroup(OptionGroup.Heading.THREADS)
final class ThreadOptions
{
    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "auto",
        description = "Threads of the client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private ThreadConfig.Profile profile;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of the agent: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = ThreadConfig.CORE, paramLabel = "N", defaultValue = ThreadConfig.AUTO,
        description = "Core of the thread that sends and receives. Except in failover tests the client's other threads use " +
        "other cores, if there are any. auto: the leader's core if members with the compact profile share two cores, else any; " +
        "any: not pinned. Default: ${DEFAULT-VALUE}.")
    private String core;

    @Option(names = ThreadConfig.COMPILERS, paramLabel = "WHICH", defaultValue = "auto",
        description = "Compilers of the client's JVM: ${COMPLETION-CANDIDATES}. first is C1 alone, which takes less time from " +
        "threads that share few cores. auto: first for a run of one client with fewer than 8 cores and up to 100k messages/s, " +
        "else both. Default: ${DEFAULT-VALUE}.")
    private ThreadConfig.Compilation compilers;

    @Option(names = ThreadConfig.DUTY_CYCLE_INTERVAL, paramLabel = "TIME", defaultValue = ThreadConfig.AUTO,
        description = "Least time from the beginning of a duty cycle of the agent that found work to the next, so that it " +
        "finds several messages: a time up to 500us, or auto: 50us for a constant rate of 40k messages/s or more in a session " +
        "with a leader whose core the sending thread shares, else 0us. Default: ${DEFAULT-VALUE}.")
    private String dutyCycleInterval;

    ThreadConfig config()
    {
        return new ThreadConfig(profile, idle, core, compilers, dutyCycleInterval);
    }
}
