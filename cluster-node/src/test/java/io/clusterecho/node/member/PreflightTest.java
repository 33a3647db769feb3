package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.FreePorts;

class PreflightTest
{
    private final int basePort = FreePorts.block();

    @TempDir
    private Path baseDir;

    @ParameterizedTest
    @CsvSource({ "0, ingress", "1, consensus", "2, log", "3, catch-up", "4, archive" })
    void shouldRefuseATakenPort(final int offset, final String purpose) throws IOException
    {
        final int port = basePort + offset;
        try (DatagramSocket taken = new DatagramSocket(null))
        {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

            assertThatThrownBy(() -> Preflight.check(config()))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("the " + purpose + " port of member 0, UDP 127.0.0.1:" + port)
                .hasMessageContaining("echo.base.port=" + basePort);
        }

        assertThatCode(() -> Preflight.check(config())).doesNotThrowAnyException();
    }

    @Test
    void shouldNotLetADriverDeleteAFolderThatIsNotItsOwn() throws IOException
    {
        Files.writeString(Files.createDirectories(aeronDir()).resolve("precious"), "text");

        assertThatThrownBy(() -> Preflight.check(config())).hasMessageContaining("echo.aeron.dir=" + aeronDir());
    }

    @Test
    void shouldRejectTheFolderOfARunningDriver()
    {
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(aeronDir().toString())
            .threadingMode(ThreadingMode.INVOKER);
        try (MediaDriver driver = MediaDriver.launch(ctx))
        {
            assertThat(driver.aeronDirectoryName()).isEqualTo(aeronDir().toString());
            assertThatThrownBy(() -> Preflight.check(config()))
                .hasMessageContaining("echo.aeron.dir=" + aeronDir())
                .hasMessageContaining("the driver of process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void shouldNeedSpaceForTheLogItsReplayAndSnapshots()
    {
        final long small = new RoomNeeded(config()).sharedMemoryLength();
        final long large = new RoomNeeded(config("echo.log.term.length", "64m")).sharedMemoryLength();

        assertThat(large - small).isEqualTo(4 * 3 * (64L - 16L) << 20);
        final RoomNeeded stock = new RoomNeeded(config("echo.profile", "stock"));
        assertThat(stock.sharedMemoryLength() - large).as("terms allocated in full, and longer egress terms")
            .isEqualTo(4 * RoomNeeded.streamLength(64 << 20) +
                4 * (stock.sessionLength() - new RoomNeeded(config()).sessionLength()));
        assertThat(new RoomNeeded(config("echo.log.term.length", "128m")).segmentLength()).isEqualTo(128L << 20);
    }

    @Test
    void shouldNeedSpaceForTheSnapshotOfEachService()
    {
        final RoomNeeded ofOne = new RoomNeeded(config("echo.service.class", "a.B"));
        final RoomNeeded ofThree = new RoomNeeded(config("echo.service.class", "a.B,a.C,a.D"));

        assertThat(ofOne.diskLength()).isEqualTo(new RoomNeeded(config()).diskLength());
        assertThat(ofThree.diskLength() - ofOne.diskLength()).isEqualTo(2 * ofOne.segmentLength());
    }

    @Test
    void shouldNeedSpaceForTheFilesThatADriverMakes()
    {
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(aeronDir().toString())
            .threadingMode(ThreadingMode.INVOKER);
        try (MediaDriver driver = MediaDriver.launch(ctx))
        {
            final long length = Stream.of("cnc.dat", "loss-report.dat")
                .mapToLong((name) -> Path.of(driver.aeronDirectoryName(), name).toFile().length()).sum();
            assertThat(RoomNeeded.DRIVER_FILES_LENGTH).isBetween(length, length + (2L << 20));
        }
    }

    @Test
    void shouldReportTheSpaceForAllMembersOfAMachine()
    {
        final RoomNeeded need = new RoomNeeded(config());
        assertThat(Preflight.checkRoom(config(), 3))
            .startsWith("3 members need up to " + RoomNeeded.text(3 * need.sharedMemoryLength()) + " (")
            .contains(RoomNeeded.text(3 * need.sessionLength()) + " for each further session")
            .contains("and " + RoomNeeded.text(3 * need.diskLength()) + " (");
    }

    private Path aeronDir()
    {
        return baseDir.resolve("aeron");
    }

    private NodeConfig config(final String... keyAndValue)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test")
            .put(NodeSettings.AERON_DIR.key(), aeronDir().toString(), "test")
            .put(NodeSettings.BASE_PORT.key(), String.valueOf(basePort), "test");
        for (int i = 0; i < keyAndValue.length; i += 2)
        {
            settings.put(keyAndValue[i], keyAndValue[i + 1], "test");
        }

        return new NodeConfig(settings);
    }
}
