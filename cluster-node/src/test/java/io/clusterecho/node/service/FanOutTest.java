package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.aeron.Publication;
import io.aeron.cluster.service.Cluster;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;

class FanOutTest
{
    private static final long CLIENT = 7;

    private final Member leader = Member.leader();
    private final FakeSession sender = leader.session(1);
    private final FakeSession one = receiver(leader, 2);
    private final FakeSession other = receiver(leader, 3);

    @Test
    void shouldSendACopyOfTheReplyToEachReceiver()
    {
        leader.echo(sender, CLIENT, 0);
        leader.ordered(sender, CLIENT, 1);
        leader.echo(sender, CLIENT, 5);

        assertThat(sender.receivedSequences()).containsExactly(0L, 1L, 5L);
        assertThat(one.received).isEqualTo(sender.received);
        assertThat(other.received).isEqualTo(sender.received);
        assertThat(one.receivedTemplates()).containsOnly(EchoResponseEncoder.TEMPLATE_ID);
        assertThat(leader.count(ServiceCounter.REPLIES_SENT)).isEqualTo(9);
    }

    @Test
    void shouldSendNoCopyOfWhatIsNotApplied()
    {
        leader.ordered(sender, CLIENT, 0);
        leader.ordered(sender, CLIENT, 0);
        leader.ordered(sender, CLIENT, 9);

        assertThat(sender.received).as("answered, answered again, refused").hasSize(3);
        assertThat(one.receivedSequences()).containsExactly(0L);
    }

    @Test
    void shouldSendNoCopyToSessionsThatDidNotAskForIt()
    {
        final FakeSession plain = leader.session(4);
        leader.service.onSessionOpen(plain, leader.timestamp);
        leader.echo(sender, CLIENT, 0);

        assertThat(plain.offerCount).isZero();
    }

    @Test
    void shouldAnswerAReceiverThatSendsOnce()
    {
        leader.echo(one, CLIENT, 0);

        assertThat(one.receivedSequences()).containsExactly(0L);
        assertThat(other.receivedSequences()).containsExactly(0L);
    }

    @Test
    void shouldNotDelayOthersForASlowReceiver()
    {
        one.credit = 1;
        for (int i = 0; i < 10; i++)
        {
            leader.echo(sender, CLIENT, i);
        }
        assertThat(sender.received).hasSize(10);
        assertThat(other.received).hasSize(10);
        assertThat(one.received).hasSize(1);

        one.credit = Long.MAX_VALUE;
        leader.fireTimer();
        assertThat(one.received).as("late, in order, and complete").isEqualTo(sender.received);
        assertThat(leader.count(ServiceCounter.REPLIES_DROPPED)).isZero();
    }

    @Test
    void shouldCloseAReceiverThatLagsTooFarAndKeepServingTheOthers()
    {
        one.credit = 0;
        final int count = Member.BACKLOG_BYTES / 64 + 2;
        for (int i = 0; i < count; i++)
        {
            leader.echo(sender, CLIENT, i);
        }
        one.credit = 1;
        leader.fireTimer();

        assertThat(leader.cluster.closedSessions).containsExactly(one.id());
        assertThat(leader.count(ServiceCounter.REPLIES_DROPPED)).isEqualTo(count);
        leader.closeSession(one);
        leader.echo(sender, CLIENT, count);
        assertThat(other.received).hasSize(count + 1);
        assertThat(one.received).isEmpty();
        assertThat(leader.service.receivers).hasSize(1);
    }

    @Test
    void shouldCountACopyThatNobodyReceivesAsDropped()
    {
        one.credit = 0;
        one.refusal = Publication.NOT_CONNECTED;
        leader.echo(sender, CLIENT, 0);

        assertThat(leader.count(ServiceCounter.REPLIES_DROPPED)).isEqualTo(1);
        assertThat(other.received).hasSize(1);
    }

    @Test
    void shouldKnowTheReceiversOfASnapshotAndAsANewLeader()
    {
        final Member follower = Member.follower();
        final FakeSession before = receiver(follower, 5);
        // What the container does after a snapshot was loaded: the sessions are there when the service starts.
        final Member restarted = new Member(Cluster.Role.FOLLOWER);
        final FakeSession after = new FakeSession(5, restarted.cluster);
        after.responseStreamId = EchoMessage.FAN_OUT_STREAM_ID;
        restarted.service.onStart(restarted.cluster, null);
        for (final Member member : new Member[]{ follower, restarted })
        {
            member.echo(null, CLIENT, 0);
            member.changeRole(Cluster.Role.LEADER);
            member.echo(null, CLIENT, 1);
        }

        assertThat(before.receivedSequences()).containsExactly(1L);
        assertThat(after.receivedSequences()).containsExactly(1L);
    }

    @Test
    void shouldHaveTheSameStateWithAndWithoutReceivers()
    {
        final Member without = Member.leader();
        for (int i = 0; i < 5; i++)
        {
            leader.echo(sender, CLIENT, i);
            without.echo(without.session(1), CLIENT, i);
        }

        assertThat(leader.snapshot()).isEqualTo(without.snapshot());
    }

    @Test
    void shouldNotAllocate()
    {
        for (final FakeSession session : new FakeSession[]{ sender, one, other })
        {
            session.isRecording = false;
        }
        leader.cluster.isRecording = false;
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        leader.encode(EchoRequestEncoder.TEMPLATE_ID, CLIENT, 0, 64);
        final long[] bytes = new long[6];
        for (int round = 0; round < bytes.length; round++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            for (int i = 0; i < 50_000; i++)
            {
                leader.encode(EchoRequestEncoder.TEMPLATE_ID, CLIENT, round * 50_000L + i, 64);
                leader.deliver(sender, 8, 64);
            }
            bytes[round] = threads.getThreadAllocatedBytes(threadId) - before;
        }

        // The JVM sometimes allocates on behalf of a thread; an allocation per message would show in each round.
        assertThat(IntStream.range(1, bytes.length).mapToLong((i) -> bytes[i]).min().orElseThrow()).as(Arrays.toString(bytes))
            .isLessThan(4096);
        assertThat(leader.count(ServiceCounter.REPLIES_SENT)).isEqualTo(3 * 300_000);
    }

    private static FakeSession receiver(final Member member, final long id)
    {
        final FakeSession session = member.session(id);
        session.responseStreamId = EchoMessage.FAN_OUT_STREAM_ID;
        member.service.onSessionOpen(session, member.timestamp);
        return session;
    }
}
