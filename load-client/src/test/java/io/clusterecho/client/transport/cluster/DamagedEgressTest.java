package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.AdminRequestType;
import io.aeron.cluster.codecs.AdminResponseCode;
import io.aeron.cluster.codecs.AdminResponseEncoder;
import io.aeron.cluster.codecs.ChallengeEncoder;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeaderEventEncoder;
import io.aeron.cluster.codecs.SessionEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.testing.Fuzz;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever a cluster, or somebody in its name, sends to a client: a request is answered afterwards, in the same session or in
 * another, and what could not be read was reported. Lengths that Aeron allocates before it compares them with the message are at
 * most 1 MiB here, because longer ones end the process: see docs/SECURITY.md.
 */
class DamagedEgressTest
{
    private static final int COUNT = 100;
    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_MESSAGE_LENGTH = 1024;
    /** Of the length behind a block of no bytes. */
    private static final int LENGTH_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long RESEND_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ForgedLeader leader = new ForgedLeader();
    private final AtomicInteger errorCount = new AtomicInteger();
    /** Of the client's clock. */
    private long aheadNs;
    private final String endpoints = ForgedLeader.MEMBER_ID + "=" + leader.endpoint();
    private final ClusterConnector connector = new ClusterConnector(
        new ClusterAddress(
            endpoints, "localhost:0", 1408, 64 * 1024, TimeUnit.SECONDS.toNanos(5), SessionRecovery.PROBE, null, null, false,
            false),
        DriverPlan.JAVA, ThreadingMode.INVOKER, () -> System.nanoTime() + aheadNs, (error) -> errorCount.incrementAndGet());
    private final ClusterTransport transport = connector.newTransport();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[Long.BYTES]);
    private final Answers answers = new Answers();
    private long requestCount;

    @AfterEach
    void closeAll()
    {
        transport.close();
        connector.close();
        leader.close();
    }

    @Test
    void shouldBeAnsweredAfterEachMessageInASession()
    {
        Fuzz.run("egress", COUNT, samples(), List.of(), (input) ->
        {
            awaitAnswer("before");
            final byte[] bytes = bounded(input);
            await("sent", () -> leader.send(bytes));
            awaitAnswer("after");
        });

        assertThat(errorCount.get()).as("errors that were reported").isPositive();
    }

    @Test
    void shouldOpenASessionWhateverAnswersItsRequest()
    {
        Fuzz.run("connect", COUNT, samples(), List.of(), (input) ->
        {
            awaitAnswer("before");
            leader.answerNext(ofSession(bounded(input)));
            await("closed", leader::closeNewest);
            await("noticed", () -> !transport.isConnected());
            awaitAnswer("after");
        });
    }

    /** Answers after which {@link AeronCluster.AsyncConnect} throws exceptions of Java. */
    @ParameterizedTest
    @CsvSource({ "REDIRECT, 7, 0", "REDIRECT, 0, -1", "OK, 0, 99" })
    void shouldRequestAnotherSessionAfterAnAnswerThatCannotBeUsed(final EventCode code, final int memberId, final int change)
    {
        awaitAnswer("before");
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_MESSAGE_LENGTH]);
        final SessionEventEncoder event = event(buffer, code).leaderMemberId(memberId);
        event.detail(endpoints);
        if (change > 0)
        {
            buffer.putInt(LENGTH_OFFSET + SessionEventEncoder.codeEncodingOffset(), change, ByteOrder.LITTLE_ENDIAN);
        }
        else if (change < 0)
        {
            buffer.putInt(LENGTH_OFFSET + SessionEventEncoder.BLOCK_LENGTH, change, ByteOrder.LITTLE_ENDIAN);
        }
        leader.answerNext(sample(buffer, event.encodedLength()));
        await("closed", leader::closeNewest);
        await("noticed", () -> !transport.isConnected());

        awaitAnswer("after");
    }

    @Test
    void shouldReplaceASessionThatTheLeaderDoesNotKnow()
    {
        awaitAnswer("before");
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_MESSAGE_LENGTH]);
        final SessionEventEncoder event = event(buffer, EventCode.OK).clusterSessionId(Long.MAX_VALUE).detail("");
        leader.answerNext(sample(buffer, event.encodedLength()));
        await("closed", leader::closeNewest);
        await("noticed", () -> !transport.isConnected());
        await("the next session", transport::isConnected);
        await("sent", () -> SendResult.SENT == transport.trySend(request, 0, Long.BYTES));
        transport.poll(answers, 10);
        aheadNs = TimeUnit.SECONDS.toNanos(10);

        awaitAnswer("after");
    }

    private void awaitAnswer(final String when)
    {
        final long wanted = ++requestCount;
        request.putLong(0, wanted);
        final long startNs = System.nanoTime();
        final long[] nextNs = { startNs };
        await(when, () ->
        {
            if (System.nanoTime() - nextNs[0] >= 0 && SendResult.SENT == transport.trySend(request, 0, Long.BYTES))
            {
                nextNs[0] = System.nanoTime() + RESEND_NS;
            }
            return answers.last == wanted;
        });
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - startNs).as("ns for: %s", what).isLessThan(ANSWER_TIMEOUT_NS);
            if (0 == leader.poll() + transport.poll(answers, 10))
            {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** The same message without a length that makes Aeron allocate more than 1 MiB. */
    private static byte[] bounded(final byte[] input)
    {
        final byte[] bytes = Arrays.copyOf(input, Math.min(input.length, MAX_MESSAGE_LENGTH));
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        if (bytes.length >= LENGTH_OFFSET + Integer.BYTES)
        {
            int offset = LENGTH_OFFSET + new MessageHeaderDecoder().wrap(message, 0).blockLength();
            if (offset + Integer.BYTES > bytes.length)
            {
                // The length would be what follows the message in the term buffer.
                new MessageHeaderEncoder().wrap(message, 0).blockLength(0);
                offset = LENGTH_OFFSET;
            }
            final int length = message.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            message.putInt(offset, Math.min(length, MAX_LENGTH), ByteOrder.LITTLE_ENDIAN);
        }
        return bytes;
    }

    /** The same answer with the right session id: a client waits 10 s for the first reply of an unknown one. */
    private static byte[] ofSession(final byte[] bytes)
    {
        if (bytes.length >= LENGTH_OFFSET + Long.BYTES)
        {
            new UnsafeBuffer(bytes).putLong(LENGTH_OFFSET, ForgedLeader.SESSION_ID, ByteOrder.LITTLE_ENDIAN);
        }
        return bytes;
    }

    private List<byte[]> samples()
    {
        final List<byte[]> samples = new ArrayList<>();
        for (final EventCode code : List.of(
            EventCode.OK, EventCode.ERROR, EventCode.REDIRECT, EventCode.AUTHENTICATION_REJECTED, EventCode.CLOSED))
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_MESSAGE_LENGTH]);
            final SessionEventEncoder event = event(buffer, code).detail(EventCode.REDIRECT == code ? endpoints : "a detail");
            samples.add(sample(buffer, event.encodedLength()));
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_MESSAGE_LENGTH]);
        final NewLeaderEventEncoder newLeader =
            new NewLeaderEventEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        newLeader.leadershipTermId(ForgedLeader.TERM_ID).clusterSessionId(ForgedLeader.SESSION_ID)
            .leaderMemberId(ForgedLeader.MEMBER_ID).ingressEndpoints(endpoints);
        samples.add(sample(buffer, newLeader.encodedLength()));
        final ChallengeEncoder challenge = new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        challenge.correlationId(ForgedLeader.CORRELATION_ID).clusterSessionId(ForgedLeader.SESSION_ID)
            .putEncodedChallenge("who are you".getBytes(StandardCharsets.US_ASCII), 0, 11);
        samples.add(sample(buffer, challenge.encodedLength()));
        final AdminResponseEncoder response =
            new AdminResponseEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        response.clusterSessionId(ForgedLeader.SESSION_ID).correlationId(ForgedLeader.CORRELATION_ID)
            .requestType(AdminRequestType.SNAPSHOT).responseCode(AdminResponseCode.OK).message("done")
            .putPayload(new byte[8], 0, 8);
        samples.add(sample(buffer, response.encodedLength()));
        final SessionMessageHeaderEncoder message =
            new SessionMessageHeaderEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        message.leadershipTermId(ForgedLeader.TERM_ID).clusterSessionId(ForgedLeader.SESSION_ID).timestamp(0);
        samples.add(sample(buffer, message.encodedLength() + Long.BYTES));
        return samples;
    }

    private static SessionEventEncoder event(final UnsafeBuffer buffer, final EventCode code)
    {
        return new SessionEventEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clusterSessionId(ForgedLeader.SESSION_ID).correlationId(ForgedLeader.CORRELATION_ID)
            .leadershipTermId(ForgedLeader.TERM_ID).leaderMemberId(ForgedLeader.MEMBER_ID).code(code)
            .version(AeronCluster.Configuration.PROTOCOL_SEMANTIC_VERSION).leaderHeartbeatTimeoutNs(1_000_000_000L);
    }

    private static byte[] sample(final UnsafeBuffer buffer, final int encodedLength)
    {
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }

    private static final class Answers implements ResponseHandler
    {
        private long last;

        @Override
        public void onResponse(
            final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
        {
            if (Long.BYTES == length)
            {
                last = buffer.getLong(offset);
            }
        }
    }
}
