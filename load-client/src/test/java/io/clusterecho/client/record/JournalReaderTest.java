package io.clusterecho.client.record;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that no {@link Journal} would write. */
class JournalReaderTest
{
    private static final long CLIENT_ID = 77;

    @TempDir
    private Path folder;
    private final ByteBuffer bytes = ByteBuffer.allocate(4096).order(LITTLE_ENDIAN);
    private final List<String> read = new ArrayList<>();

    @Test
    void shouldReadTheLeastAndTheMostOfARun() throws IOException
    {
        begin();
        record(Journal.SENT, 0, 0, 1);
        record(Journal.SENT, 0, Long.MAX_VALUE - (1 << 24), 1 << 24);
        record(Journal.REPLY, 0, 0, -9);

        assertThat(read().isClosed()).isFalse();
        assertThat(read).containsExactly("77 sent 1 from 0", "77 sent 16777216 from 9223372036837998591", "77 got 0 at -9");
    }

    @Test
    void shouldRefuseMessagesOfAClientThatWasNotDeclared()
    {
        begin();
        record(Journal.SENT, 1, 0, 1);
        assertDamaged();

        begin();
        record(Journal.REPLY, 1, 0, 0);
        assertDamaged();
    }

    @Test
    void shouldRefuseRunsThatCannotBe()
    {
        for (final long[] run : new long[][]{ { -1, 1 }, { 0, 0 }, { 0, -1 }, { 0, (1 << 24) + 1 }, { Long.MAX_VALUE, 1 } })
        {
            begin();
            record(Journal.SENT, 0, run[0], run[1]);
            assertDamaged();
        }
        begin();
        record(Journal.REPLY, 0, -1, 0);
        assertDamaged();
    }

    private void begin()
    {
        bytes.clear().putLong(Journal.MAGIC).putInt(Journal.VERSION).putInt(Journal.RECORD_LENGTH)
            .putLong(1).putLong(0);
        record(Journal.CLIENT, 0, CLIENT_ID, 0);
    }

    private void record(final byte type, final int clientIndex, final long first, final long second)
    {
        bytes.put(type).put((byte)0).putShort((short)clientIndex).putInt(0).putLong(first).putLong(second);
    }

    private void assertDamaged()
    {
        final int offset = bytes.position() - Journal.RECORD_LENGTH;
        assertThatThrownBy(this::read).isInstanceOf(InvalidSettingException.class)
            .hasMessageEndingWith("it is damaged at byte " + offset);
        assertThat(read).isEmpty();
    }

    private JournalReader.Summary read() throws IOException
    {
        final Path file = folder.resolve("journal");
        Files.write(file, Arrays.copyOf(bytes.array(), bytes.position()));
        return JournalReader.read(file, new JournalReader.Handler()
        {
            @Override
            public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
            {
                read.add(clientId + " sent " + count + " from " + firstSequence);
            }

            @Override
            public void onReply(
                final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
            {
                read.add(clientId + " got " + sequence + " at " + receiveTimeNs);
            }
        });
    }
}
