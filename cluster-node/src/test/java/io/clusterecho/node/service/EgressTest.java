package io.clusterecho.node.service;

import static io.clusterecho.media.counters.ServiceCounter.BACKLOG_BYTES;
import static io.clusterecho.media.counters.ServiceCounter.REPLIES_BACK_PRESSURED;
import static io.clusterecho.media.counters.ServiceCounter.REPLIES_DROPPED;
import static io.clusterecho.media.counters.ServiceCounter.REPLIES_SENT;
import static io.clusterecho.media.counters.ServiceCounter.SESSIONS_CLOSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.Publication;
import io.aeron.cluster.service.Cluster;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;

class EgressTest
{
    private static final long SLOW_CLIENT = 1;
    private static final long QUICK_CLIENT = 2;

    /** Replies of 64 bytes that fit into a backlog of 1000. */
    private static final int REPLIES_THAT_FIT = 15;

    private final Member leader = Member.leader();
    private final FakeSession slow = leader.session(1);
    private final FakeSession quick = leader.session(2);

    @Test
    void shouldKeepTheOrderOfRepliesThatWaited()
    {
        slow.credit = 2;
        sendSlow(0, 10);
        assertThat(slow.receivedSequences()).isEqualTo(sequences(0, 2));
        assertThat(leader.count(BACKLOG_BYTES)).isEqualTo(8 * 64);

        slow.credit = 3;
        leader.fireTimer();
        assertThat(slow.receivedSequences()).isEqualTo(sequences(0, 5));

        slow.credit = Long.MAX_VALUE;
        sendSlow(10, 12);
        assertThat(slow.receivedSequences()).isEqualTo(sequences(0, 12));
        assertThat(slow.receivedTemplates()).containsOnly(EchoResponseEncoder.TEMPLATE_ID);
        assertThat(slow.received).allMatch(
            (reply) -> EchoMessage.VALID == EchoMessage.validate(reply, 0, reply.capacity(), new PayloadCheck()));
        assertThat(leader.count(REPLIES_BACK_PRESSURED)).isEqualTo(8);
        assertThat(leader.count(REPLIES_SENT)).isEqualTo(12);
        assertThat(leader.count(BACKLOG_BYTES)).isZero();
    }

    @Test
    void shouldQueueASequenceGapBehindTheRepliesThatWait()
    {
        slow.credit = 0;
        leader.ordered(slow, SLOW_CLIENT, 0);
        leader.ordered(slow, SLOW_CLIENT, 5);
        slow.credit = Long.MAX_VALUE;
        leader.fireTimer();

        assertThat(slow.receivedTemplates())
            .containsExactly(EchoResponseEncoder.TEMPLATE_ID, SequenceGapEncoder.TEMPLATE_ID);
    }

    @Test
    void shouldFlushBeforeAMessageOfAnotherSession()
    {
        slow.credit = 0;
        sendSlow(0, 1);
        slow.credit = Long.MAX_VALUE;
        leader.echo(quick, QUICK_CLIENT, 0);

        assertThat(slow.receivedSequences()).containsExactly(0L);
    }

    @Tag("matrix-26")
    @Test
    void shouldNotLetASlowClientDelayAnother()
    {
        slow.credit = 0;
        sendSlow(0, 5);
        for (int i = 0; i < 100; i++)
        {
            leader.echo(quick, QUICK_CLIENT, i);
            assertThat(quick.received).hasSize(i + 1);
        }

        assertThat(leader.cluster.closedSessions).isEmpty();
        assertThat(leader.cluster.idleCount).isZero();
    }

    @Test
    void shouldLimitTheRepliesOfOneFlush()
    {
        final FakeSession session = leader.session(3);
        final Egress egress = new Egress(
            leader.cluster, newCounters(), 1 << 20, 1 << 20);
        leader.encode(1, SLOW_CLIENT, 0, 32);
        session.credit = 0;
        for (int i = 0; i < EgressBacklog.FLUSH_LIMIT + 10; i++)
        {
            egress.reply(session, leader.message, 8, 32, EchoResponseEncoder.TEMPLATE_ID);
        }
        session.credit = Long.MAX_VALUE;
        egress.flush(0);
        assertThat(session.received).hasSize(EgressBacklog.FLUSH_LIMIT);

        egress.flush(0);
        assertThat(session.received).hasSize(EgressBacklog.FLUSH_LIMIT + 10);
    }

    @Test
    void shouldRetryWhenThePublicationChangesTerms()
    {
        slow.adminActions = 1;
        sendSlow(0, 1);

        assertThat(slow.received).hasSize(1);
        assertThat(leader.count(REPLIES_BACK_PRESSURED)).isZero();
    }

    @Test
    void shouldCloseTheSessionWhoseBacklogIsFullAndCountEveryReply()
    {
        slow.credit = 0;
        sendSlow(0, REPLIES_THAT_FIT);
        assertThat(leader.cluster.closedSessions).isEmpty();

        sendSlow(REPLIES_THAT_FIT, REPLIES_THAT_FIT + 1);
        assertThat(leader.cluster.closedSessions).as("the client could not be informed").isEmpty();
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(REPLIES_THAT_FIT + 1);
        assertThat(leader.count(BACKLOG_BYTES)).isZero();

        slow.credit = Long.MAX_VALUE;
        leader.fireTimer();
        assertThat(leader.cluster.closedSessions).containsExactly(slow.id());
        sendSlow(REPLIES_THAT_FIT + 1, REPLIES_THAT_FIT + 3);
        leader.closeSession(slow);
        assertThat(slow.received).isEmpty();
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(REPLIES_THAT_FIT + 3);
        assertThat(leader.count(SESSIONS_CLOSED)).isEqualTo(1);
        assertThat(leader.service.table.byClientId.get(SLOW_CLIENT).appliedCount).isEqualTo(REPLIES_THAT_FIT + 3);
    }

    @Tag("matrix-26")
    @Test
    void shouldCloseASessionWhoseEgressStaysFullWhenPatienceEnds()
    {
        slow.credit = 0;
        sendSlow(0, REPLIES_THAT_FIT + 1);
        leader.timestamp += EgressBacklog.CLOSE_PATIENCE_MS - 1;
        leader.fireTimer();
        assertThat(leader.cluster.closedSessions).isEmpty();

        leader.timestamp += 1;
        leader.fireTimer();
        leader.fireTimer();
        assertThat(leader.cluster.closedSessions).containsExactly(slow.id());
    }

    @Test
    void shouldRetryToCloseASessionAndSendNothingMeanwhile()
    {
        slow.credit = 0;
        leader.cluster.closeRefusals = 2;
        sendSlow(0, REPLIES_THAT_FIT + 1);
        slow.credit = Long.MAX_VALUE;

        sendSlow(REPLIES_THAT_FIT + 1, REPLIES_THAT_FIT + 2);
        leader.fireTimer();
        assertThat(leader.cluster.closedSessions).isEmpty();

        leader.fireTimer();
        leader.fireTimer();
        assertThat(leader.cluster.closedSessions).containsExactly(slow.id());
        assertThat(slow.received).isEmpty();
        assertThat(leader.count(SESSIONS_CLOSED)).isEqualTo(1);
    }

    @Test
    void shouldCloseTheSessionWithTheLargestBacklogWhenAllTogetherAreTooMany()
    {
        final Member member = new Member(Cluster.Role.LEADER, 3, 640);
        final FakeSession large = member.session(1);
        final FakeSession small = member.session(2);
        large.credit = 0;
        small.credit = 0;
        for (int i = 0; i < 8; i++)
        {
            member.echo(large, SLOW_CLIENT, i);
        }
        for (int i = 0; i < 3; i++)
        {
            member.echo(small, QUICK_CLIENT, i);
        }

        large.credit = Long.MAX_VALUE;
        member.fireTimer();

        assertThat(member.cluster.closedSessions).containsExactly(large.id());
        assertThat(member.count(BACKLOG_BYTES)).isEqualTo(3 * 64);
        assertThat(member.count(REPLIES_DROPPED)).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(longs = {Publication.NOT_CONNECTED, Publication.CLOSED})
    void shouldDropTheBacklogOfASessionThatIsNotConnectedAnyMore(final long refusal)
    {
        slow.credit = 0;
        sendSlow(0, 4);
        slow.refusal = refusal;
        leader.fireTimer();
        sendSlow(4, 5);

        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(5);
        assertThat(leader.count(BACKLOG_BYTES)).isZero();
        assertThat(leader.cluster.closedSessions).isEmpty();
    }

    @Test
    void shouldDropTheBacklogOfASessionThatWasClosed()
    {
        slow.credit = 0;
        sendSlow(0, 4);
        leader.closeSession(slow);
        final int offersBefore = slow.offerCount;
        leader.fireTimer();

        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(4);
        assertThat(leader.count(BACKLOG_BYTES)).isZero();
        assertThat(slow.offerCount).isEqualTo(offersBefore);
    }

    @Test
    void shouldDropAllBacklogsWhenLeadershipIsLost()
    {
        slow.credit = 0;
        sendSlow(0, 4);
        leader.changeRole(Cluster.Role.FOLLOWER);
        leader.fireTimer();
        leader.changeRole(Cluster.Role.LEADER);
        slow.credit = Long.MAX_VALUE;
        sendSlow(4, 5);

        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(4);
        assertThat(slow.receivedSequences()).containsExactly(4L);
    }

    @Test
    void shouldCloseASessionThatCanNeverTakeTheReply()
    {
        slow.maxLength = 63;
        sendSlow(0, 1);
        quick.credit = 0;
        quick.refusal = Publication.MAX_POSITION_EXCEEDED;
        leader.echo(quick, QUICK_CLIENT, 0);

        assertThat(leader.cluster.closedSessions).containsExactly(slow.id(), quick.id());
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(2);
        assertThat(leader.count(SESSIONS_CLOSED)).isEqualTo(2);
    }

    @Test
    void shouldIgnoreAnUnknownSessionWhenItIsToBeClosed()
    {
        slow.credit = 0;
        leader.cluster.sessions.remove(slow.id());
        sendSlow(0, REPLIES_THAT_FIT + 1);
        leader.timestamp += EgressBacklog.CLOSE_PATIENCE_MS;
        leader.fireTimer();

        assertThat(leader.count(SESSIONS_CLOSED)).isEqualTo(1);
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(REPLIES_THAT_FIT + 1);
    }

    @Test
    void shouldCloseASessionThatStillWaitsWhenTheTimerLapses()
    {
        slow.credit = 0;
        sendSlow(0, 4);
        leader.timestamp += 15_000;
        leader.fireTimer();

        assertThat(leader.service.timer.deadline).isEqualTo(FlushTimer.NOT_SET);
        assertThat(leader.cluster.closedSessions).containsExactly(slow.id());
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(4);
    }

    private static ServiceCounters newCounters()
    {
        final UnsafeBuffer values =
            new UnsafeBuffer(new byte[ServiceCounter.values().length * CountersReader.COUNTER_LENGTH]);
        return new ServiceCounters(
            (counter) -> new AtomicCounter(values, counter.ordinal()));
    }

    private void sendSlow(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            leader.echo(slow, SLOW_CLIENT, i);
        }
    }

    private static List<Long> sequences(final long from, final long to)
    {
        return LongStream.range(from, to).boxed().toList();
    }
}
