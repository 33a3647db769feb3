package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import io.clusterecho.client.record.Journal;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIndexTest
{
    private static final int LENGTH = 24;
    private static final int SESSIONS = 3;
    private static final long FIRST_CLIENT = 40;
    /** The generator polynomials of both checksums, highest power first. */
    private static final long CRC32 = 0x1_04C1_1DB7L;
    private static final long CRC32C = 0x1_1EDC_6F41L;

    @TempDir
    private Path folder;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[2 * LENGTH]);
    private final RequestIndex index = new RequestIndex(new Numbers(), SESSIONS);

    @Test
    void shouldFindARequestAnywhereInABuffer()
    {
        add(0, 1, 700);
        new Numbers().encode(1 + 700 * SESSIONS, message, 5);
        final long number = index.find(message, 5, LENGTH);
        assertThat(number).isEqualTo(1 + 700 * SESSIONS);
        assertThat(index.clientId(number)).isEqualTo(FIRST_CLIENT + 1);
        assertThat(index.sequence(number)).isEqualTo(700);
        assertThat(index.find(message, 5, LENGTH - 1)).as("a part").isEqualTo(RequestIndex.NONE);
        new Numbers().encode(2 + 700 * SESSIONS, message, 5);
        assertThat(index.find(message, 5, LENGTH)).as("not sent").isEqualTo(RequestIndex.NONE);
    }

    /** A message to which the polynomial of a checksum is added has the same checksum. */
    @ParameterizedTest
    @ValueSource(longs = { CRC32, CRC32C })
    void shouldNotTakeAMessageThatHasOneOfTwoChecksumsForARequest(final long polynomial)
    {
        add(0, 1, 700);
        new Numbers().encode(1, message, 0);
        final long before = checksum(polynomial);
        for (int i = 0; i <= 32; i++)
        {
            if (0 != (polynomial >> 32 - i & 1))
            {
                message.putByte(10 + i / 8, (byte)(message.getByte(10 + i / 8) ^ 1 << i % 8));
            }
        }
        assertThat(checksum(polynomial)).isEqualTo(before);
        assertThat(index.find(message, 0, LENGTH)).isEqualTo(RequestIndex.NONE);
    }

    @Test
    void shouldAllowAsManyRequestsAsHalfTheHeapHasRoomFor()
    {
        final long half = Runtime.getRuntime().maxMemory() / 2;
        assertThatCode(() -> RequestIndex.checkMemory(half / 64)).doesNotThrowAnyException();
        assertThatThrownBy(() -> RequestIndex.checkMemory(half / 64 + 1)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("half of it has " + half);
    }

    @ParameterizedTest
    @ValueSource(ints = { -1, SESSIONS })
    void shouldRejectAClientOfAnotherRun(final int session)
    {
        assertThatThrownBy(() -> add(session, 0, 1)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("not of one run of 3 sessions");
    }

    /** Index the first request of one session, and one of the next. */
    private void add(final int session, final int other, final long sequence)
    {
        final Path file = folder.resolve("journal");
        try (Journal journal = new Journal(file, FIRST_CLIENT))
        {
            journal.onSent(FIRST_CLIENT + session, 0, 1);
            journal.onSent(FIRST_CLIENT + other, 0, 2);
            journal.onSent(FIRST_CLIENT + other, sequence, 2);
        }
        AuditedClients.read(List.of(file), index, new AuditFindings());
    }

    private long checksum(final long polynomial)
    {
        final Checksum checksum = CRC32 == polynomial ? new CRC32() : new CRC32C();
        checksum.update(message.byteArray(), 0, LENGTH);
        return checksum.getValue();
    }

    /** Requests that begin with their number. */
    private static final class Numbers implements MessageCodec
    {
        @Override
        public void init(final long seed, final Map<String, String> settings)
        {
        }

        @Override
        public int maxRequestLength()
        {
            return LENGTH;
        }

        @Override
        public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            buffer.setMemory(offset, LENGTH, (byte)7);
            buffer.putLong(offset, request);
            return LENGTH;
        }

        @Override
        public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
        {
        }
    }
}
