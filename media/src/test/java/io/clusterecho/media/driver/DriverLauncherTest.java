package io.clusterecho.media.driver;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.CncFileDescriptor;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.MediaDriverVersion;
import io.aeron.driver.ThreadingMode;

import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.DriverCommand;

/** Drivers in separate processes. */
@Timeout(60)
class DriverLauncherTest
{
    private static final String FOLDER_KEY = "echo.aeron.dir";
    private static final long END_TIMEOUT_S = 20;

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @TempDir
    private Path tempDir;

    @AfterEach
    void deleteFolder()
    {
        IoUtil.delete(aeronDir().toFile(), true);
    }

    @Test
    void shouldStartADriverAndStopItWithItsFolder()
    {
        try (Driver driver = launcher(DriverCommand.in(aeronDir())).launch(context(), false))
        {
            assertThat(driver.invoker()).isNull();
            try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDir().toString())))
            {
                assertThat(aeron.addCounter(1001, "of a test").isClosed()).isFalse();
            }
            final long ownPid = ProcessHandle.current().pid();
            try (DriverCounters counters = DriverCounters.map(aeronDir(), ownPid).orElseThrow())
            {
                assertThat(counters.pid()).isEqualTo(ownPid);
            }
            final long driverPid = DriverFile.pidUsedBy(aeronDir(), ownPid).orElseThrow();
            assertThat(ProcessHandle.of(driverPid)).isPresent();
            assertThat(driverPid).isNotEqualTo(ownPid);
        }

        assertThat(aeronDir()).doesNotExist();
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldTellHowADriverEnded() throws InterruptedException
    {
        try (Driver driver = launcher(DriverCommand.in(aeronDir())).launch(context(), false))
        {
            assertThat(driver).isNotNull();
            ProcessHandle.of(DriverFile.read(aeronDir()).orElseThrow().pid()).orElseThrow().destroyForcibly();

            assertThat(ends.poll(END_TIMEOUT_S, TimeUnit.SECONDS)).startsWith("the media driver ").contains(" ended, signal 9");
        }
    }

    @Test
    void shouldReportTheLastOutputOfADriverThatDoesNotStart()
    {
        assertThatThrownBy(() -> launcher(List.of("ls", "/no/such/folder")).launch(context(), false))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("the media driver ls /no/such/folder ended, exit status ")
            .hasMessageContaining("; last output: ls: ");
    }

    @Test
    void shouldWorkWithADriverThatRunsAndLeaveItRunning() throws Exception
    {
        try (MediaDriver running = MediaDriver.launch(context()))
        {
            try (Driver driver = launcher(List.of()).launch(context(), false))
            {
                assertThat(driver.invoker()).isNull();
                assertThat(DriverFile.isUsedBy(aeronDir(), ProcessHandle.current().pid())).isTrue();
            }
            assertThat(DriverFile.isUsedBy(aeronDir(), ProcessHandle.current().pid())).isFalse();
            assertThat(running.context().cncFile()).exists();
        }
        assertThat(ends).isEmpty();
    }

    /** The JDK would notice the end of such a process more slowly the longer it runs: after 40 s it looks every 1.8 s. */
    @Test
    void shouldNoticeAtOnceThatADriverOfAnotherProcessEnded() throws Exception
    {
        final String command = DriverCommand.in(aeronDir()).stream().map((word) -> "'" + word + "'").collect(joining(" "));
        assertThat(new ProcessBuilder("sh", "-c", command + " > /dev/null 2>&1 &").start().waitFor()).isZero();
        await().until(() -> DriverFile.read(aeronDir()).isPresent());
        try (Driver driver = launcher(List.of()).launch(context(), false))
        {
            assertThat(driver.invoker()).isNull();
            ProcessHandle.of(DriverFile.read(aeronDir()).orElseThrow().pid()).orElseThrow().destroyForcibly();
            assertThat(ends.poll(END_TIMEOUT_S, TimeUnit.SECONDS))
                .startsWith("the media driver in " + aeronDir() + ", pid ").endsWith(", ended");
        }
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldRefuseAFolderInWhichNoDriverRuns() throws Exception
    {
        assertThatThrownBy(() -> launcher(List.of()).launch(context(), false))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage(FOLDER_KEY + "=" + aeronDir() +
            " is not allowed: the folder of a running media driver; no driver has started there");

        final byte[] left;
        try (MediaDriver driver = MediaDriver.launch(context()))
        {
            left = Files.readAllBytes(driver.context().cncFile().toPath());
        }
        Files.createDirectories(aeronDir());
        // The trailer of the command buffer ends with the driver's last heartbeat: here, an hour ago.
        final int heartbeatOffset = heartbeatOffset(left);
        final ByteBuffer file = ByteBuffer.wrap(left).order(ByteOrder.nativeOrder());
        file.putLong(heartbeatOffset, System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1));
        Files.write(aeronDir().resolve("cnc.dat"), left);

        assertThatThrownBy(() -> launcher(List.of()).launch(context(), false))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageMatching(".* the last heartbeat there was 36[0-9][0-9] s ago");
    }

    @Test
    void shouldRefuseADriverOfAnotherVersionAndNameBoth()
    {
        try (MediaDriver running = MediaDriver.launch(context()))
        {
            final long pid = ProcessHandle.current().pid();
            try (DriverCounters counters = DriverCounters.map(aeronDir(), pid, FileChannel.MapMode.READ_WRITE).orElseThrow())
            {
                counters.reader().forEach(
                    (id, typeId, key, label) ->
                    {
                        if (AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID == typeId &&
                            AeronCounters.SYSTEM_COUNTER_ID_AERON_VERSION == key.getInt(0))
                        {
                            counters.reader().valuesBuffer().putLong(
                                CountersReader.counterOffset(id), SemanticVersion.compose(1, 50, 3));
                        }
                    });
            }

            assertThat(running.context().threadingMode()).isEqualTo(ThreadingMode.SHARED);
            assertThatThrownBy(() -> launcher(List.of()).launch(context(), false))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("the media driver in " + aeronDir() + " is Aeron 1.50.3, this program has Aeron " +
                MediaDriverVersion.VERSION + ": use a driver of the same version");
        }
    }

    @Test
    void shouldRefuseADriverWithAnotherLayoutOfItsFileAndNameBoth() throws Exception
    {
        final byte[] left;
        try (MediaDriver driver = MediaDriver.launch(context()))
        {
            left = Files.readAllBytes(driver.context().cncFile().toPath());
        }
        Files.createDirectories(aeronDir());
        ByteBuffer.wrap(left).order(ByteOrder.nativeOrder()).putInt(0, SemanticVersion.compose(0, 1, 0));
        Files.write(aeronDir().resolve("cnc.dat"), left);

        assertThatThrownBy(() -> launcher(List.of()).launch(context(), false))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("is Aeron of an unknown version, this program has Aeron " +
            MediaDriverVersion.VERSION);
    }

    private static int heartbeatOffset(final byte[] cnc)
    {
        final ByteBuffer file = ByteBuffer.wrap(cnc).order(ByteOrder.nativeOrder());
        final int commandBufferLength =
            file.getInt(CncFileDescriptor.toDriverBufferLengthOffset(0)) -
            RingBufferDescriptor.TRAILER_LENGTH;
        return CncFileDescriptor.END_OF_METADATA_OFFSET + commandBufferLength +
            RingBufferDescriptor.CONSUMER_HEARTBEAT_OFFSET;
    }

    private DriverLauncher launcher(final List<String> command)
    {
        return new DriverLauncher(
            new DriverPlan("external", command, 4, 4, 4, null, FOLDER_KEY, ""), DriverIdle.YIELD,
            (line) -> { }, ends::add);
    }

    private MediaDriver.Context context()
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(aeronDir().toString())
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true)
            .dirDeleteOnShutdown(true);
    }

    private Path aeronDir()
    {
        return tempDir.resolve("driver");
    }
}
