package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.ThreadMXBean;

import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.security.AuthenticationException;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.cluster.FakeCluster.FakeSession;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ClusterTransportTest
{
    private static final long MS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MS;
    private static final int LEADER = 1;
    private static final long TERM = 7;

    private final FakeCluster cluster = new FakeCluster();
    private final WorkCounts idle = new WorkCounts();
    private final ClusterTransport transport = newTransport(true);
    private final EventLog events = new EventLog();

    @Test
    void shouldOpenASessionAndReportItsLeader()
    {
        final FakeSession session = connected();

        assertThat(transport.isConnected()).isTrue();
        assertThat(poll()).containsExactly("leader 1 in term 7");
        assertThat(poll()).isEmpty();
        assertThat(session.isReleased()).isFalse();
    }

    @Test
    void shouldKnowTheIdOfItsSession()
    {
        assertThat(transport.sessionId()).isZero();
        connected().id = 41;
        assertThat(transport.sessionId()).isEqualTo(41);
    }

    @Test
    void shouldGiveUpConnectingAtTheTimeout()
    {
        cluster.driveNs = 10 * MS;

        assertThatThrownBy(() -> transport.connect(12 * SECOND_NS))
            .isInstanceOf(NotConnectedException.class)
            .hasMessageContaining("0=localhost:9000")
            .hasMessageContaining("within 12.0 s: no answer in state AWAIT_PUBLICATION_CONNECTED; ")
            .hasCauseInstanceOf(TimeoutException.class);
        assertThat(cluster.nowNs()).isBetween(12 * SECOND_NS, 12 * SECOND_NS + 20 * MS);
        assertThat(cluster.attempts).extracting((attempt) -> attempt.timeoutNs / MS)
            .satisfiesExactly((first) -> assertThat(first).isEqualTo(5_000), (second) -> assertThat(second).isEqualTo(5_000),
                (last) -> assertThat(last).isBetween(1_700L, 1_800L));
        assertThat(cluster.openCount()).isZero();
        assertThat(transport.isConnected()).isFalse();
    }

    @Test
    void shouldFailInsteadOfTryingForEverOnceItsClientHasEnded()
    {
        final FakeSession session = connected();
        poll();
        session.isClosed = true;
        cluster.isClosed = true;

        assertThatThrownBy(() ->
        {
            poll();
            poll();
        }).isInstanceOf(NotConnectedException.class).hasMessageContaining("the Aeron client has ended");
    }

    @Test
    void shouldIdleAfterEachDutyCycleWithoutASession()
    {
        cluster.driveNs = 10 * MS;

        assertThatThrownBy(() -> transport.connect(SECOND_NS)).isInstanceOf(NotConnectedException.class);

        assertThat(idle.workCounts).hasSize(cluster.driveCount - 1).containsOnly(1);
    }

    @Test
    void shouldConnectAgainAfterItGaveUp()
    {
        cluster.driveNs = 10 * MS;
        assertThatThrownBy(() -> transport.connect(SECOND_NS)).isInstanceOf(NotConnectedException.class);

        connected();

        assertThat(poll()).containsExactly("leader 1 in term 7");
    }

    @Test
    void shouldGiveASessionThatOpenedAtTheLastMomentTheWholeTimeToFollowANewLeader()
    {
        cluster.driveNs = 10 * MS;
        cluster.onBegin = (attempt) ->
        {
            if (cluster.attempts.size() == 2)
            {
                attempt.succeed(LEADER, TERM);
            }
        };

        transport.connect(10 * SECOND_NS + 300 * MS);

        assertThat(cluster.lastAttempt().timeoutNs).isLessThan(100 * MS);
        assertThat(cluster.sessions.get(0).messageTimeoutNs).isEqualTo(5 * SECOND_NS);
    }

    /** The last attempt gets no answer before the deadline, and says nothing. */
    @Test
    void shouldReportTheLastRefusal()
    {
        cluster.driveNs = 10 * MS;
        cluster.onBegin = (attempt) ->
        {
            if (attempt.timeoutNs > SECOND_NS)
            {
                attempt.fail(new AeronException("concurrent session limit"));
            }
        };

        assertThatThrownBy(() -> transport.connect(3 * SECOND_NS)).isInstanceOf(NotConnectedException.class)
            .hasMessageContaining("concurrent session limit").hasMessageNotContaining("is it running");
        assertThat(cluster.lastAttempt().timeoutNs).isLessThan(SECOND_NS);
    }

    @Test
    void shouldNotTryAgainWhenItsCredentialsAreRefused()
    {
        cluster.onBegin = (attempt) -> attempt.fail(new AuthenticationException("who are you"));

        assertThatThrownBy(() -> transport.connect(12 * SECOND_NS))
            .isInstanceOf(NotConnectedException.class)
            .hasMessageContaining("who are you")
            .hasCauseInstanceOf(AuthenticationException.class);
        assertThat(cluster.attempts).hasSize(1);
        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldEndConnectingWhenInterruptedAndKeepTheInterrupt()
    {
        Thread.currentThread().interrupt();
        try
        {
            assertThatThrownBy(() -> transport.connect(12 * SECOND_NS))
                .isInstanceOf(NotConnectedException.class)
                .hasMessageContaining("unexpected interrupt");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        finally
        {
            Thread.interrupted();
        }
        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldTryAgainWhenAnAttemptCannotBegin()
    {
        cluster.driveNs = 10 * MS;
        cluster.onBegin = (attempt) ->
        {
            cluster.onBegin = (next) -> next.succeed(LEADER, TERM);
            throw new ClusterException("no more room for a subscription");
        };

        transport.connect(SECOND_NS);

        assertThat(transport.isConnected()).isTrue();
        assertThat(cluster.nowNs()).isBetween(100 * MS, 130 * MS);
    }

    @Test
    void shouldHandOverRepliesWithTheTimeOfItsClock()
    {
        final FakeSession session = connected();
        poll();
        cluster.advance(SECOND_NS);
        session.reply("one");

        assertThat(poll()).containsExactly("one at 1000 ms");
    }

    @Test
    void shouldHandOverWhenAReplyArrivedIfTheDriverHasStampedIt()
    {
        final FakeSession session = connected();
        poll();
        cluster.advance(SECOND_NS);
        session.reply("one", 400 * MS);

        assertThat(poll()).containsExactly("one at 1000 ms", "since 400 ms");
    }

    @Test
    void shouldReadTheClockOnceATurnAndOnceAReply()
    {
        final FakeSession session = connected();
        poll();
        final int before = cluster.clockReads;

        poll();
        assertThat(cluster.clockReads - before).isEqualTo(1);

        session.reply("one");
        poll();
        assertThat(cluster.clockReads - before).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "1, SENT",
        Publication.BACK_PRESSURED + ", BACK_PRESSURED",
        Publication.ADMIN_ACTION + ", BACK_PRESSURED",
        Publication.NOT_CONNECTED + ", DISCONNECTED",
        Publication.CLOSED + ", DISCONNECTED",
        Publication.MAX_POSITION_EXCEEDED + ", DISCONNECTED" })
    void shouldSayWhatBecameOfAMessage(final long result, final SendResult expected)
    {
        final FakeSession session = connected();
        session.sendResult = result;
        final int fitting = FakeCluster.MAX_PAYLOAD_LENGTH - AeronCluster.SESSION_HEADER_LENGTH;

        assertThat(transport.trySend(message("x"), 0, 1)).isEqualTo(expected);
        assertThat(transport.trySend(new UnsafeBuffer(new byte[fitting + 1]), 0, fitting + 1)).isEqualTo(expected);
    }

    @Test
    void shouldClaimWhatFitsIntoAFragmentAndOfferTheRest()
    {
        final FakeSession session = connected();
        final int fitting = FakeCluster.MAX_PAYLOAD_LENGTH - AeronCluster.SESSION_HEADER_LENGTH;
        final UnsafeBuffer message = new UnsafeBuffer(new byte[fitting + 1]);

        transport.trySend(message, 0, fitting);
        transport.trySend(message, 0, fitting + 1);
        transport.trySend(message("..hello"), 2, 5);

        assertThat(session.sent).containsExactly("claimed " + fitting, "offered " + (fitting + 1), "claimed 5");
        assertThat(session.claimed(5)).isEqualTo("hello");
    }

    @Test
    void shouldSendNothingWithoutASession()
    {
        assertThat(transport.trySend(message("x"), 0, 1)).isEqualTo(SendResult.DISCONNECTED);
        assertThat(transport.isConnected()).isFalse();
    }

    @Test
    void shouldKeepTheSessionAliveOnceASecond()
    {
        final FakeSession session = connected();
        poll();
        assertThat(session.keepAliveCount).isEqualTo(1);

        cluster.advance(SECOND_NS - 1);
        poll();
        assertThat(session.keepAliveCount).isEqualTo(1);

        cluster.advance(1);
        poll();
        poll();
        assertThat(session.keepAliveCount).isEqualTo(2);
    }

    @Test
    void shouldFollowANewLeaderWithinItsSession()
    {
        final FakeSession session = connected();
        poll();
        session.announceLeader(2, TERM + 1);

        assertThat(poll()).containsExactly("leader 2 in term 8");
        assertThat(poll()).isEmpty();
        assertThat(cluster.attempts).hasSize(1);
        assertThat(session.isReleased()).isFalse();
    }

    @Test
    void shouldOpenANewSessionWhenTheClusterClosedIt()
    {
        final FakeSession session = connected();
        poll();
        session.isClosed = true;

        assertThat(poll()).isEmpty();
        assertThat(session.isReleased()).isTrue();
        assertThat(transport.isConnected()).isFalse();
        assertThat(transport.trySend(message("x"), 0, 1)).isEqualTo(SendResult.DISCONNECTED);

        poll();
        final FakeSession next = cluster.lastAttempt().succeed(2, TERM + 1);
        assertThat(poll(2)).containsExactly("reconnected", "leader 2 in term 8");
        assertThat(poll()).isEmpty();
        assertThat(transport.trySend(message("x"), 0, 1)).isEqualTo(SendResult.SENT);
        assertThat(next.sent).hasSize(1);
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldNotReportALeaderAgainInTheTermThatItIsKnownFor()
    {
        final FakeSession session = connected();
        poll();
        session.isClosed = true;
        poll(2);
        cluster.lastAttempt().succeed(LEADER, TERM);

        assertThat(poll(3)).containsExactly("reconnected");
    }

    @Test
    void shouldTakeAllRepliesThatWaitUpToTheLimit()
    {
        final FakeSession session = connected();
        poll();
        final int[] taken = new int[1];
        for (int i = 0; i < 25; i++)
        {
            session.egress.add(() -> taken[0]++);
        }

        poll();
        assertThat(taken[0]).as("the limit").isEqualTo(10);
        poll(2);
        assertThat(taken[0]).isEqualTo(25);
    }

    @Test
    void shouldOpenANewSessionWhenANewLeaderCannotBeReachedInTime()
    {
        final FakeSession session = connected();
        poll();
        session.egress.add(() ->
        {
            throw new TimeoutException("failed to add new leader ingress publication");
        });

        assertThat(poll(2)).isEmpty();
        assertThat(session.isReleased()).isTrue();
        cluster.lastAttempt().succeed(2, TERM + 1);
        assertThat(poll(2)).containsExactly("reconnected", "leader 2 in term 8");
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepOpeningANewSessionUntilOneIsThere()
    {
        final FakeSession session = connected();
        poll();
        session.isClosed = true;
        poll(2);
        cluster.lastAttempt().fail(new ClusterException("concurrent session limit"));
        poll();
        assertThat(cluster.openCount()).isZero();

        cluster.advance(100 * MS - 1);
        poll();
        assertThat(cluster.attempts).hasSize(2);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(3);
        cluster.advance(5 * SECOND_NS + 1);
        poll();
        assertThat(cluster.openCount()).isZero();

        cluster.advance(100 * MS);
        poll();
        cluster.lastAttempt().succeed(LEADER, TERM + 1);
        assertThat(poll(2)).containsExactly("reconnected", "leader 1 in term 8");
        assertThat(cluster.attempts).hasSize(4);
    }

    @Test
    void shouldCloseWithoutEverHavingBeenConnected()
    {
        transport.close();

        assertThat(cluster.attempts).isEmpty();
    }

    @Test
    void shouldCloseItsSessionAndCarryTheRequestOut()
    {
        final FakeSession session = connected();
        final int driveCount = cluster.driveCount;

        transport.close();

        assertThat(session.isReleased()).isTrue();
        assertThat(cluster.driveCount).isGreaterThan(driveCount);
        assertThat(transport.isConnected()).isFalse();
        assertThat(transport.trySend(message("x"), 0, 1)).isEqualTo(SendResult.DISCONNECTED);
    }

    @Test
    void shouldCloseWhileANewSessionIsBeingOpened()
    {
        connected().isClosed = true;
        poll(2);
        assertThat(cluster.openCount()).isEqualTo(1);

        transport.close();

        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldLeaveTheDriverToTheFirstTransport()
    {
        final ClusterTransport second = newTransport(false);
        cluster.onBegin = (attempt) -> attempt.succeed(LEADER, TERM);
        second.connect(SECOND_NS);
        final int driveCount = cluster.driveCount;

        second.poll(events, 10);
        second.close();

        assertThat(cluster.driveCount).isEqualTo(driveCount);
        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldKnowWhatAServiceSendsBack()
    {
        assertThat(transport.replyTemplateId()).isEqualTo(EchoResponseDecoder.TEMPLATE_ID);
        assertThat(new ClusterTransport(cluster, address(true), cluster, idle, true).replyTemplateId())
            .isEqualTo(EchoRequestDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldNotAllocateInSteadyState()
    {
        final FakeSession session = connected();
        session.isRecording = false;
        session.ignoredFragmentCount = 1;
        final UnsafeBuffer message = message("hello");
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        long leastBytes = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            assertThat(sendAndPoll(message, 50_000)).isEqualTo(50_000);
            leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - before);
        }

        // The first rounds include work of the compiler; one byte per message would be 50,000 in each.
        assertThat(leastBytes).isLessThan(2_000);
    }

    private int sendAndPoll(final UnsafeBuffer message, final int count)
    {
        int sentCount = 0;
        for (int i = 0; i < count; i++)
        {
            cluster.advance(MS);
            sentCount += SendResult.SENT == transport.trySend(message, 0, message.capacity()) ? 1 : 0;
            transport.poll(events, 10);
        }
        return sentCount;
    }

    private FakeSession connected()
    {
        cluster.onBegin = (attempt) -> attempt.succeed(LEADER, TERM);
        transport.connect(SECOND_NS);
        cluster.onBegin = (attempt) -> { };
        return cluster.sessions.get(cluster.sessions.size() - 1);
    }

    private List<String> poll()
    {
        return poll(1);
    }

    private List<String> poll(final int turnCount)
    {
        return events.poll(transport, turnCount);
    }

    private ClusterTransport newTransport(final boolean isDriving)
    {
        return new ClusterTransport(cluster, address(false), cluster, idle, isDriving);
    }

    private static ClusterAddress address(final boolean isPlain)
    {
        return new ClusterAddress(
            "0=localhost:9000", "localhost:0", 1408, 64 * 1024, 10 * SECOND_NS, SessionRecovery.PROBE, null, null, isPlain,
            false);
    }

    private static UnsafeBuffer message(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static final class WorkCounts implements IdleStrategy
    {
        private final List<Integer> workCounts = new ArrayList<>();

        @Override
        public void idle(final int workCount)
        {
            workCounts.add(workCount);
        }

        @Override
        public void idle()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reset()
        {
        }
    }
}
