package io.clusterecho.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstRepliesTest
{
    private static final long FIRST_CLIENT = 100;
    private static final int STRIDE = 3;
    private static final int COUNT = 8;

    @TempDir
    private Path folder;
    private final List<String> replies = new ArrayList<>();

    @Test
    void shouldReadTheFirstReplyToEachMessageByItsPlaceInTheSchedule()
    {
        read(journal(new long[][]{
            { 100, 0, 10 }, { 102, 1, 11 }, { 101, 0, 12 }, { 100, 0, 13 }, { 101, 2, 14 }, { 102, 1, 15 } }));

        assertThat(replies).containsExactly("0 at 10", "5 at 11", "1 at 12", "7 at 14");
    }

    @Test
    void shouldLeaveOutWhatIsNotOfTheSchedule()
    {
        read(journal(new long[][]{ { 99, 0, 10 }, { 102, 2, 11 }, { 0, 33, 12 } }));

        assertThat(replies).isEmpty();
    }

    @Test
    void shouldRefuseAJournalWithoutItsClosingRecord() throws IOException
    {
        final Path file = journal(new long[][]{ { 100, 0, 10 } });
        final byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - Journal.RECORD_LENGTH));

        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessage("journal " + file + ": it is incomplete: it has no closing record");
    }

    @Test
    void shouldRefuseAJournalThatDroppedRecords() throws IOException
    {
        final Path file = journal(new long[][]{ { 100, 0, 10 }, { 101, 0, 11 } });
        final byte[] bytes = Files.readAllBytes(file);
        // The second reply, which precedes the closing record.
        final int offset = bytes.length - 2 * Journal.RECORD_LENGTH;
        Arrays.fill(bytes, offset, offset + Journal.RECORD_LENGTH, (byte)0);
        bytes[offset] = Journal.DROPPED;
        bytes[offset + 16] = 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessage("journal " + file + ": it is incomplete: 1 records were dropped");
    }

    private Path journal(final long[][] replied)
    {
        final Path file = folder.resolve("journal");
        try (Journal journal = new Journal(file, 0))
        {
            for (final long[] reply : replied)
            {
                journal.onReply(reply[0], reply[1], 0, 2, reply[2]);
            }
        }
        return file;
    }

    private void read(final Path file)
    {
        JournalReader.readFirstReplies(
            file, STRIDE, FIRST_CLIENT, COUNT, (index, timeNs) -> replies.add(index + " at " + timeNs));
    }
}
