package io.clusterecho.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.evidence.SmallMount;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ResultFolder;

import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A file system that is really full: a small one in memory. Mounting it needs root. */
class SmallMountTest implements JournalReader.Handler
{
    private static final int INTERVAL_COUNT = 300;
    private static final int REPLIES_PER_INTERVAL = 10;

    @RegisterExtension
    private final SmallMount small = new SmallMount("96k");
    private long replyCount;

    @Test
    void shouldEndInOrderOnAFullFileSystem() throws IOException
    {
        final Path mount = small.path();
        final ResultFolder folder = ResultFolder.at(mount);
        folder.write("manifest.json", "old");
        final Path journalFile = mount.resolve("journal.bin");
        final Journal journal = new Journal(journalFile, 0);
        final IntervalFiles files = new IntervalFiles(folder, 0);
        try (journal; files)
        {
            for (int i = 0; i < INTERVAL_COUNT; i++)
            {
                files.onInterval(SampleInterval.of(i));
                for (int j = 0; j < REPLIES_PER_INTERVAL; j++)
                {
                    journal.onReply(1, i * (long)REPLIES_PER_INTERVAL + j, 0, 2, 0);
                }
            }
        }

        assertThat(files.problems()).hasSize(7).filteredOn((problem) -> problem.endsWith(": No space left on device"))
            .hasSize(1);
        final int rowCount = CsvTable.read(mount.resolve("intervals.csv")).rowCount();
        assertThat(rowCount).isPositive().isLessThan(INTERVAL_COUNT);
        for (final String name : List.of(
            "response-time.hlog", "service-time.hlog", "send-delay.hlog", "receive-lateness.hlog", "client-part.hlog",
            "stall.hlog"))
        {
            try (HistogramLogReader reader = new HistogramLogReader(mount.resolve(name).toFile()))
            {
                for (int i = 0; i < rowCount; i++)
                {
                    assertThat(reader.nextIntervalHistogram()).as(name).isNotNull();
                }
                assertThat(reader.nextIntervalHistogram()).as(name).isNull();
            }
        }

        assertThat(journal.problems()).singleElement().asString()
            .matches("journal\\.bin is incomplete from record [0-9,]+ on: No space left on device");
        assertThat(JournalReader.read(journalFile, this).isClosed()).isFalse();
        assertThat(replyCount).isLessThan((long)INTERVAL_COUNT * REPLIES_PER_INTERVAL);

        assertThatThrownBy(() -> folder.write("manifest.json", "x".repeat(100_000)))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining("manifest.json")
            .hasMessageEndingWith("No space left on device");
        assertThat(mount.resolve("manifest.json")).hasContent("old");
        assertThat(mount.resolve("manifest.json.new")).doesNotExist();
    }

    @Override
    public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
    {
        throw new AssertionError("nothing was sent");
    }

    @Override
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        assertThat(sequence).isEqualTo(replyCount++);
    }
}
