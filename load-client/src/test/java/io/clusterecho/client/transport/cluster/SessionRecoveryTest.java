package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.aeron.cluster.client.ClusterException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.security.AuthenticationException;

import io.clusterecho.client.transport.cluster.FakeCluster.FakeAttempt;
import io.clusterecho.client.transport.cluster.FakeCluster.FakeSession;

import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionRecoveryTest
{
    private static final long MS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MS;
    private static final long HOLD_NS = 500 * MS;
    private static final int LEADER = 1;
    private static final int OTHER = 2;
    private static final long TERM = 7;

    private final FakeCluster cluster = new FakeCluster();
    private final EventLog events = new EventLog();
    private ClusterTransport transport;

    @Test
    void shouldAskForAnotherSessionAsSoonAsTheLeaderIsOutOfReach()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;

        poll();

        assertThat(cluster.attempts).hasSize(2);
        assertThat(session.isReleased()).isFalse();
        assertThat(transport.isConnected()).isFalse();
    }

    @Test
    void shouldNotAskForAnotherSessionWhileTheLeaderIsReached()
    {
        connected(SessionRecovery.PROBE);

        poll(10);

        assertThat(cluster.attempts).hasSize(1);
    }

    @Test
    void shouldTakeTheSessionOfALeaderWhoseNewProcessKeepsTheIngressConnected()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        send();
        poll();
        cluster.advance(SECOND_NS - 1);
        poll();
        assertThat(cluster.attempts).hasSize(1);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(2);
        cluster.lastAttempt().succeed(LEADER, TERM + 1);
        poll();
        assertThat(session.isReleased()).isFalse();

        cluster.advance(HOLD_NS);
        assertThat(poll(2)).containsExactly("reconnected", "leader 1 in term 8");
        assertThat(session.isReleased()).isTrue();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheSessionOfALeaderThatIsSlow()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        send();
        poll();
        cluster.advance(SECOND_NS);
        poll();
        final FakeSession candidate = cluster.lastAttempt().succeed(LEADER, TERM);

        poll(2);
        cluster.advance(5 * SECOND_NS - 1);
        assertThat(poll(2)).isEmpty();
        assertThat(candidate.isReleased()).isTrue();
        assertThat(session.isReleased()).isFalse();
        assertThat(cluster.attempts).hasSize(2);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(3);
    }

    @Test
    void shouldReplaceASessionThatNeverHadAReplyInTheSameTermToo()
    {
        final FakeSession first = connected(SessionRecovery.PROBE);
        final FakeSession second = replacedAfter(10, first);
        final FakeSession third = replacedAfter(20, second);

        send();
        third.reply("one");
        assertThat(poll()).hasSize(1);
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheSessionThatHadAReplyHoweverSlowTheLeaderIs()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        send();
        session.reply("one");
        poll();
        send();
        poll();
        for (int i = 0; i < 10; i++)
        {
            cluster.advance(5 * SECOND_NS);
            poll();
            cluster.lastAttempt().succeed(LEADER, TERM);
            assertThat(poll()).isEmpty();
        }

        assertThat(session.isReleased()).isFalse();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheSessionThatHasAReplyBeforeTheOtherReplacesIt()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        send();
        poll();
        cluster.advance(SECOND_NS);
        poll();
        final FakeSession candidate = cluster.lastAttempt().succeed(OTHER, TERM + 1);
        poll();
        session.reply("late");

        assertThat(poll()).hasSize(1);
        cluster.advance(HOLD_NS);
        assertThat(poll(2)).isEmpty();
        assertThat(session.isReleased()).isFalse();
        assertThat(candidate.isReleased()).isTrue();
    }

    @Test
    void shouldNotDoubtALeaderWhenItsOwnThreadStalled()
    {
        connected(SessionRecovery.PROBE);
        poll();
        cluster.advance(60 * SECOND_NS);
        send();

        poll(2);

        assertThat(cluster.attempts).hasSize(1);
    }

    @Test
    void shouldNotDoubtALeaderThatHasNothingToAnswer()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        send();
        session.reply("one");
        poll();

        cluster.advance(60 * SECOND_NS);
        poll(2);

        assertThat(cluster.attempts).hasSize(1);
    }

    @Test
    void shouldTakeTheSessionOfALeaderThatWasStartedAgain()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        final FakeSession next = cluster.lastAttempt().succeed(LEADER, TERM + 1);

        assertThat(poll(3)).containsExactly("reconnected", "leader 1 in term 8");
        assertThat(session.isReleased()).isTrue();
        assertThat(transport.isConnected()).isTrue();
        assertThat(next.messageTimeoutNs).isEqualTo(5 * SECOND_NS);
        send();
        assertThat(next.sent).hasSize(1);
        next.reply("one");
        assertThat(poll()).containsExactly("one at 1000 ms");
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldReportNoLeaderWhenTheSameOneAnswersInTheSameTerm()
    {
        connected(SessionRecovery.PROBE).isConnected = false;
        poll();
        cluster.lastAttempt().succeed(LEADER, TERM);

        assertThat(poll(3)).containsExactly("reconnected");
    }

    @Test
    void shouldKeepTheSessionThatANewLeaderAnnouncesItselfTo()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        final FakeAttempt attempt = cluster.lastAttempt();

        session.announceLeader(OTHER, TERM + 1);
        assertThat(poll()).containsExactly("leader 2 in term 8");
        assertThat(attempt.isOver()).isFalse();
        session.isConnected = true;

        assertThat(poll(2)).isEmpty();
        assertThat(attempt.isOver()).isTrue();
        assertThat(session.isReleased()).isFalse();
        assertThat(cluster.openCount()).isEqualTo(1);
        assertThat(cluster.attempts).hasSize(2);
    }

    @Test
    void shouldKeepTheSessionWhenTheOtherIsOpenBeforeTheNewLeaderIsAnnounced()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        final FakeSession candidate = cluster.lastAttempt().succeed(OTHER, TERM + 1);
        assertThat(poll(2)).isEmpty();

        cluster.advance(HOLD_NS - 1);
        session.announceLeader(OTHER, TERM + 1);
        assertThat(poll()).containsExactly("leader 2 in term 8");
        cluster.advance(HOLD_NS - 1);
        assertThat(poll()).isEmpty();
        session.isConnected = true;

        assertThat(poll(2)).isEmpty();
        assertThat(session.isReleased()).isFalse();
        assertThat(candidate.isReleased()).isTrue();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldTakeTheOtherSessionWhenNoNewLeaderIsAnnouncedInTime()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        cluster.lastAttempt().succeed(OTHER, TERM + 1);
        poll();
        cluster.advance(HOLD_NS - 1);
        assertThat(poll()).isEmpty();
        assertThat(transport.isConnected()).isFalse();

        cluster.advance(1);

        assertThat(poll(2)).containsExactly("reconnected", "leader 2 in term 8");
        assertThat(session.isReleased()).isTrue();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldTakeTheOtherSessionWhenTheAnnouncedLeaderIsNotReachedInTime()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        session.announceLeader(OTHER, TERM + 1);
        poll();
        cluster.lastAttempt().succeed(OTHER, TERM + 1);
        assertThat(poll()).isEmpty();

        cluster.advance(HOLD_NS);

        assertThat(poll(3)).containsExactly("reconnected");
        assertThat(session.isReleased()).isTrue();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldNotAskForAnotherSessionWhileAnAnnouncedLeaderIsBeingReached()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.announceLeader(OTHER, TERM + 1);
        session.isConnected = false;

        poll();
        cluster.advance(HOLD_NS - 1);
        poll();
        assertThat(cluster.attempts).hasSize(1);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(2);
    }

    @Test
    void shouldReportOneReconnectWhenTheSessionClosesWhileAnotherIsOpen()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        cluster.lastAttempt().succeed(OTHER, TERM + 1);
        poll();
        session.isClosed = true;

        assertThat(poll(4)).containsExactly("reconnected", "leader 2 in term 8");
        assertThat(cluster.attempts).hasSize(2);
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldContinueWithTheCurrentAttemptWhenTheSessionCloses()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        session.isClosed = true;
        poll(2);
        assertThat(cluster.attempts).hasSize(2);
        cluster.lastAttempt().succeed(OTHER, TERM + 1);

        assertThat(poll(2)).containsExactly("reconnected", "leader 2 in term 8");
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldCloseASessionThatTheClusterOpenedAfterItWasNotNeededAnyMore()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        final FakeAttempt attempt = cluster.lastAttempt();
        attempt.isRequested = true;
        session.isConnected = true;
        assertThat(poll()).isEmpty();
        assertThat(attempt.isOver()).isFalse();

        final FakeSession late = attempt.succeed(LEADER, TERM);

        assertThat(poll(2)).isEmpty();
        assertThat(late.isReleased()).isTrue();
        assertThat(session.isReleased()).isFalse();
        assertThat(cluster.openCount()).isEqualTo(1);
        assertThat(cluster.attempts).hasSize(2);
    }

    @Test
    void shouldEndAnAttemptThatIsNeitherNeededNorAnswered()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        cluster.lastAttempt().isRequested = true;
        session.isConnected = true;
        poll();

        cluster.advance(5 * SECOND_NS + 1);
        poll(2);

        assertThat(cluster.lastAttempt().isOver()).isTrue();
        assertThat(cluster.attempts).hasSize(2);
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldAskAgainAfterAnAttemptThatTimedOut()
    {
        connected(SessionRecovery.PROBE).isConnected = false;
        poll();
        cluster.advance(5 * SECOND_NS + 1);
        poll();
        assertThat(cluster.lastAttempt().isOver()).isTrue();

        cluster.advance(100 * MS - 1);
        poll();
        assertThat(cluster.attempts).hasSize(2);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(3);
        cluster.lastAttempt().succeed(LEADER, TERM + 1);
        assertThat(poll(2)).containsExactly("reconnected", "leader 1 in term 8");
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitLongForALeaderThatMayHaveEndedAndLongerEachTime()
    {
        connected(SessionRecovery.PROBE).isConnected = false;
        for (final long seconds : new long[]{ 1, 2, 4, 5, 5 })
        {
            poll();
            assertThat(cluster.lastAttempt().timeoutNs).isEqualTo(seconds * SECOND_NS);
            cluster.advance(seconds * SECOND_NS + 1);
            poll();
            assertThat(cluster.lastAttempt().isOver()).isTrue();
            cluster.advance(100 * MS);
        }

        poll();
        cluster.lastAttempt().succeed(LEADER, TERM + 1);
        poll(2);
        cluster.sessions.get(cluster.sessions.size() - 1).isConnected = false;
        cluster.advance(SECOND_NS);
        poll();
        assertThat(cluster.lastAttempt().timeoutNs).isEqualTo(SECOND_NS);
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldAskASecondLaterWhenItWasRefused(final boolean isAuthentication)
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        cluster.lastAttempt().fail(isAuthentication ?
            new AuthenticationException("who are you") : new ClusterException("concurrent session limit"));
        poll();
        assertThat(cluster.lastAttempt().isOver()).isTrue();
        assertThat(session.isReleased()).isFalse();

        cluster.advance(SECOND_NS - 1);
        poll();
        assertThat(cluster.attempts).hasSize(2);

        cluster.advance(1);
        poll();
        assertThat(cluster.attempts).hasSize(3);
    }

    @Test
    void shouldKeepTheSessionWhenAnAttemptCannotBegin()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        cluster.onBegin = (attempt) ->
        {
            throw new ClusterException("no more room for a subscription");
        };
        session.isConnected = false;
        poll();
        session.announceLeader(OTHER, TERM + 1);
        poll();
        session.isConnected = true;

        assertThat(poll()).isEmpty();
        assertThat(transport.isConnected()).isTrue();
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldProbeAgainForEachLoss()
    {
        FakeSession session = connected(SessionRecovery.PROBE);
        for (int i = 1; i <= 5; i++)
        {
            cluster.advance(SECOND_NS);
            session.isConnected = false;
            poll();
            session = cluster.lastAttempt().succeed(LEADER, TERM + i);
            assertThat(poll(2)).containsExactly("reconnected", "leader 1 in term " + (TERM + i));
        }
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldCloseWhileAnotherSessionIsAskedFor()
    {
        connected(SessionRecovery.PROBE).isConnected = false;
        poll();
        assertThat(cluster.openCount()).isEqualTo(2);

        transport.close();

        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldCloseWhileAnotherSessionIsHeld()
    {
        connected(SessionRecovery.PROBE).isConnected = false;
        poll();
        cluster.lastAttempt().succeed(OTHER, TERM + 1);
        poll();
        assertThat(cluster.openCount()).isEqualTo(2);

        transport.close();

        assertThat(cluster.openCount()).isZero();
    }

    @Test
    void shouldWaitForANewLeaderAsAPlainClientDoes()
    {
        final FakeSession session = connected(SessionRecovery.WAIT);
        session.isConnected = false;
        cluster.advance(10 * SECOND_NS);
        assertThat(poll(3)).isEmpty();
        assertThat(cluster.attempts).hasSize(1);

        session.isClosed = true;
        poll(2);
        assertThat(session.isReleased()).isTrue();
        cluster.lastAttempt().succeed(LEADER, TERM + 1);

        assertThat(poll(2)).containsExactly("reconnected", "leader 1 in term 8");
        assertThat(cluster.openCount()).isEqualTo(1);
    }

    @Test
    void shouldLoseBothSessionsWhenTheAnnouncedLeaderTimesOutAndTheAttemptFails()
    {
        final FakeSession session = connected(SessionRecovery.PROBE);
        session.isConnected = false;
        poll();
        session.egress.add(() ->
        {
            throw new TimeoutException("failed to add new leader ingress publication");
        });
        poll();
        assertThat(session.isReleased()).isTrue();
        cluster.lastAttempt().fail(new ClusterException("unexpected loss of connection to cluster"));
        assertThat(poll()).isEmpty();

        assertThat(cluster.openCount()).isZero();
        cluster.advance(100 * MS);
        poll();
        cluster.lastAttempt().succeed(OTHER, TERM + 2);
        assertThat(poll(2)).containsExactly("reconnected", "leader 2 in term 9");
    }

    private FakeSession connected(final SessionRecovery recovery)
    {
        final ClusterAddress address = new ClusterAddress(
            "0=localhost:9000", "localhost:0", 1408, 64 * 1024, 10 * SECOND_NS, recovery, null, null, false, false);
        transport = new ClusterTransport(cluster, address, cluster, NoOpIdleStrategy.INSTANCE, true);
        cluster.onBegin = (attempt) -> attempt.succeed(LEADER, TERM);
        transport.connect(SECOND_NS);
        cluster.onBegin = (attempt) -> { };
        assertThat(poll()).containsExactly("leader 1 in term 7");
        cluster.advance(SECOND_NS);
        return cluster.sessions.get(0);
    }

    /**
     * Send a message that is not answered. The leader opens every session that is requested, the first after a second and then
     * one each 5 s, all in the same term.
     *
     * @return the session that replaces this one, which must be the first that opens after so many seconds.
     */
    private FakeSession replacedAfter(final int seconds, final FakeSession session)
    {
        send();
        poll();
        cluster.advance(SECOND_NS);
        FakeSession candidate = null;
        for (int second = 1; second < seconds + 5; second += 5)
        {
            assertThat(session.isReleased()).as("after %d s", second).isFalse();
            poll();
            candidate = cluster.lastAttempt().succeed(LEADER, TERM);
            assertThat(poll()).isEmpty();
            assertThat(candidate.isReleased()).as("candidate after %d s", second).isEqualTo(second < seconds);
            cluster.advance(second < seconds ? 5 * SECOND_NS : HOLD_NS);
        }

        assertThat(poll(2)).containsExactly("reconnected");
        assertThat(session.isReleased()).isTrue();
        assertThat(candidate.isReleased()).isFalse();
        return candidate;
    }

    private List<String> poll()
    {
        return poll(1);
    }

    private List<String> poll(final int turnCount)
    {
        return events.poll(transport, turnCount);
    }

    private void send()
    {
        transport.trySend(new UnsafeBuffer(new byte[1]), 0, 1);
    }
}
