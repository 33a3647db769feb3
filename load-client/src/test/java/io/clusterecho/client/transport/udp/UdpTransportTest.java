package io.clusterecho.client.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.SendResult;

import org.agrona.DirectBuffer;
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
        try (EchoProcess echo = EchoProcess.start(Idle.sleep);
            UdpTransport transport = new UdpTransport(echo.port(), UdpTransport.MAX_LENGTH))
        {
            pid = echo.pid();
            transport.connect(1);
            assertThat(transport.isConnected()).isTrue();
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
        try (EchoProcess echo = EchoProcess.start(Idle.sleep))
        {
            port = echo.port();
        }
        try (UdpTransport transport = new UdpTransport(port, 32))
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
