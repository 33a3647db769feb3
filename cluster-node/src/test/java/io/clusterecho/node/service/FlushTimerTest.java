package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

import io.clusterecho.media.counters.ServiceCounter;

import org.junit.jupiter.api.Test;

class FlushTimerTest
{
    private final Member member = Member.follower();
    private final FakeSession session = member.session(1);

    @Test
    void shouldBeSetByTheFirstMessageOnly()
    {
        member.echo(session, 1, 0);
        member.timestamp += 3;
        member.echo(session, 1, 1);

        assertThat(member.cluster.timerDeadlines).containsExactly(1_000_100L);
    }

    @Test
    void shouldCountInTheTimeUnitOfTheCluster()
    {
        member.cluster.timeUnit = TimeUnit.NANOSECONDS;
        member.echo(session, 1, 0);

        assertThat(member.cluster.timerDeadlines).containsExactly(101_000_000L);
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
        while (member.service.timer.deadline != FlushTimer.NOT_SET)
        {
            member.fireTimer();
            fired++;
        }

        assertThat(member.timestamp - messageTime).isEqualTo(15_000);
        assertThat(fired).as("one at 100 ms, then one each 10 ms").isEqualTo(1 + 1_490);
        member.echo(session, 1, 1);
        assertThat(member.service.timer.deadline).isEqualTo(member.timestamp + 100);
    }

    @Test
    void shouldBeSetTenTimesASecondWhileMessagesCome()
    {
        int fired = 0;
        final long begin = member.timestamp;
        for (int i = 0; i < 100; i++)
        {
            member.echo(session, 1, i);
            member.timestamp += 20;
            if (member.service.timer.deadline <= member.timestamp)
            {
                member.fireTimer();
                fired++;
            }
        }
        assertThat(member.timestamp - begin).isEqualTo(2_000);
        assertThat(fired).isBetween(19, 20);

        member.timestamp += 100;
        member.fireTimer();
        assertThat(member.service.timer.deadline).isEqualTo(member.timestamp + 10);
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

        assertThat(member.cluster.timerDeadlines).containsExactly(1_000_100L);
        assertThat(member.cluster.idleCount).isEqualTo(3);
    }

    @Test
    void shouldApplyTheMessageWhenTheConsensusModuleIsGone()
    {
        member.cluster.isConsensusModuleGone = true;
        member.echo(session, 1, 0);
        assertThat(member.service.table.appliedCount).isEqualTo(1);
        assertThat(member.count(ServiceCounter.TIMER_FAILURES)).isEqualTo(1);
    }
}
