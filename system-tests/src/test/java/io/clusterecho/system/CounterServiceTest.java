package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/** The service that users copy, by itself. */
class CounterServiceTest
{
    private static final Path SOURCE = Path.of("../examples/counter/CounterService.java");

    @TempDir
    private Path classes;

    @Test
    void shouldFailOnASnapshotThatNobodyTakes() throws Exception
    {
        assertThat(ToolProvider.getSystemJavaCompiler().run(
            null, null, null, "-d", classes.toString(), "-cp", System.getProperty("java.class.path"), SOURCE.toString()))
            .isZero();
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            URLClassLoader loader = new URLClassLoader(new URL[]{ classes.toUri().toURL() }))
        {
            final ClusteredService service = (ClusteredService)loader.loadClass("com.example.counter.CounterService")
                .getConstructor().newInstance();
            final ExclusivePublication publication = aeron.addExclusivePublication("aeron:ipc", 1);
            publication.close();
            assertThatThrownBy(() -> service.onTakeSnapshot(publication))
                .isInstanceOf(ClusterException.class).hasMessageContaining("CLOSED");
        }
    }
}
