package io.clusterecho.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftDriversTest
{
    @TempDir
    private Path root;

    @Test
    void shouldNameTheFoldersOfDeadDriversAndOfNoOthers()
    {
        final RecordedHost host = new RecordedHost(root).put("dev/shm/someone-elses/file", "");
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(root.resolve("dev/shm/cluster-echo-living-0").toString())
            .threadingMode(ThreadingMode.INVOKER);
        try (MediaDriver driver = MediaDriver.launch(ctx))
        {
            assertThat(driver.aeronDirectoryName()).isNotEmpty();
            assertThat(checks(host).driverFolders().found()).isEqualTo("none dead, 1 in use");
            host.put("dev/shm/cluster-echo-12345678-0/cnc.dat", "cut off");
            final Check check = checks(host).driverFolders();
            assertThat(check.level()).isEqualTo(Check.Level.WARN);
            assertThat(check.fix()).isEqualTo("rm -r /dev/shm/cluster-echo-12345678-0");
        }
    }

    @Test
    void shouldNotLetANameBecomeACommand()
    {
        final RecordedHost host = new RecordedHost(root).put("dev/shm/cluster-echo-; id'x/file", "");
        assertThat(checks(host).driverFolders().fix()).isEqualTo("rm -r '/dev/shm/cluster-echo-; id'\\''x'");
    }

    private static StorageChecks checks(final RecordedHost host)
    {
        return new StorageChecks(host.plan("compact", 1), host.files(), StorageChecks::space);
    }
}
