package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

class HoldingsTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldNameTimeAndSizeOfTheLongestLog() throws IOException
    {
        write("member-0/archive/0-0.rec", 1, "2026-11-23T10:00:00");
        write("member-1/archive/0-0.rec", 2, "2026-11-23T11:00:00");
        write("member-1/archive/0-2097152.rec", 1, "2026-11-23T12:34:56");
        write("member-1/archive/archive.catalog", 5, "2026-11-24T00:00:00");

        assertThat(text()).isEqualTo(
            "continuing with the data in " + dir + ", last written 2026-11-23 12:34:56, 2 log and snapshot files of 3 MB for " +
            "each member");
    }

    @Test
    void shouldNotGuessWhatOtherHostsHave()
    {
        assertThat(text()).isEqualTo("continuing with the data in " + dir);
    }

    private String text()
    {
        final Settings settings =
            new Settings(NodeSettings.PREFIX, NodeSettings.ALL).put(NodeSettings.BASE_DIR.key(), dir.toString(), "test");
        return Holdings.onThisMachine(Cluster.of(settings, null, null).members(), dir);
    }

    private void write(final String name, final int megabytes, final String time) throws IOException
    {
        final Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[megabytes << 20]);
        Files.setLastModifiedTime(
            file, FileTime.from(LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant()));
    }
}
