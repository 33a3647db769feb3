package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupLagTest
{
    private static final String INTERVALS = """
        begin_s,end_s,phase
        0.000,1.000,warm-up
        1.000,2.000,measure
        2.000,3.000,measure
        3.000,4.000,measure
        4.000,5.000,drain
        """;
    private static final String HEADER =
        "begin_s,end_s,process,pid,cpu_ms,backup_lag_bytes,backup_lag_max_bytes,backup_lag_ms,backup_lag_max_ms\n";

    @TempDir
    private Path folder;

    @Test
    void shouldSumUpTheMeasuredWindowAlone() throws IOException
    {
        write(
            "0.000,1.000,backup,7,500,9000,9000,900.000,900.000", "1.000,2.000,member-0,1,100,,,,",
            "1.000,2.000,backup,7,100,300,700,2.000,4.000", "2.000,3.000,backup,7,200,100,400,1.000,30.000",
            "3.000,4.000,backup,,,5000,5000,1000.000,1000.000", "4.000,5.000,backup,,,8000,8000,2000.000,2000.000");

        final BackupLag lag = BackupLag.of(new IntervalTable(folder));
        assertThat(lag).isEqualTo(
            new BackupLag(3, 1, 300, 5_000, 5_000, 2_000_000, 1_000_000_000, 1_000_000_000, 0.15));
        assertThat(lag.text()).containsExactly(
            "backup     behind by 300 B (2.00 ms) in the median, at most 5,000 B (1.00 s), at the end 5,000 B; " +
            "0.15 cores; down in 1 of 3 intervals");
    }

    @Test
    void shouldLeaveOutIntervalsInWhichNothingIsKnown() throws IOException
    {
        write("0.000,1.000,backup,7,,,,,", "1.000,2.000,backup,7,,,,,", "2.000,3.000,backup,7,,0,352,0.000,1.000");

        assertThat(BackupLag.of(new IntervalTable(folder))).isEqualTo(new BackupLag(1, 0, 0, 352, 0, 0, 1_000_000, 0, null));
    }

    @Test
    void shouldBeEmptyWithoutABackup() throws IOException
    {
        assertThat(BackupLag.of(new IntervalTable(folder))).isNull();
        write("1.000,2.000,member-0,1,100,,,,");
        assertThat(BackupLag.of(new IntervalTable(folder))).isNull();
        write("1.000,2.000,backup,7,100,,,,");
        assertThat(BackupLag.of(new IntervalTable(folder))).isNull();
    }

    private void write(final String... rows) throws IOException
    {
        Files.writeString(folder.resolve(FileNames.INTERVALS), INTERVALS);
        Files.writeString(folder.resolve(FileNames.COUNTERS), HEADER + String.join("\n", rows) + "\n");
    }
}
