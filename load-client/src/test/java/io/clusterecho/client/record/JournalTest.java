package io.clusterecho.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

import com.sun.management.ThreadMXBean;

import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest implements JournalReader.Handler
{
    private static final int HEADER_LENGTH = 32;
    private static final int RECORD_LENGTH = 24;

    @TempDir
    private Path folder;
    private Path file;
    private final List<String> read = new ArrayList<>();
    private long sentCount;
    private long replyCount;

    @BeforeEach
    void nameFile()
    {
        file = folder.resolve("journal");
    }

    @Test
    void shouldGiveBackWhatItWasGiven()
    {
        try (Journal journal = new Journal(file, 0))
        {
            journal.onSent(7, 0, 0);
            journal.onSent(7, 1, 0);
            journal.onSent(-9, 0, 0);
            journal.onSent(7, 2, 0);
            journal.onSent(7, 1, 0);
            journal.onReply(-9, 0, 0xFFFF_FFFE, 2, 123_456_789_012L);
            journal.onReply(7, 1, 5, 4, -1);
        }

        final JournalReader.Summary summary = JournalReader.read(file, this);

        assertThat(read).containsExactlyInAnyOrder(
            "sent 7 from 0: 3", "sent 7 from 1: 1", "sent -9 from 0: 1",
            "reply -9 0 check=-2 template=2 at 123456789012", "reply 7 1 check=5 template=4 at -1");
        assertThat(summary.isClosed()).isTrue();
        assertThat(summary.droppedCount()).isZero();
    }

    @Test
    void shouldKeepFirstClientSessionsAndTimes()
    {
        final long beforeMs = System.currentTimeMillis();
        try (Journal journal = new Journal(file, 6))
        {
            journal.onSent(7, 0, 41);
            journal.onSent(7, 1, 41);
            journal.onSent(7, 2, 0x1_0000_002AL);
        }

        final JournalReader.Summary summary = JournalReader.read(file, this);

        assertThat(read).containsExactly("sent 7 from 0: 2 in 41", "sent 7 from 2: 1 in 42");
        assertThat(summary.firstClientId()).isEqualTo(6);
        assertThat(summary.startMs()).isBetween(beforeMs, summary.endMs());
        assertThat(summary.endMs()).isLessThanOrEqualTo(System.currentTimeMillis());
    }

    @Test
    void shouldTakeAboutOneRecordForAMessageThatIsSentAndAnsweredOnce() throws IOException
    {
        final int count = 10_000;
        try (Journal journal = new Journal(file, 0))
        {
            for (int i = 0; i < count; i++)
            {
                journal.onSent(1, i, 0);
                journal.onReply(1, i, i, 2, i);
            }
        }

        JournalReader.read(file, this);

        assertThat(sentCount).isEqualTo(count);
        assertThat(replyCount).isEqualTo(count);
        assertThat(Files.size(file)).isBetween((long)count * RECORD_LENGTH, (long)count * 32);
    }

    @Test
    void shouldBeReadableUpToWhereItsClientWasKilled() throws IOException
    {
        try (Journal journal = new Journal(file, 0))
        {
            journal.onReply(1, 0, 0, 2, 0);
            journal.onReply(1, 1, 0, 2, 0);
        }
        final byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, HEADER_LENGTH + 2 * RECORD_LENGTH + 11));

        final JournalReader.Summary summary = JournalReader.read(file, this);

        assertThat(read).containsExactly("reply 1 0 check=0 template=2 at 0");
        assertThat(summary.isClosed()).isFalse();
    }

    @Test
    void shouldCountWhatItHasNoRoomFor()
    {
        long offeredCount = 0;
        final long droppedCount;
        try (Journal journal = new Journal(file, 0, 1024, Disk.FILE_SYSTEM))
        {
            while (0 == journal.droppedCount())
            {
                journal.onReply(1, offeredCount++, 0, 2, 0);
            }
            droppedCount = journal.droppedCount();
        }

        final JournalReader.Summary summary = JournalReader.read(file, this);

        assertThat(summary.droppedCount()).isEqualTo(droppedCount).isPositive();
        assertThat(replyCount + droppedCount).isEqualTo(offeredCount);
    }

    @Test
    void shouldWriteWhatLiesBehindThePaddingAtTheEndOfTheRing() throws InterruptedException
    {
        // A reply takes 40 of the 1,024 bytes: 25 leave 24 bytes, which the 26th turns into padding.
        final SlowDisk disk = new SlowDisk(HEADER_LENGTH + RECORD_LENGTH + 25 * RECORD_LENGTH);
        final Journal journal = new Journal(file, 0, 1024, disk);
        for (int i = 0; i < 25; i++)
        {
            journal.onReply(1, i, 0, 2, 0);
        }
        disk.hasReached.await();
        for (int i = 25; i < 49; i++)
        {
            journal.onReply(1, i, 0, 2, 0);
        }
        final Thread closer = new Thread(journal::close);
        closer.start();
        while (Thread.State.WAITING != closer.getState() && Thread.State.TIMED_WAITING != closer.getState())
        {
            Thread.onSpinWait();
        }
        disk.mayGoOn.countDown();
        closer.join();

        assertThat(journal.droppedCount()).isZero();
        JournalReader.read(file, this);
        assertThat(replyCount).isEqualTo(49);
    }

    @Test
    void shouldReportRecordsThatFoundNoRoomInTheRing()
    {
        final Journal journal = new Journal(file, 0, 1024, Disk.FILE_SYSTEM);
        try (journal)
        {
            assertThat(journal.problems()).isEmpty();
            for (int i = 0; 0 == journal.droppedCount(); i++)
            {
                journal.onReply(1, i, 0, 2, 0);
            }
            assertThat(journal.problems()).hasSize(1);
        }

        assertThat(journal.problems()).containsExactly(
            String.format(Locale.ROOT, "journal is incomplete: %,d records were dropped", journal.droppedCount()));
    }

    @Test
    void shouldKeepTheRunAndItsFirstRecordsWhenTheDiskIsFull() throws IOException
    {
        final int count = 30_000;
        // One record declares the client, and a part of another one is left over.
        final long roomBytes = HEADER_LENGTH + RECORD_LENGTH + 20_000 * RECORD_LENGTH + 7;
        final Journal journal = new Journal(file, 0, Journal.DEFAULT_RING_LENGTH, new FullDisk(roomBytes));
        try (journal)
        {
            for (int i = 0; i < count; i++)
            {
                journal.onReply(1, i, 0, 2, 0);
            }
        }

        assertThat(journal.droppedCount()).isZero();
        assertThat(journal.problems())
            .containsExactly("journal is incomplete from record 20,002 on: No space left on device");
        assertThat(Files.size(file)).isEqualTo(roomBytes - 7);
        final JournalReader.Summary summary = JournalReader.read(file, this);
        assertThat(replyCount).isEqualTo(20_000);
        assertThat(summary.isClosed()).isFalse();
    }

    @Test
    void shouldReportADeviceThatFailsOnlyWhenTheJournalIsClosed()
    {
        final FullDisk disk = new FullDisk(1_000_000);
        final Journal journal = new Journal(file, 0, 1024, disk);
        disk.breakDown();
        journal.close();

        assertThat(journal.problems()).containsExactly("journal may be incomplete: Input/output error when closing it");
    }

    @Test
    void shouldBeWrittenToItsEndWhenTheThreadThatClosesItIsInterrupted()
    {
        final Journal journal = new Journal(file, 0);
        for (int i = 0; i < 10_000; i++)
        {
            journal.onReply(1, i, 0, 2, 0);
        }
        Thread.currentThread().interrupt();
        try
        {
            journal.close();
        }
        finally
        {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(journal.problems()).isEmpty();
        assertThat(JournalReader.read(file, this).isClosed()).isTrue();
        assertThat(replyCount).isEqualTo(10_000);
    }

    @Test
    void shouldReportMoreClientsThanItCanTake()
    {
        final int maxCount = 1 << 16;
        final Journal journal = new Journal(file, 0);
        try (journal)
        {
            for (int i = 0; i <= maxCount; i++)
            {
                journal.onReply(i, 0, 0, 2, 0);
            }
        }

        assertThat(journal.problems()).singleElement().asString()
            .startsWith("journal is incomplete: ").endsWith("more than 65536 clients in one journal");
        assertThat(JournalReader.read(file, this).isClosed()).isFalse();
    }

    @Test
    void shouldRefuseAFileThatExistsOrCannotBeMade() throws IOException
    {
        Files.createFile(file);

        assertThatThrownBy(() -> new Journal(file, 0)).isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> new Journal(folder.resolve("full"), 0, 1024, new FullDisk(HEADER_LENGTH - 1)))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining(folder.resolve("full").toString());
        assertThatThrownBy(() -> new Journal(folder.resolve("none").resolve("journal"), 0))
            .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void shouldRefuseADamagedFile() throws IOException
    {
        try (Journal journal = new Journal(file, 0))
        {
            journal.onReply(1, 0, 0, 2, 0);
        }
        final byte[] good = Files.readAllBytes(file);

        refuse(good, 0, "not a journal");
        refuse(good, 8, "version");
        refuse(good, HEADER_LENGTH, "damaged at byte 32");
        refuse(good, HEADER_LENGTH + 2, "damaged at byte 32");
        refuse(good, HEADER_LENGTH + RECORD_LENGTH + 2, "damaged at byte 56");
        Files.write(file, Arrays.copyOf(good, good.length + RECORD_LENGTH));
        assertThatThrownBy(() -> JournalReader.read(file, this))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("follows the closing record");
    }

    @Test
    void shouldNotAllocateForEachRecordOnItsOwnThread() throws IOException, InterruptedException
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Journal journal = new Journal(file, 0))
        {
            final long threadId = Thread.getAllStackTraces().keySet().stream()
                .filter((thread) -> "journal-writer".equals(thread.getName())).mapToLong(Thread::getId).max().orElseThrow();
            addReplies(journal, 100_000);
            final long before = threads.getThreadAllocatedBytes(threadId);
            addReplies(journal, 200_000);
            final long allocated = threads.getThreadAllocatedBytes(threadId) - before;

            assertThat(allocated).isLessThan(200_000);
        }
    }

    /** Until so many were written in all. */
    private void addReplies(final Journal journal, final long count) throws IOException, InterruptedException
    {
        for (int i = 0; i < 100_000; i++)
        {
            journal.onReply(i & 1, i, 0, 2, 0);
        }
        while (Files.size(file) < HEADER_LENGTH + RECORD_LENGTH * count)
        {
            Thread.sleep(1);
        }
    }

    @Test
    void shouldNotAllocateOnTheSendingThread()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        try (Journal journal = new Journal(file, 0))
        {
            add(journal, 0, 50_000);
            final long before = threads.getThreadAllocatedBytes(threadId);
            add(journal, 50_000, 100_000);
            final long allocated = threads.getThreadAllocatedBytes(threadId) - before;

            assertThat(allocated).isLessThan(1024);
        }
    }

    @Override
    public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
    {
        sentCount += count;
        read.add("sent " + clientId + " from " + firstSequence + ": " + count + (0 == sessionId ? "" : " in " + sessionId));
    }

    @Override
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        replyCount++;
        read.add(
            "reply " + clientId + " " + sequence + " check=" + check + " template=" + templateId + " at " + receiveTimeNs);
    }

    private static void add(final Journal journal, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            journal.onSent(1, i, 0);
            journal.onReply(1, i, i, 2, i);
        }
    }

    private void refuse(final byte[] good, final int offset, final String reason) throws IOException
    {
        final byte[] bytes = good.clone();
        bytes[offset] ^= 0x40;
        Files.write(file, bytes);
        assertThatThrownBy(() -> JournalReader.read(file, this))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(reason);
    }

    /** A disk on which the write that reaches a given length blocks until it is released. */
    private static final class SlowDisk implements Disk
    {
        private final long length;
        private final CountDownLatch hasReached = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        private SlowDisk(final long length)
        {
            this.length = length;
        }

        @Override
        public DiskFile open(final Path path) throws IOException
        {
            return new DiskFile(path)
            {
                @Override
                public void append(final byte[] bytes, final int count) throws IOException
                {
                    super.append(bytes, count);
                    if (length() >= SlowDisk.this.length)
                    {
                        hasReached.countDown();
                        SlowDisk.this.await();
                    }
                }
            };
        }

        private void await() throws IOException
        {
            try
            {
                mayGoOn.await();
            }
            catch (final InterruptedException ex)
            {
                throw new IOException(ex);
            }
        }
    }
}
