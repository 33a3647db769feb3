package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.aeron.cluster.ClusterTool;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.FreePorts;

/** A cluster of one member, in a separate process. */
@Timeout(90)
class MemberProcessTest
{
    private static final Duration START_DEADLINE = Duration.ofSeconds(90);
    // Waiting for stale marks would delay a start by 10 s.
    private static final Duration RESTART_DEADLINE = Duration.ofSeconds(15);

    private final int basePort = FreePorts.block();
    private int outputCount;

    @TempDir
    private Path tempDir;

    @AfterEach
    void deleteSharedMemory()
    {
        IoUtil.delete(NodeConfig.defaultAeronDir(baseDir(), 0).toFile(), true);
    }

    @ParameterizedTest
    @ValueSource(strings = { "compact", "shared" })
    void shouldComeBackAtOnceAfterAKillWithItsLog(final String profile) throws Exception
    {
        final String[] profileArgs = { "--set", "echo.profile=" + profile };
        try (MemberJvm member = start(profileArgs))
        {
            member.awaitLine("member 0 is leader in term 0", START_DEADLINE);
            member.kill();
        }

        final Path aeronDir = NodeConfig.defaultAeronDir(baseDir(), 0);
        assertThat(aeronDir).exists();
        try (MemberJvm member = start(profileArgs))
        {
            member.awaitLine("member 0 is leader in term 1", RESTART_DEADLINE);
            assertThat(member.terminate()).isZero();
            assertThat(member.output()).endsWith("member 0 stopped, exit 0 (stopped on request)\n").doesNotContain("xception");
        }

        assertThat(aeronDir).doesNotExist();
        IoUtil.delete(baseDir().resolve("member-0").toFile(), false);
        try (MemberJvm member = start())
        {
            member.awaitLine("member 0 is leader in term 0", RESTART_DEADLINE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "compact", "shared" })
    void shouldRestoreItsSnapshotAndEndAsTheClusterIsShutDown(final String profile) throws Exception
    {
        final String[] profileArgs = { "--set", "echo.profile=" + profile };
        try (MemberJvm member = start(profileArgs))
        {
            member.awaitLine("is leader", START_DEADLINE);
            assertThat(ClusterTool.shutdown(clusterDir(), new PrintStream(OutputStream.nullOutputStream()))).isTrue();
            assertThat(member.awaitExit()).isZero();
        }

        try (MemberJvm member = start(profileArgs))
        {
            member.awaitLine("member 0 is leader in term 1", RESTART_DEADLINE);
            assertThat(ClusterTool.describeLatestConsensusModuleSnapshot(
                new PrintStream(OutputStream.nullOutputStream()), clusterDir())).isTrue();
            assertThat(member.terminate()).isZero();
            assertThat(member.output()).doesNotContain("xception");
        }
    }

    @Tag("matrix-30")
    @Test
    void shouldRefuseASecondInstanceAndLeaveTheFirstAlone() throws Exception
    {
        try (MemberJvm first = start())
        {
            first.awaitLine("is leader", START_DEADLINE);
            try (MemberJvm second = start())
            {
                assertThat(second.awaitExit()).isEqualTo(ExitStatus.CONFIGURATION.code());
                assertThat(second.output()).hasLineCount(1)
                    .contains(baseDir().resolve("member-0") + " is in use")
                    .contains("pid=" + first.process().pid());
            }

            assertThat(first.process().isAlive()).isTrue();
            assertThat(NodeConfig.defaultAeronDir(baseDir(), 0).resolve("cnc.dat")).exists();
        }
    }

    @Test
    void shouldEndWithTheCodeForConfigurationAndOneLine() throws Exception
    {
        try (DatagramSocket taken = new DatagramSocket(null))
        {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), basePort + 2));
            try (MemberJvm member = start())
            {
                assertThat(member.awaitExit()).isEqualTo(ExitStatus.CONFIGURATION.code());
                assertThat(member.output()).hasLineCount(1).contains("the log port");
            }
        }
    }

    private File clusterDir()
    {
        return baseDir().resolve("member-0/cluster").toFile();
    }

    private Path baseDir()
    {
        return tempDir.resolve("data");
    }

    private MemberJvm start(final String... more) throws IOException
    {
        final String[] args = new String[more.length + 2];
        args[0] = "--set";
        args[1] = "echo.base.dir=" + baseDir();
        System.arraycopy(more, 0, args, 2, more.length);
        final Path file = tempDir.resolve("one.properties");
        Files.writeString(file, "echo.hosts=127.0.0.1\necho.base.port=" + basePort + "\n");
        return new MemberJvm(tempDir.resolve("output-" + outputCount++), append(args, file.toString()));
    }

    private static String[] append(final String[] args, final String last)
    {
        final String[] all = java.util.Arrays.copyOf(args, args.length + 1);
        all[args.length] = last;
        return all;
    }
}
