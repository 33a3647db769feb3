package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

class FlushTimerTest
{
    private final Member member = Member.follower();
    private final FakeSession session = member.session(1);

    @Test
    void shouldBeSetTenMillisecondsAfterTheFirstMessageOnly()
    {
        member.echo(session, 1, 0);
        member.timestamp += 3;
        member.echo(session, 1, 1);

        assertThat(member.cluster.timerDeadlines).containsExactly(1_000_010L);
    }

    @Test
    void shouldCountInTheTimeUnitOfTheCluster()
    {
        member.cluster.timeUnit = TimeUnit.NANOSECONDS;
        member.echo(session, 1, 0);

        assertThat(member.cluster.timerDeadlines).containsExactly(11_000_000L);
    }

    @Test
    void shouldBeSetByAMessageThatIsRefusedToo()
    {
        member.deliver(session, 8, 3);

        assertThat(member.cluster.timerDeadlines).hasSize(1);
    }

    @Test
    void shouldBeSetAgainWhileMessagesAreRecentAndThenLapse()
    {
        member.echo(session, 1, 0);
        final long messageTime = member.timestamp;
        int fired = 0;
        while (member.service.timer().deadline() != FlushTimer.NOT_SET)
        {
            member.fireTimer();
            fired++;
        }

        assertThat(member.timestamp - messageTime).isEqualTo(15_000);
        assertThat(fired).isEqualTo(1_500);
        member.echo(session, 1, 1);
        assertThat(member.service.timer().deadline()).isEqualTo(member.timestamp + 10);
    }

    @Test
    void shouldIgnoreATimerThatIsNotItsOwnOrNotSet()
    {
        member.service.onTimerEvent(FlushTimer.CORRELATION_ID, 5);
        assertThat(member.cluster.timerDeadlines).isEmpty();

        member.echo(session, 1, 0);
        member.service.onTimerEvent(FlushTimer.CORRELATION_ID + 1, member.timestamp);
        assertThat(member.cluster.timerDeadlines).hasSize(1);
    }

    @Test
    void shouldAskUntilTheConsensusModuleTakesIt()
    {
        member.cluster.timerRefusals = 3;
        member.echo(session, 1, 0);

        assertThat(member.cluster.timerDeadlines).containsExactly(1_000_010L);
        assertThat(member.cluster.idleCount).isEqualTo(3);
    }

    @Test
    void shouldApplyTheMessageWhenTheConsensusModuleIsGoneAndOweTheTimer()
    {
        member.cluster.isConsensusModuleGone = true;
        member.echo(session, 1, 0);
        assertThat(member.service.table().appliedCount()).isEqualTo(1);
        assertThat(member.count(ServiceCounter.TIMER_FAILURES)).isEqualTo(1);
        assertThatThrownBy(member::snapshot).hasMessageContaining("flush timer cannot be scheduled");

        member.cluster.isConsensusModuleGone = false;
        member.timestamp += 5;
        member.echo(session, 1, 1);
        assertThat(member.cluster.timerDeadlines).containsExactly(1_000_010L);
        assertThat(member.snapshot()).hasSize(3);
    }
}
