package io.clusterecho.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulingGroupTest
{
    @TempDir
    private Path root;

    @Test
    void shouldNameTheGroupWhereThereAreGroups() throws IOException
    {
        write("proc/sys/kernel/sched_autogroup_enabled", "1\n");
        write("proc/7/autogroup", "/autogroup-25 nice 0\n");

        assertThat(new HostFiles(root).schedulingGroup(7)).contains("/autogroup-25");
        assertThat(new HostFiles(root).schedulingGroup(8)).isEmpty();
    }

    @Test
    void shouldNameNoneWhereTheyAreOffOrNotThere() throws IOException
    {
        write("proc/7/autogroup", "/autogroup-25 nice 0\n");
        assertThat(new HostFiles(root).schedulingGroup(7)).isEmpty();

        write("proc/sys/kernel/sched_autogroup_enabled", "0\n");
        assertThat(new HostFiles(root).schedulingGroup(7)).isEmpty();
    }

    private void write(final String file, final String text) throws IOException
    {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }
}
