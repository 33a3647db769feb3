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
}
