package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.Cluster;

import io.clusterecho.media.counters.ServiceCounter;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainEchoServiceTest
{
    private static final int OFFSET = 8;

    private final Member leader = Member.plain(Cluster.Role.LEADER);
    private final FakeSession session = leader.session(1);

    @ParameterizedTest
    @ValueSource(ints = { 1, 3, 8, 31, 32, 64, 500, Member.MAX_MESSAGE_BYTES })
    void shouldSendAnyBytesBackUnchanged(final int length)
    {
        for (int i = 0; i < length; i++)
        {
            leader.message.putByte(OFFSET + i, (byte)(31 * i + length));
        }
        leader.deliver(session, OFFSET, length);

        assertThat(session.received).containsExactly(new UnsafeBuffer(leader.message, OFFSET, length));
        assertThat(leader.count(ServiceCounter.RECEIVED)).isEqualTo(1);
        assertThat(leader.count(ServiceCounter.REPLIES_SENT)).isEqualTo(1);
        assertThat(leader.count(ServiceCounter.STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
    }

    @Test
    void shouldAnswerTheSameRequestAsOftenAsItComes()
    {
        leader.ordered(session, 7, 5);
        leader.ordered(session, 7, 5);
        assertThat(session.received).hasSize(2).containsOnly(new UnsafeBuffer(leader.message, OFFSET, 64));
        assertThat(leader.service.table.clientCount()).isZero();
        assertThat(leader.count(ServiceCounter.APPLIED)).isZero();
    }

    @Test
    void shouldCountAndIgnoreWhatIsTooLong()
    {
        leader.deliver(session, OFFSET, Member.MAX_MESSAGE_BYTES + 1);
        assertThat(session.received).isEmpty();
        assertThat(leader.count(ServiceCounter.REFUSED_OVERSIZED)).isEqualTo(1);
        assertThat(leader.count(ServiceCounter.STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
    }

    @Test
    void shouldNotAnswerAsAFollower()
    {
        final Member follower = Member.plain(Cluster.Role.FOLLOWER);
        final FakeSession unanswered = follower.session(1);
        follower.echo(unanswered, 1, 0);
        assertThat(unanswered.offerCount).isZero();
        assertThat(follower.count(ServiceCounter.REPLIES_DROPPED)).isZero();
    }

    @Test
    void shouldSurviveAMessageWhoseSessionIsGone()
    {
        leader.echo(null, 1, 0);
        assertThat(leader.count(ServiceCounter.REPLIES_DROPPED)).isEqualTo(1);
    }

    @Test
    void shouldHoldBackRepliesInOrderWhileTheSessionTakesNone()
    {
        session.credit = 1;
        for (int i = 0; i < 5; i++)
        {
            leader.echo(session, 1, i);
        }
        assertThat(session.received).hasSize(1);
        assertThat(leader.count(ServiceCounter.BACKLOG_BYTES)).isEqualTo(4 * 64);

        session.credit = Long.MAX_VALUE;
        leader.fireTimer();
        assertThat(session.receivedSequences()).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(leader.count(ServiceCounter.BACKLOG_BYTES)).isZero();
    }

    @Test
    void shouldCloseASessionWhoseBacklogIsFullAndNoOther()
    {
        final FakeSession quick = leader.session(2);
        session.credit = 0;
        session.refusal = Publication.BACK_PRESSURED;
        for (int i = 0; i < 100; i++)
        {
            leader.echo(session, 1, i);
            leader.echo(quick, 2, i);
        }
        assertThat(quick.received).hasSize(100);
        assertThat(leader.count(ServiceCounter.SESSIONS_CLOSED)).isEqualTo(1);
        assertThat(leader.cluster.idleCount).isZero();
    }

    @Test
    void shouldRestoreItsTimerFromASnapshot()
    {
        leader.echo(session, 1, 0);
        final Member restored = Member.plain(Cluster.Role.LEADER);
        restore(restored, leader.snapshot());
        assertThat(restored.service.timer.deadline).isEqualTo(leader.service.timer.deadline);
        assertThat(restored.service.timer.lastMessageTime).isEqualTo(leader.service.timer.lastMessageTime);
    }

    @Test
    void shouldRejectTheSnapshotOfTheEchoService()
    {
        final Member echo = Member.leader();
        final FakeSession any = echo.session(1);
        echo.echo(any, 1, 0);
        echo.echo(any, 2, 0);
        assertThatThrownBy(() -> restore(Member.plain(Cluster.Role.LEADER), echo.snapshot()))
            .isInstanceOf(ClusterException.class).hasMessageContaining("2 clients");
    }

    private static void restore(final Member member, final List<UnsafeBuffer> snapshot)
    {
        final SnapshotReader reader = new SnapshotReader(member.service.table.maxClients, member.service.stateTable);
        snapshot.forEach((message) -> reader.onFragment(message, 0, message.capacity(), null));
        assertThat(reader.check()).isTrue();
        member.service.restore(reader);
    }
}
