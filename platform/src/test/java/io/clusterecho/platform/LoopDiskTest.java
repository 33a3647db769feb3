package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopDiskTest
{
    private static final long LENGTH = 32L << 20;

    @TempDir
    private Path dir;

    @Test
    void shouldRefuseAFolderOfALargerFileSystem()
    {
        assertThat(LoopDisk.isMounted(dir)).isFalse();
        assertThatThrownBy(() -> LoopDisk.on(dir)).isInstanceOf(IOException.class)
            .hasMessage(dir + " is part of a larger file system: no disk of its own is mounted there");
    }

    @Test
    void shouldRefuseTheRootFolder()
    {
        assertThatThrownBy(() -> LoopDisk.on(Path.of("/"))).isInstanceOf(IOException.class)
            .hasMessageContaining("part of a larger file system");
    }

    @Test
    void shouldRefuseAMountWithoutALoopDevice()
    {
        assertThat(LoopDisk.isMounted(Path.of("/proc"))).isTrue();
        assertThatThrownBy(() -> LoopDisk.on(Path.of("/proc"))).isInstanceOf(IOException.class)
            .hasMessageMatching("/proc is on device 0:[0-9]+, which is not a loop device");
    }

    @Test
    void shouldRefuseAFolderThatDoesNotExist()
    {
        assertThat(LoopDisk.isMounted(dir.resolve("none"))).isFalse();
        assertThatThrownBy(() -> LoopDisk.on(dir.resolve("none"))).isInstanceOf(IOException.class)
            .hasMessageContaining("none");
    }

    @Nested
    class Mounted
    {
        private LoopDisk disk;
        private Path folder;

        @AfterEach
        void unmount() throws IOException, InterruptedException
        {
            if (null != disk)
            {
                assertThat(run("umount", folder.toString())).isZero();
            }
        }

        @Test
        void shouldLoseWhatWasNotSynced() throws IOException, InterruptedException
        {
            mount();
            try (FileChannel synced = open("synced"))
            {
                synced.write(ByteBuffer.allocate(1_000));
                synced.force(true);
                synced.write(ByteBuffer.allocate(1_000));
                // A sync of one file may write the names of others, so this one is made after it.
                write("unsynced");
                disk.shutDown();
                assertThatThrownBy(() -> synced.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
            }
            disk.remount();
            assertThat(folder.resolve("synced")).hasSize(1_000);
            assertThat(folder.resolve("unsynced")).doesNotExist();
        }

        @Test
        void shouldRefuseToShutDownWhatLiesBeneathItsMount() throws IOException, InterruptedException
        {
            mount();
            assertThat(run("umount", folder.toString())).isZero();
            assertThatThrownBy(disk::shutDown).isInstanceOf(IOException.class)
                .hasMessage(folder.toRealPath() + " is no longer on its own loop device");
            Files.writeString(dir.resolve("still-writable"), "yes");
            assertThat(run("mount", "-o", "loop", dir.resolve("disk.img").toString(), folder.toString())).isZero();
        }

        @Test
        void shouldNoticeThatAnotherMountNamespaceKeepsItShutDown() throws IOException, InterruptedException
        {
            mount();
            final Process other = new ProcessBuilder("unshare", "--mount", "sh", "-c", "echo; sleep 600").start();
            try
            {
                assertThat(other.getInputStream().read()).as("it has its copy").isEqualTo('\n');
                disk.shutDown();
                assertThatThrownBy(disk::remount).isInstanceOf(IOException.class).hasMessageContaining("touch");
            }
            finally
            {
                other.descendants().forEach(ProcessHandle::destroyForcibly);
                other.destroyForcibly().waitFor();
            }
            disk.remount();
            write("powered");
        }

        @Test
        void shouldReportAFileThatIsInUse() throws IOException, InterruptedException
        {
            mount();
            try (FileChannel used = open("used"))
            {
                used.write(ByteBuffer.allocate(1));
                assertThatThrownBy(disk::remount).isInstanceOf(IOException.class).hasMessageContaining("umount");
            }
            disk.remount();
        }

        @Test
        void shouldLetWritesWaitWhileItIsStalled() throws Exception
        {
            mount();
            disk.freeze();
            final CompletableFuture<Void> write = CompletableFuture.runAsync(() -> write("waiting"));
            assertThatThrownBy(() -> write.get(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
            assertThatThrownBy(disk::freeze).isInstanceOf(IOException.class);
            disk.thaw();
            write.get(60, TimeUnit.SECONDS);
            assertThat(folder.resolve("waiting")).hasSize(3);
            assertThatThrownBy(disk::thaw).isInstanceOf(IOException.class);
        }

        @Test
        void shouldTakeAndGiveBackAllSpace() throws IOException, InterruptedException
        {
            mount();
            disk.fill();
            assertThatThrownBy(() -> Files.write(folder.resolve("more"), new byte[8_192])).isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
            disk.free();
            Files.write(folder.resolve("more"), new byte[8_192]);
            disk.free();
        }

        private void mount() throws IOException, InterruptedException
        {
            final Path image = dir.resolve("disk.img");
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw"))
            {
                file.setLength(LENGTH);
            }
            folder = Files.createDirectory(dir.resolve("disk"));
            assertThat(run(Need.LOOP.program().toString(), "-q", "-m", "0", image.toString())).isZero();
            Need.LOOP.check(
                0 == run("mount", "-o", "loop", image.toString(), folder.toString()), "an image file cannot be mounted");
            disk = LoopDisk.on(folder);
        }

        private FileChannel open(final String name) throws IOException
        {
            return FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }

        private void write(final String name)
        {
            try
            {
                Files.writeString(folder.resolve(name), "yes");
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        private static int run(final String... command) throws IOException, InterruptedException
        {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
    }
}
