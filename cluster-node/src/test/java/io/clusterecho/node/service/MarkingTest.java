package io.clusterecho.node.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.aeron.DirectBufferVector;
import io.aeron.Publication;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.BufferClaim;

import io.clusterecho.node.stage.StageWatch;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StageTimesDecoder;

/** Marks of the requests of any service, here of one that a test scripts. */
class MarkingTest
{
    private static final int OFFSET = 3;
    private static final int REQUEST_LENGTH = 21;
    private static final int TIMES_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + StageTimesDecoder.BLOCK_LENGTH;
    private static final int REPLY_LENGTH = 5;
    private static final int RESULT = 7;

    private final FakeCluster cluster = new FakeCluster();
    private final FakeSession session = new FakeSession(1, cluster);
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[OFFSET + REQUEST_LENGTH + 1]);
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[REPLY_LENGTH]);
    private final List<String> calls = new ArrayList<>();
    private final List<Long> results = new ArrayList<>();
    private Consumer<FakeSession> handler = (asking) -> results.add(asking.offer(reply, 0, REPLY_LENGTH));
    private final StageWatch watch = new StageWatch(0);
    private final ClusteredService marking = watch.marking((ClusteredService)Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[]{ ClusteredService.class }, (proxy, method, arguments) ->
        {
            calls.add(call(method, arguments));
            if ("onSessionMessage".equals(method.getName()) && null != arguments[0])
            {
                handler.accept((FakeSession)arguments[0]);
            }
            return int.class == method.getReturnType() ? RESULT : null;
        }));

    @BeforeEach
    void start()
    {
        session.responseStreamId = EchoMessage.FIRST_MARKED_STREAM_ID;
        request.setMemory(OFFSET, REQUEST_LENGTH, (byte)9);
        marking.onStart(cluster, null);
        calls.clear();
    }

    private static String call(final Method method, final Object[] arguments)
    {
        return method.getName() + Stream.of(arguments).map(String::valueOf).toList();
    }

    @Test
    void shouldPassEveryCallOn() throws ReflectiveOperationException
    {
        final List<String> expected = new ArrayList<>();
        for (final Method method : ClusteredService.class.getMethods())
        {
            final Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++)
            {
                final Class<?> type = method.getParameterTypes()[i];
                arguments[i] = long.class == type ? (Object)(100L + i) : int.class == type ? (Object)(200 + i) : null;
            }
            final Object result = method.invoke(marking, arguments);
            assertThat(result).as("%s", method).isEqualTo(int.class == method.getReturnType() ? RESULT : null);
            expected.add(call(method, arguments));
        }

        assertThat(calls).isEqualTo(expected).hasSizeGreaterThan(9);
    }

    @Test
    void shouldSendTheTimesOfARequestAndItsCheckBehindWhatTheServiceSends()
    {
        cluster.logPosition = 640;
        final StageWatch.StageClock clock = watch.clusterClock();
        final long timestamp = clock.time();
        handle(timestamp);

        assertThat(results).containsExactly(1L);
        assertThat(session.received).hasSize(2);
        assertThat(session.received.get(0)).isEqualTo(reply);
        final UnsafeBuffer mark = session.received.get(1);
        assertThat(mark.capacity()).isEqualTo(TIMES_LENGTH + Integer.BYTES);
        assertThat(mark.getInt(TIMES_LENGTH, LITTLE_ENDIAN))
            .isEqualTo(new PayloadCheck().compute(request, OFFSET, REQUEST_LENGTH));
        final StageTimesDecoder stages = new StageTimesDecoder().wrapAndApplyHeader(mark, 0, new MessageHeaderDecoder());
        assertThat(stages.taken()).isEqualTo(clock.nanoTime(timestamp));
        assertThat(stages.served()).isBetween(stages.taken(), System.nanoTime());
        // The log was not sampled.
        assertThat(stages.logged()).isEqualTo(StageTimesDecoder.loggedNullValue());
        assertThat(stages.committed()).isEqualTo(StageTimesDecoder.committedNullValue());
    }

    @Test
    void shouldLeaveToTheServiceHowItAnswers()
    {
        final BufferClaim claim = new BufferClaim();
        handler = (asking) ->
        {
            results.add(asking.offer(new DirectBufferVector[]{ null, new DirectBufferVector(reply, 0, REPLY_LENGTH) }));
            results.add(asking.tryClaim(REPLY_LENGTH, claim));
        };
        handle(1);
        // One that answers later, or not at all.
        handler = (asking) -> { };
        handle(2);

        assertThat(results).containsExactly(1L, 1L);
        assertThat(claim.length()).isEqualTo(REPLY_LENGTH);
        assertThat(session.received).extracting(UnsafeBuffer::capacity)
            .containsExactly(REPLY_LENGTH, TIMES_LENGTH + Integer.BYTES, TIMES_LENGTH + Integer.BYTES);
    }

    @ParameterizedTest
    @CsvSource({ "0, 0, 0", "1, 0, 1", "2, 0, 2", "2, 2, 2", "2, 3, 1" })
    void shouldDropAMarkThatTheEgressDoesNotTake(final int credit, final int adminActions, final int receivedCount)
    {
        session.credit = credit;
        handler = (asking) ->
        {
            results.add(asking.offer(reply, 0, REPLY_LENGTH));
            asking.adminActions = adminActions;
        };
        handle(1);

        assertThat(results).containsExactly(0 == credit ? Publication.BACK_PRESSURED : 1L);
        assertThat(session.received).hasSize(receivedCount);
    }

    @Test
    void shouldPassOnWhatTheServiceThrowsWithoutAMark()
    {
        handler = (asking) ->
        {
            throw new IllegalStateException("no price");
        };

        assertThatThrownBy(() -> handle(1)).isInstanceOf(IllegalStateException.class).hasMessage("no price");
        assertThat(session.received).isEmpty();
    }

    @Test
    void shouldMarkNothingForASessionThatDoesNotAskNorOnAFollowerNorForAnotherService()
    {
        handler = (asking) -> { };
        session.responseStreamId = EchoMessage.FIRST_MARKED_STREAM_ID - 1;
        handle(1);
        session.responseStreamId = EchoMessage.FIRST_MARKED_STREAM_ID;
        cluster.role = Cluster.Role.FOLLOWER;
        handle(2);
        cluster.role = Cluster.Role.LEADER;
        marking.onSessionMessage(null, 3, request, OFFSET, REQUEST_LENGTH, Member.HEADER);

        assertThat(session.offerCount).isZero();
        assertThat(calls).hasSize(3);
    }

    private void handle(final long timestamp)
    {
        marking.onSessionMessage(session, timestamp, request, OFFSET, REQUEST_LENGTH, Member.HEADER);
    }
}
