package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetersTest
{
    private static final long TIME_NS = 100_000_000L;

    @TempDir
    private Path folder;

    @Test
    void shouldTimeSyncsAndLeaveNoFile()
    {
        final SyncTimes times = SyncTimes.measure(DiskPlace.of("--dir", folder), TIME_NS, () -> false);
        assertThat(times.data().getTotalCount()).isPositive();
        assertThat(times.all().getTotalCount()).isPositive();
        assertThat(times.data().getMinValue()).isPositive();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldEndWhenAskedWithWhatItHas()
    {
        assertThat(SyncTimes.measure(DiskPlace.of("--dir", folder), Long.MAX_VALUE / 2, () -> true).data().getTotalCount())
            .isPositive();
        assertThat(SleepTimes.measure(Long.MAX_VALUE / 2, () -> true).shortest().getTotalCount()).isZero();
        assertThat(CopySpeed.measure(64, Long.MAX_VALUE / 2, () -> true).largeBytesPerSecond()).isPositive();
    }

    @Test
    void shouldRefuseAFolderThatCannotBeWritten()
    {
        assertThatThrownBy(() -> SyncTimes.measure(new DiskPlace(folder.resolve("gone").toString(), "", ""), 1, () -> false))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--dir=" + folder.resolve("gone"));
    }

    @Test
    void shouldMeasureTheDiskOfTheNearestFolderThatIsThere() throws IOException
    {
        final DiskPlace place = DiskPlace.of("--dir", folder.resolve("not/there/yet"));
        assertThat(place.folder()).isEqualTo(folder.toAbsolutePath().normalize().toString());
        assertThat(place.isSameDisk(DiskPlace.of("--dir", folder))).isTrue();
        assertThat(place.store()).isEqualTo(Files.getFileStore(folder).name());
    }

    @Test
    void shouldTimeSleeps()
    {
        final SleepTimes times = SleepTimes.measure(TIME_NS, () -> false);
        assertThat(times.overshoot().getTotalCount()).isPositive();
        assertThat(times.shortest().getTotalCount()).isPositive();
    }

    @Test
    void shouldNotCountCopiesThatWereNotMade()
    {
        final CopySpeed speed = CopySpeed.measure(288, TIME_NS, () -> false);
        // No memory of this decade copies faster than 2 TB/s from one core.
        assertThat(speed.messageBytesPerSecond()).isBetween(1_000_000L, 2_000_000_000_000L);
        assertThat(speed.largeBytesPerSecond()).isBetween(1_000_000L, 2_000_000_000_000L);
    }
}
