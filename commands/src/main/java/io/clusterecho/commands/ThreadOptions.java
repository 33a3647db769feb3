package io.clusterecho.commands;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.ThreadConfig;

import picocli.CommandLine.Option;

/**
 * Which threads this client has, what they do when there is nothing to do, and where they run.
 */
final class ThreadOptions
{
    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "auto",
        description = "Threads of this client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private ThreadConfig.Profile profile;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What the agent does while there is nothing to do: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = ThreadConfig.CORE, paramLabel = "N", defaultValue = ThreadConfig.AUTO,
        description = "Processor of the thread that sends and receives; all others of this client are kept off it, if there " +
        "are more, but for failover tests. Or auto: the leader's, where members of profile compact have two between them; " +
        "any: where the system puts it. Default: ${DEFAULT-VALUE}.")
    private String core;

    ThreadConfig config()
    {
        return new ThreadConfig(profile, idle, core);
    }
}
