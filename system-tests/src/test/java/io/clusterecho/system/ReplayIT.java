package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.clusterecho.control.member.Deadline;

@Tag("slow")
class ReplayIT
{
    private static final long HALF_LENGTH = 70_000;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Short terms between service and consensus module, so that a log of seconds fills them, as a log of minutes would fill
     * terms of the default length.
     */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1)
        .with("echo.profile", "compact")
        .with("aeron.cluster.control.channel", "aeron:ipc?term-length=64k|mtu=1408");

    @Test
    void shouldReplayALogWithMoreTimersThanFitBetweenServiceAndConsensusModule()
    {
        cluster.start();
        awaitCommitPosition(HALF_LENGTH);
        // Timers stop 15 s after a message.
        cluster.awaitEchoes();
        awaitCommitPosition(2 * HALF_LENGTH);
        cluster.stop();

        cluster.start();

        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private void awaitCommitPosition(final long position)
    {
        assertThat(Deadline.in(DEADLINE_NS).await(
            () -> cluster.members().get(0).counters().orElseThrow().commitPosition() >= position))
            .as("the log grew to %d bytes in time", position).isTrue();
    }
}
