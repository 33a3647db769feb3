package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EchoProbeTest
{
    @TempDir
    private Path sharedMemory;

    @Test
    void shouldRemoveTheDriversOfDeadProbesAlone() throws IOException, InterruptedException
    {
        final Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        final Path left = Files.createDirectory(sharedMemory.resolve("cluster-echo-probe-" + dead.pid() + "-123"));
        Files.createFile(left.resolve("cnc.dat"));
        final Path own = Files.createDirectory(
            sharedMemory.resolve("cluster-echo-probe-" + ProcessHandle.current().pid() + "-123"));
        final Path member = Files.createDirectory(sharedMemory.resolve("cluster-echo-probe-" + dead.pid()));

        EchoProbe.removeLeftovers(sharedMemory);

        assertThat(left).doesNotExist();
        assertThat(own).exists();
        assertThat(member).as("a folder with another name").exists();
        EchoProbe.removeLeftovers(sharedMemory.resolve("none"));
    }
}
