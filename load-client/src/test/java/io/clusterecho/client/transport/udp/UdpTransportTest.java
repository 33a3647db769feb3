package io.clusterecho.client.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.SendResult;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UdpTransportTest
{
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(UdpTransport.MAX_LENGTH));
    private DirectBuffer reply;

    @Test
    @Timeout(60)
    void shouldGetBackWhatItSentAndLeaveNoProcess()
    {
        final long pid;
        try (UdpEcho echo = UdpEcho.start(Idle.sleep);
            UdpTransport transport = new UdpTransport(echo.port(), UdpTransport.MAX_LENGTH, SystemNanoClock.INSTANCE))
        {
            pid = echo.process().pid();
            transport.connect(1);
            for (final int length : new int[]{ 1, 32, 1344, 65_000, UdpTransport.MAX_LENGTH })
            {
                message.setMemory(0, length, (byte)length);
                assertThat(transport.trySend(message, 0, length)).isEqualTo(SendResult.SENT);
                assertThat(await(transport)).isEqualTo(new UnsafeBuffer(message, 0, length));
            }
        }
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    @Timeout(60)
    void shouldTellThatNobodyIsThere()
    {
        final int port;
        try (UdpEcho echo = UdpEcho.start(Idle.sleep))
        {
            port = echo.port();
        }
        try (UdpTransport transport = new UdpTransport(port, 32, SystemNanoClock.INSTANCE))
        {
            transport.connect(1);
            SendResult result = SendResult.SENT;
            while (SendResult.SENT == result)
            {
                result = transport.trySend(message, 0, 32);
            }
            assertThat(result).isEqualTo(SendResult.DISCONNECTED);
            assertThat(transport.poll((buffer, offset, length, timeNs) -> { }, 1)).isZero();
        }
    }

    @Test
    @Timeout(60)
    void shouldTakeTheTimeOfAReplyFromItsClock() throws IOException
    {
        final long[] nowNs = { Long.MAX_VALUE };
        try (DatagramChannel echo = UdpTransport.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            UdpTransport transport = new UdpTransport(echo.socket().getLocalPort(), 32, () -> nowNs[0]++))
        {
            transport.connect(1);
            for (int i = 0; i < 3; i++)
            {
                assertThat(transport.trySend(message, 0, 32)).isEqualTo(SendResult.SENT);
                sendBack(echo);
            }
            final List<Long> timesNs = new ArrayList<>();
            while (timesNs.size() < 3)
            {
                transport.poll((buffer, offset, length, timeNs) -> timesNs.add(timeNs), 3);
            }

            assertThat(timesNs).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1);
        }
    }

    private static void sendBack(final DatagramChannel echo) throws IOException
    {
        final ByteBuffer datagram = ByteBuffer.allocate(32);
        SocketAddress sender = null;
        while (null == sender)
        {
            sender = echo.receive(datagram);
        }
        echo.send(datagram.flip(), sender);
    }

    private DirectBuffer await(final UdpTransport transport)
    {
        reply = null;
        while (null == reply)
        {
            transport.poll(this::onResponse, 1);
        }

        return reply;
    }

    private void onResponse(final DirectBuffer buffer, final int offset, final int length, final long timeNs)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, offset, length);
        reply = copy;
    }
}
