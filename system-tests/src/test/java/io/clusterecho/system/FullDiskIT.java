package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.platform.LoopDisk;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts of a cluster one of whose members has a small disk of its own. */
@Tag("slow")
@Timeout(600)
class FullDiskIT
{
    private static final int UNUSABLE = 2;
    private static final int NOT_READY = 3;
    private static final int DEGRADED = 4;
    /** Log, process record, lock, and a folder: what is written before Aeron is launched. */
    private static final int MAX_FILES = 4;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    private Path disk;

    @AfterEach
    void unmount() throws IOException, InterruptedException
    {
        if (null != disk)
        {
            cluster.members().forEach(ClusterMember::kill);
            cluster.members().forEach((member) -> member.awaitExit(60_000_000_000L));
            // Lazily, because a process that has just ended may still close its files.
            run("umount", "--lazy", disk.toString());
            assertThat(LoopDisk.isMounted(disk)).isFalse();
        }
    }

    @Tag("matrix-16")
    @Test
    void shouldNameTheDiskThatIsFullAndStartAfterSpaceWasMade() throws IOException, InterruptedException
    {
        mount("size=300m");
        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isZero();
        cluster.kill(cluster.members().get(1));
        final Path filler = disk.resolve("filler");
        fill(filler);

        final CommandResult full = cluster.command("start");
        assertThat(full.exitCode()).as("%s", full).isEqualTo(UNUSABLE);
        assertThat(full.err()).doesNotContain("\tat ").contains(
            disk + " is not allowed: a file system with 136 MB free for 1 member; " + disk + " has 0 MB");
        assertThat(cluster.members().get(1).isAlive()).isFalse();

        Files.delete(filler);
        final CommandResult again = cluster.command("start");
        assertThat(again.exitCode()).as("%s", again).isZero();
        assertThat(cluster.command("stop").out()).startsWith("Stopped member 0, 1, 2");
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldLeaveNoProcessBehindWhicheverFileCannotBeWritten() throws IOException, InterruptedException
    {
        for (int fileCount = 1; fileCount <= MAX_FILES; fileCount++)
        {
            // There is space, but for so many files only.
            mount("size=300m,nr_inodes=" + (1 + fileCount));
            final CommandResult start = cluster.command("start");
            assertThat(start.exitCode()).as("with %d files: %s", fileCount, start).isIn(UNUSABLE, NOT_READY, DEGRADED);
            assertThat(start.err()).as("with %d files", fileCount).contains("No space left on device").doesNotContain("\tat ");
            assertThat(cluster.command("stop").exitCode()).isZero();
            cluster.assertNothingIsLeft();
            assertThat(run("umount", "--lazy", disk.toString())).isZero();
        }
    }

    /** Give member 1 a disk of its own. */
    private void mount(final String options) throws IOException, InterruptedException
    {
        disk = Files.createDirectories(cluster.baseDir().resolve("member-1"));
        Need.ROOT.check(
            0 == run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString()),
            "a small file system cannot be mounted here");
    }

    private static void fill(final Path file) throws IOException
    {
        final byte[] block = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(file))
        {
            while (true)
            {
                filler.write(block);
            }
        }
        catch (final IOException ex)
        {
            assertThat(ex).hasMessageContaining("No space left on device");
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
