package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.control.member.Deadline;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class QueuedTransportTest
{
    private static final int LENGTH = 64;
    private static final int LIMIT = 3;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final ScriptedDialer dialer = new ScriptedDialer();
    private final QueuedTransport transport = new QueuedTransport(dialer, "scripted:1", true, LIMIT, LENGTH);
    private int answeredCount;
    private int reconnectCount;
    private final ResponseHandler handler = new ResponseHandler()
    {
        @Override
        public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
        {
            answeredCount++;
        }

        @Override
        public void onReconnected()
        {
            reconnectCount++;
        }
    };

    @Test
    void shouldMeetBackPressureWhenTheBoundIsReachedUntilAReplyComes()
    {
        transport.connect(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < LIMIT; i++)
        {
            assertThat(send()).isEqualTo(SendResult.SENT);
        }
        assertThat(send()).isEqualTo(SendResult.BACK_PRESSURED);
        dialer.replies.put(ByteBuffer.allocate(LENGTH), 1);
        assertThat(send()).isEqualTo(SendResult.BACK_PRESSURED);
        assertThat(transport.poll(handler, 10)).isEqualTo(1);
        assertThat(answeredCount).isEqualTo(1);
        assertThat(send()).isEqualTo(SendResult.SENT);
        assertThat(send()).isEqualTo(SendResult.BACK_PRESSURED);
        assertThat(dialer.link.sentCount).isEqualTo(LIMIT + 1);
    }

    @Test
    void shouldNotCountMessagesWithoutRepliesAsInFlight()
    {
        transport.connect(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < 10 * LIMIT; i++)
        {
            assertThat(transport.trySendOneWay(message, 0, LENGTH)).isEqualTo(SendResult.SENT);
        }
        assertThat(send()).isEqualTo(SendResult.SENT);
    }

    @Test
    void shouldPollRepliesFromBeforeALossAndThenReconnect()
    {
        transport.connect(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < LIMIT; i++)
        {
            assertThat(send()).isEqualTo(SendResult.SENT);
        }
        dialer.replies.put(ByteBuffer.allocate(LENGTH), 1);
        dialer.failures.add(new IOException("not yet"));
        dialer.link.fail();

        assertThat(send()).isEqualTo(SendResult.DISCONNECTED);
        assertThat(transport.poll(handler, 10)).isEqualTo(1);
        assertThat(Deadline.in(TimeUnit.SECONDS.toNanos(10)).await(
            () ->
            {
                transport.poll(handler, 10);
                return 1 == reconnectCount;
            })).isTrue();

        assertThat(answeredCount).isEqualTo(1);
        assertThat(reconnectCount).isEqualTo(1);
        assertThat(dialer.failures).isEmpty();
        for (int i = 0; i < LIMIT; i++)
        {
            assertThat(send()).isEqualTo(SendResult.SENT);
        }
    }

    @Test
    void shouldReportAddressTimeoutAndCauseIfThereIsNoSession()
    {
        for (int i = 0; i < 1_000; i++)
        {
            dialer.failures.add(new IOException("refused"));
        }
        assertThatThrownBy(() -> transport.connect(TimeUnit.MILLISECONDS.toNanos(20)))
            .isInstanceOf(NotConnectedException.class)
            .hasMessageContaining("scripted:1").hasMessageContaining("20.0 ms").hasMessageContaining("refused");
    }

    private SendResult send()
    {
        return transport.trySend(message, 0, LENGTH);
    }

    private static final class ScriptedDialer implements Link.Dialer
    {
        private final Deque<IOException> failures = new ArrayDeque<>();
        private volatile ReplyQueue replies;
        private volatile ScriptedLink link;

        @Override
        public Link dial(final ReplyQueue queue, final long timeoutNs) throws IOException
        {
            final IOException failure = failures.poll();
            if (null != failure)
            {
                throw failure;
            }
            replies = queue;
            link = new ScriptedLink(queue);
            return link;
        }
    }

    private static final class ScriptedLink extends Link
    {
        private int sentCount;

        ScriptedLink(final ReplyQueue replies)
        {
            super(replies);
        }

        @Override
        protected SendResult send(final byte[] bytes)
        {
            sentCount++;
            return SendResult.SENT;
        }

        @Override
        protected void release()
        {
        }
    }
}
