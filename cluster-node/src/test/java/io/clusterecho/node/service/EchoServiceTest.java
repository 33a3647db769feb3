package io.clusterecho.node.service;

import static io.clusterecho.media.counters.ServiceCounter.APPLIED;
import static io.clusterecho.media.counters.ServiceCounter.APPLIED_AFTER_GAP;
import static io.clusterecho.media.counters.ServiceCounter.CLIENTS;
import static io.clusterecho.media.counters.ServiceCounter.CLIENTS_EVICTED;
import static io.clusterecho.media.counters.ServiceCounter.RECEIVED;
import static io.clusterecho.media.counters.ServiceCounter.REPEATED;
import static io.clusterecho.media.counters.ServiceCounter.REPLIES_DROPPED;
import static io.clusterecho.media.counters.ServiceCounter.REPLIES_SENT;
import static io.clusterecho.media.counters.ServiceCounter.SESSIONS_CLOSED;
import static io.clusterecho.media.counters.ServiceCounter.STATE_CHECKSUM;
import static io.clusterecho.media.counters.ServiceCounter.STATE_POSITION;
import static io.clusterecho.media.counters.ServiceCounter.TOO_EARLY;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.node.stage.StageWatch;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.schema.codecs.SequenceGapDecoder;

class EchoServiceTest
{
    private static final long CLIENT = 77;
    private static final int[] TEMPLATES =
        {
            EchoRequestEncoder.TEMPLATE_ID, OrderedEchoRequestEncoder.TEMPLATE_ID
        };

    private final Member leader = Member.leader();
    private final FakeSession session = leader.session(1);

    @Test
    void shouldAnswerARequestWithItsOwnBytesUnderTheTemplateOfTheResponse()
    {
        leader.echo(session, CLIENT, 0);

        final UnsafeBuffer reply = session.received.get(0);
        assertThat(EchoMessage.validate(reply, 0, reply.capacity(), new PayloadCheck())).isEqualTo(EchoMessage.VALID);
        assertThat(EchoMessage.templateId(reply, 0)).isEqualTo(EchoResponseEncoder.TEMPLATE_ID);
        assertThat(reply.capacity()).isEqualTo(64);
        EchoMessage.templateId(reply, 0, EchoRequestEncoder.TEMPLATE_ID);
        assertThat(Arrays.equals(reply.byteArray(), Arrays.copyOfRange(leader.message.byteArray(), 8, 72))).isTrue();
    }

    @Test
    void shouldAnswerTheSmallestMessage()
    {
        leader.send(session, EchoRequestEncoder.TEMPLATE_ID, CLIENT, 0, EchoMessage.MIN_LENGTH);

        assertThat(session.received.get(0).capacity()).isEqualTo(32);
    }

    @Test
    void shouldApplyARepeatedRequestOnceAndAnswerItAgain()
    {
        leader.echo(session, CLIENT, 0);
        final long checksum = leader.service.table.checksum;
        leader.echo(session, CLIENT, 0);

        assertThat(session.receivedTemplates())
            .containsExactly(EchoResponseEncoder.TEMPLATE_ID, RepeatedEchoResponseEncoder.TEMPLATE_ID);
        assertThat(leader.service.table.appliedCount).isEqualTo(1);
        assertThat(leader.service.table.checksum).isEqualTo(checksum);
        assertThat(leader.count(REPEATED)).isEqualTo(1);
    }

    @Test
    void shouldApplyPastAGapAndTreatLateRequestsAsRepeated()
    {
        leader.echo(session, CLIENT, 0);
        leader.echo(session, CLIENT, 5);
        leader.echo(session, CLIENT, 3);

        assertThat(session.receivedTemplates()).containsExactly(
            EchoResponseEncoder.TEMPLATE_ID, EchoResponseEncoder.TEMPLATE_ID, RepeatedEchoResponseEncoder.TEMPLATE_ID);
        assertThat(leader.service.table.byClientId.get(CLIENT).lastSequence).isEqualTo(5);
        assertThat(leader.service.table.byClientId.get(CLIENT).appliedCount).isEqualTo(2);
        assertThat(leader.count(APPLIED_AFTER_GAP)).isEqualTo(1);
        assertThat(leader.count(APPLIED)).isEqualTo(2);
    }

    @Test
    void shouldApplyOrderedRequestsOneAfterTheOther()
    {
        leader.ordered(session, CLIENT, 0);
        leader.ordered(session, CLIENT, 1);
        leader.ordered(session, CLIENT, 1);
        leader.ordered(session, CLIENT, 0);

        assertThat(session.receivedTemplates()).containsExactly(
            EchoResponseEncoder.TEMPLATE_ID, EchoResponseEncoder.TEMPLATE_ID,
            RepeatedEchoResponseEncoder.TEMPLATE_ID, RepeatedEchoResponseEncoder.TEMPLATE_ID);
        assertThat(leader.service.table.byClientId.get(CLIENT).appliedCount).isEqualTo(2);
    }

    @Test
    void shouldReportTheExpectedSequenceWhenAnOrderedRequestIsTooEarly()
    {
        leader.ordered(session, CLIENT, 0);
        leader.ordered(session, CLIENT, 2);

        final SequenceGapDecoder gap = new SequenceGapDecoder();
        gap.wrap(
            session.received.get(1), MessageHeaderEncoder.ENCODED_LENGTH,
            SequenceGapDecoder.BLOCK_LENGTH, SequenceGapDecoder.SCHEMA_VERSION);
        assertThat(session.receivedTemplates().get(1)).isEqualTo(SequenceGapDecoder.TEMPLATE_ID);
        assertThat(gap.clientId()).isEqualTo(CLIENT);
        assertThat(gap.expectedSequence()).isEqualTo(1);
        assertThat(gap.receivedSequence()).isEqualTo(2);
        assertThat(leader.service.table.byClientId.get(CLIENT).lastSequence).isZero();
        assertThat(leader.count(TOO_EARLY)).isEqualTo(1);
    }

    @Test
    void shouldExpectSequenceZeroOfANewOrderedClient()
    {
        leader.ordered(session, CLIENT, 1);

        assertThat(session.receivedTemplates()).containsExactly(SequenceGapDecoder.TEMPLATE_ID);
        assertThat(leader.service.table.byClientId.get(CLIENT)).isNull();
        assertThat(leader.service.table.expectedSequence(CLIENT)).isZero();
    }

    @Test
    void shouldFollowTheDocumentedChecksum()
    {
        leader.echo(session, CLIENT, 0);
        final long first = RunningChecksum.next(0, 0, EchoMessage.check(leader.message, 8));
        assertThat(leader.service.table.byClientId.get(CLIENT).checksum).isEqualTo(first);
        assertThat(leader.service.table.checksum).isEqualTo(RunningChecksum.fold(
            RunningChecksum.fold(RunningChecksum.fold(0, CLIENT), first), leader.cluster.logPosition));

        leader.echo(session, CLIENT, 1);
        final long second = RunningChecksum.next(first, 1, EchoMessage.check(leader.message, 8));
        assertThat(leader.service.table.byClientId.get(CLIENT).checksum).isEqualTo(second);
        assertThat(leader.count(STATE_CHECKSUM)).isEqualTo(leader.service.table.checksum);
    }

    @Test
    void shouldHaveAnotherChecksumWhenARequestIsAppliedElsewhereInTheLog()
    {
        final Member other = Member.leader();
        leader.ordered(session, CLIENT, 0);
        leader.ordered(session, CLIENT, 0);
        other.cluster.logPosition += 128;
        other.ordered(other.session(1), CLIENT, 0);

        assertThat(other.cluster.logPosition).isEqualTo(leader.cluster.logPosition);
        assertThat(other.count(APPLIED)).isEqualTo(leader.count(APPLIED));
        assertThat(other.count(STATE_CHECKSUM)).isNotEqualTo(leader.count(STATE_CHECKSUM));
    }

    @Test
    void shouldPublishThePositionOfItsStateAfterEachEntry()
    {
        leader.echo(session, CLIENT, 0);
        assertThat(leader.count(STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
        leader.echo(session, CLIENT, -1);
        assertThat(leader.count(STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
        leader.deliver(session, 8, 3);
        assertThat(leader.count(STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
        leader.ordered(session, CLIENT, 7);
        assertThat(leader.count(STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
        leader.cluster.logPosition += 64;
        leader.closeSession(session);
        assertThat(leader.count(STATE_POSITION)).isEqualTo(leader.cluster.logPosition);
        assertThat(leader.count(APPLIED)).isEqualTo(1);
    }

    @Test
    void shouldRememberPositionAndTimeOfTheLastRequest()
    {
        leader.echo(session, CLIENT, 0);
        leader.timestamp += 5;
        leader.echo(session, CLIENT, 0);

        assertThat(leader.service.table.byClientId.get(CLIENT).lastPosition).isEqualTo(256);
        assertThat(leader.service.table.byClientId.get(CLIENT).lastTime).isEqualTo(1_000_005);
    }

    @ParameterizedTest
    @CsvSource({
        "0, REFUSED_SHORT",
        "7, REFUSED_SHORT",
        "31, REFUSED_SHORT",
        "513, REFUSED_OVERSIZED"})
    void shouldCountAndIgnoreALengthThatCannotBe(final int length, final ServiceCounter refusal)
    {
        leader.encode(EchoRequestEncoder.TEMPLATE_ID, CLIENT, 0, 600);
        leader.deliver(session, 8, length);

        assertRefused(refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 23, REFUSED_WRONG_SCHEMA",
        "2, 99, REFUSED_UNKNOWN_TEMPLATE",
        "2, 5, REFUSED_UNKNOWN_TEMPLATE",
        "4, 111, REFUSED_WRONG_SCHEMA",
        "6, 0, REFUSED_WRONG_SCHEMA",
        "6, 2, REFUSED_WRONG_SCHEMA",
        "40, 0, REFUSED_CORRUPT"})
    void shouldCountAndIgnoreAFieldThatCannotBe(final int at, final short value, final ServiceCounter refusal)
    {
        leader.encode(EchoRequestEncoder.TEMPLATE_ID, CLIENT, 0, 64);
        leader.message.putShort(8 + at, value);
        leader.deliver(session, 8, 64);

        assertRefused(refusal);
    }

    @ParameterizedTest
    @CsvSource({"2", "4"})
    void shouldCountAndIgnoreAResponse(final int templateId)
    {
        leader.send(session, templateId, CLIENT, 0, 64);

        assertRefused(ServiceCounter.REFUSED_RESPONSE);
    }

    @ParameterizedTest
    @CsvSource({"1, -1", "3, -1", "1, -9223372036854775808"})
    void shouldCountAndIgnoreANegativeSequence(final int templateId, final long sequence)
    {
        leader.send(session, templateId, CLIENT, sequence, 64);

        assertRefused(ServiceCounter.REFUSED_NEGATIVE_SEQUENCE);
    }

    @Test
    void shouldAcceptTheGreatestSequence()
    {
        leader.echo(session, CLIENT, Long.MAX_VALUE);
        leader.ordered(session, CLIENT, Long.MAX_VALUE);

        assertThat(session.receivedTemplates())
            .containsExactly(EchoResponseEncoder.TEMPLATE_ID, RepeatedEchoResponseEncoder.TEMPLATE_ID);
    }

    @Test
    void shouldSurviveRandomBytes()
    {
        final Random random = new Random(42);
        for (int i = 0; i < 10_000; i++)
        {
            random.nextBytes(leader.message.byteArray());
            leader.deliver(session, random.nextInt(64), random.nextInt(600));
        }

        assertThat(leader.count(RECEIVED)).isEqualTo(10_000);
        assertThat(leader.count(APPLIED)).isZero();
        assertThat(session.received).isEmpty();
    }

    @Test
    void shouldApplyAMessageWhoseSessionIsGone()
    {
        leader.echo(null, CLIENT, 0);

        assertThat(leader.service.table.appliedCount).isEqualTo(1);
        assertThat(leader.count(REPLIES_DROPPED)).isEqualTo(1);
    }

    @Test
    void shouldEvictTheClientWithTheOldestRequest()
    {
        leader.echo(session, 10, 0);
        leader.echo(session, 11, 0);
        leader.echo(session, 12, 0);
        leader.echo(session, 10, 0);
        leader.echo(session, 13, 0);

        assertThat(leader.service.table.byClientId.get(11)).isNull();
        assertThat(leader.service.table.byClientId.get(10)).isNotNull();
        assertThat(leader.service.table.byClientId.get(12)).isNotNull();
        assertThat(leader.service.table.byClientId.get(13).appliedCount).isEqualTo(1);
        assertThat(leader.count(CLIENTS)).isEqualTo(3);
        assertThat(leader.count(CLIENTS_EVICTED)).isEqualTo(1);
    }

    @Test
    void shouldEvictByTheLogEvenWhenTheClusterTimeGoesBack()
    {
        leader.echo(session, 10, 0);
        leader.timestamp -= 100;
        leader.echo(session, 11, 0);
        leader.echo(session, 12, 0);
        leader.echo(session, 13, 0);

        assertThat(leader.service.table.byClientId.get(10)).isNull();
        assertThat(leader.service.table.byClientId.get(11)).isNotNull();
    }

    @Test
    void shouldInformAnEvictedOrderedClient()
    {
        leader.ordered(session, 10, 0);
        for (long other = 11; other < 14; other++)
        {
            leader.ordered(session, other, 0);
        }
        leader.ordered(session, 10, 1);

        assertThat(session.receivedTemplates().get(4)).isEqualTo(SequenceGapDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldReachTheSameStateOnLeaderAndFollower()
    {
        final Member follower = Member.follower();
        final FakeSession followersSession = follower.session(1);
        final Random random = new Random(7);
        session.credit = 50;
        for (int i = 0; i < 2_000; i++)
        {
            final int templateId =
                random.nextInt(8) == 0 ? random.nextInt(7) :
                random.nextBoolean() ? EchoRequestEncoder.TEMPLATE_ID : OrderedEchoRequestEncoder.TEMPLATE_ID;
            final long clientId = random.nextInt(5);
            final long sequence = leader.service.table.expectedSequence(clientId) + random.nextInt(4) - 2;
            final int length = 32 + random.nextInt(100);
            leader.send(session, templateId, clientId, sequence, length);
            follower.send(followersSession, templateId, clientId, sequence, length);
            if (random.nextInt(10) == 0)
            {
                leader.fireTimer();
                follower.fireTimer();
            }
        }

        assertThat(leader.count(CLIENTS_EVICTED)).isPositive();
        assertThat(leader.count(APPLIED)).isGreaterThan(100);
        assertThat(leader.count(SESSIONS_CLOSED)).isPositive();
        assertThat(follower.snapshot()).isEqualTo(leader.snapshot());
        assertThat(follower.cluster.timerDeadlines).isEqualTo(leader.cluster.timerDeadlines);
        assertThat(followersSession.offerCount).isZero();
        assertThat(follower.count(REPLIES_SENT) + follower.count(REPLIES_DROPPED)).isZero();
    }

    @Test
    void shouldNotAllocateInSteadyState()
    {
        final Member member = new Member(Cluster.Role.LEADER, 4, Long.MAX_VALUE);
        final FakeSession quietSession = member.session(1);
        final UnsafeBuffer log = new UnsafeBuffer(ByteBuffer.allocateDirect(512));
        final PayloadCheck payloadCheck = new PayloadCheck();
        quietSession.isRecording = false;
        member.cluster.isRecording = false;

        quietSession.responseStreamId = EchoMessage.FIRST_MARKED_STREAM_ID;
        final ClusteredService marking = new StageWatch(0).marking(member.service);
        marking.onStart(member.cluster, null);
        run(member, marking, quietSession, log, payloadCheck, 0, 100_000);
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(threadId);
        // The JVM sometimes allocates on behalf of a thread; an allocation per message would show in each round.
        long leastBytes = Long.MAX_VALUE;
        for (int round = 1; round <= 5; round++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            run(member, marking, quietSession, log, payloadCheck, round * 100_000, (round + 1) * 100_000);
            leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - before);
        }

        assertThat(member.count(REPLIES_SENT)).isEqualTo(600_000);
        assertThat(member.count(CLIENTS_EVICTED)).isPositive();
        assertThat(leastBytes).isLessThan(4096);
    }

    private static void run(
        final Member member,
        final ClusteredService service,
        final FakeSession session,
        final UnsafeBuffer log,
        final PayloadCheck payloadCheck,
        final int from,
        final int to)
    {
        for (int i = from; i < to; i++)
        {
            // Ordered or not, repeated or not, too early, and sometimes a client that evicts another.
            final boolean isNewClient = i % 100 == 0;
            final long clientId = isNewClient ? 1_000_000 + i : i % 3;
            final int templateId = TEMPLATES[i % TEMPLATES.length];
            final long sequence = isNewClient ? 0 : member.service.table.expectedSequence(clientId) + i % 7 / 3 - 1;
            EchoMessage.encode(log, 0, 288, templateId, clientId, Math.max(0, sequence), i, payloadCheck);
            member.cluster.logPosition += 320;
            member.timestamp++;
            service.onSessionMessage(session, member.timestamp, log, 0, 288, Member.HEADER);
            if (i % 50 == 0)
            {
                member.fireTimer();
            }
        }
    }

    private void assertRefused(final ServiceCounter refusal)
    {
        assertThat(leader.count(refusal)).isEqualTo(1);
        assertThat(leader.count(RECEIVED)).isEqualTo(1);
        assertThat(leader.count(APPLIED)).isZero();
        assertThat(leader.service.table.clientCount()).isZero();
        assertThat(session.offerCount).isZero();
    }
}
