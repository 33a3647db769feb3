package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.aeron.driver.MediaDriverVersion;

import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.DriverCommand;
import io.clusterecho.testing.FreePorts;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member with a media driver in a separate process. Both are JVMs, so that every machine can run it. */
@Timeout(90)
class MemberDriverTest
{
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration END_DEADLINE = Duration.ofSeconds(10);

    private final int basePort = FreePorts.block();

    @TempDir
    private Path tempDir;

    @AfterEach
    void deleteSharedMemory()
    {
        IoUtil.delete(aeronDir().toFile(), true);
    }

    @ParameterizedTest
    @ValueSource(strings = { "compact", "shared" })
    void shouldEndWithAReasonWhenItsDriverDies(final String profile) throws Exception
    {
        try (MemberJvm member = startWithCommand(profile))
        {
            member.awaitLine("member 0 is leader in term 0", START_DEADLINE);
            driverOf(member).destroyForcibly();

            assertThat(member.awaitExit()).isEqualTo(ExitStatus.OTHER.code());
            assertThat(member.output()).contains("member 0 failed (other error): the media driver ", " ended, signal 9");
            assertThat(aeronDir()).doesNotExist();
        }
    }

    @Test
    void shouldTakeItsDriverAlongWhenItIsKilled() throws Exception
    {
        try (MemberJvm member = startWithCommand("compact"))
        {
            member.awaitLine("member 0 is leader in term 0", START_DEADLINE);
            final ProcessHandle driver = driverOf(member);
            member.kill();

            await("end of the driver").atMost(END_DEADLINE).until(() -> !driver.isAlive());
        }
    }

    @Test
    void shouldStopItsDriverAfterItself() throws Exception
    {
        try (MemberJvm member = startWithCommand("shared"))
        {
            member.awaitLine("member 0 is leader in term 0", START_DEADLINE);
            final ProcessHandle driver = driverOf(member);

            assertThat(member.terminate()).isZero();
            assertThat(driver.isAlive()).isFalse();
            assertThat(member.output()).endsWith("member 0 stopped, exit 0 (stopped on request)\n").doesNotContain("xception");
            assertThat(aeronDir()).doesNotExist();
        }
    }

    @Test
    void shouldWorkWithADriverThatRunsAndLeaveIt() throws Exception
    {
        final Process driver = new ProcessBuilder(DriverCommand.in(aeronDir()))
            .redirectErrorStream(true).redirectOutput(tempDir.resolve("driver.log").toFile()).start();
        try
        {
            await("the driver's file").atMost(START_DEADLINE).until(() -> Files.exists(aeronDir().resolve("loss-report.dat")));
            try (MemberJvm member = start("external"))
            {
                member.awaitLine("member 0 is leader in term 0", START_DEADLINE);
                assertThat(member.terminate()).isZero();
            }
            assertThat(driver.isAlive()).isTrue();
            assertThat(aeronDir()).exists();
        }
        finally
        {
            driver.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldRefuseToFilterLinksThatItDoesNotCarry() throws Exception
    {
        try (MemberJvm member = start("external", "--set", "echo.fault.filter=true"))
        {
            assertThat(member.awaitExit()).isEqualTo(ExitStatus.CONFIGURATION.code());
            assertThat(member.output()).contains(
                "echo.fault.filter=true is not allowed: false with echo.driver=external, because only the Java");
        }
    }

    @Test
    void shouldRefuseToRunWithAnotherAeronThanThatOfItsProcess() throws Exception
    {
        try (MemberJvm member = start("java", "--set", "echo.aeron.version=1.49.3"))
        {
            assertThat(member.awaitExit()).isEqualTo(ExitStatus.CONFIGURATION.code());
            assertThat(member.output()).contains(
                "echo.aeron.version=1.49.3 is not allowed: " + MediaDriverVersion.VERSION + ", which this process has");
        }
    }

    private ProcessHandle driverOf(final MemberJvm member)
    {
        return ProcessHandle.of(DriverFile.pidUsedBy(aeronDir(), member.process().pid()).orElseThrow()).orElseThrow();
    }

    private MemberJvm startWithCommand(final String profile) throws IOException
    {
        return start(
            "external", "--set", "echo.profile=" + profile,
            "--set", "echo.driver.command=" + String.join(" ", DriverCommand.in(aeronDir())));
    }

    private MemberJvm start(final String driver, final String... args) throws IOException
    {
        final List<String> all = new ArrayList<>(List.of(
            "--driver", driver, "--set", "echo.base.port=" + basePort, "--set", "echo.base.dir=" + baseDir(),
            "--set", "echo.hosts=127.0.0.1"));
        all.addAll(List.of(args));
        return new MemberJvm(tempDir.resolve("member.log"), all.toArray(new String[0]));
    }

    private Path aeronDir()
    {
        return NodeConfig.defaultAeronDir(baseDir(), 0);
    }

    private Path baseDir()
    {
        return tempDir.resolve("base");
    }
}
