package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.FakeCluster.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.Cycle;

import org.junit.jupiter.api.Test;

/** How long a fault waits for the log to grow. */
class LogGrowthTest extends LabFixture
{
    private static final int POLLS_PER_SECOND = (int)(1_000 * MS / FailoverLab.POLL_INTERVAL_NS);

    private final long beginNs = cluster.nowNs;

    @Test
    void shouldInjectOnceTheLogHasGrownSinceTheSnapshot()
    {
        grow(4);
        final Cycle cycle = cycle(true, 5 * 4 * POLLS_PER_SECOND);
        assertThat(injectedNs(cycle)).isEqualTo(5_000 * MS);
        assertThat(cycle.isRecovered()).as(cycle.problem()).isTrue();
        assertThat(cluster.snapshotCount).isEqualTo(1);
    }

    @Test
    void shouldCountAllOfTheLogWithoutASnapshot()
    {
        final Cycle cycle = cycle(false, cluster.members.get(0).commitPosition);
        assertThat(injectedNs(cycle)).isEqualTo(1_000 * MS);
        assertThat(cluster.snapshotCount).isZero();
    }

    @Test
    void shouldWaitLongerThanTheLimitWhileMessagesAreAnswered()
    {
        grow(1);
        final Cycle cycle = cycle(true, 40 * POLLS_PER_SECOND);
        assertThat(injectedNs(cycle)).isEqualTo(2 * LIMIT_NS);
        assertThat(cycle.isRecovered()).as(cycle.problem()).isTrue();
    }

    @Test
    void shouldEndAtTheLimitWhileNothingIsAnswered()
    {
        cluster.flow = 0;
        final Cycle cycle = cycle(true, 1_000);
        assertThat(cycle.problem())
            .isEqualTo("the log grew by 0 of 1000 bytes: no message was answered within --limit 20.0 s");
        assertThat(cycle.isInjected()).isFalse();
        assertThat(injectedNs(cycle)).as("its end").isEqualTo(LIMIT_NS);
    }

    private void grow(final long bytesPerPoll)
    {
        cluster.onPause = () -> cluster.members.forEach((member) -> member.commitPosition += bytesPerPoll);
    }

    private Cycle cycle(final boolean isSnapshotting, final long logLengthBytes)
    {
        return execute(new FailoverPlan(
            1, 0, (number) -> new PlannedFault(FaultSpec.parse("kill"), "leader", 0), 0,
            FailoverPlan.VictimReturn.parse("1s"), LIMIT_NS, isSnapshotting, false, logLengthBytes, null, null)).get(0);
    }

    private long injectedNs(final Cycle cycle)
    {
        return cycle.startNs() + SCHEDULE_START_NS - beginNs;
    }
}
