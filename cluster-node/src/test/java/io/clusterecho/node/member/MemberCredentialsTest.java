package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.security.AuthenticationException;
import io.aeron.security.CredentialsSupplier;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.FreePorts;

/** Three members that require credentials, in separate processes. */
@Timeout(90)
class MemberCredentialsTest
{
    private static final int MEMBER_COUNT = 3;
    private static final Duration DEADLINE = Duration.ofSeconds(120);

    private final int basePort = FreePorts.block();
    private final MemberJvm[] members = new MemberJvm[MEMBER_COUNT];

    @TempDir
    private Path tempDir;

    @BeforeEach
    void startMembers() throws IOException
    {
        final Path credentials = Files.createFile(
            tempDir.resolve("credentials"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(credentials, "ops:secret\n");
        Files.write(tempDir.resolve("three.properties"), List.of(
            "echo.hosts=127.0.0.1,127.0.0.1,127.0.0.1",
            "echo.base.port=" + basePort,
            "echo.base.dir=" + baseDir(),
            "echo.credentials.file=" + credentials,
            "echo.log.term.length=1m",
            "echo.client.term.length=64k",
            "echo.max.message.length=1k"));
        for (int id = 0; id < MEMBER_COUNT; id++)
        {
            start(id, "first");
        }
    }

    @AfterEach
    void stopMembers()
    {
        CloseHelper.closeAll(members);
        for (int id = 0; id < MEMBER_COUNT; id++)
        {
            IoUtil.delete(NodeConfig.defaultAeronDir(baseDir(), id).toFile(), true);
        }
    }

    @Test
    void shouldElectReplicateAndLetInOnlyWhoKnowsTheSecret() throws Exception
    {
        for (final MemberJvm member : members)
        {
            member.awaitLine(" in term 0", DEADLINE);
        }
        assertThat(connect("ops:secret")).isNotNegative();
        assertThatThrownBy(() -> connect("ops:guess")).isInstanceOf(AuthenticationException.class);
        assertThatThrownBy(() -> connect("")).isInstanceOf(AuthenticationException.class);

        final int leader = indexOf("is leader in term 0");
        assertThat(members[leader].terminate()).isZero();
        start(leader, "again");
        for (final MemberJvm member : members)
        {
            member.awaitLine(" in term 1", DEADLINE);
        }

        // The log now has two leadership terms, so a member without data fetches the first from the archive of the leader.
        final int follower = indexOf("is follower in term 1");
        assertThat(members[follower].terminate()).isZero();
        for (final String part : List.of("archive", "cluster"))
        {
            IoUtil.delete(baseDir().resolve("member-" + follower).resolve(part).toFile(), false);
        }
        start(follower, "wiped");
        members[follower].awaitLine("is follower in term 1", DEADLINE);
        for (final MemberJvm member : members)
        {
            assertThat(member.terminate()).isZero();
            assertThat(member.output()).doesNotContain("AuthenticationException");
        }
    }

    private void start(final int id, final String run, final String... more) throws IOException
    {
        final List<String> args = new ArrayList<>(List.of("--member-id", String.valueOf(id)));
        args.addAll(List.of(more));
        args.add(tempDir.resolve("three.properties").toString());
        members[id] = new MemberJvm(tempDir.resolve("output-" + id + "-" + run), args.toArray(String[]::new));
    }

    private int indexOf(final String line)
    {
        for (int id = 0; id < MEMBER_COUNT; id++)
        {
            if (members[id].output().contains(line))
            {
                return id;
            }
        }

        throw new AssertionError("no member says: " + line);
    }

    private long connect(final String secret)
    {
        final MediaDriver.Context driverCtx = new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve("client").toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED);
        try (MediaDriver driver = MediaDriver.launch(driverCtx);
            AeronCluster cluster = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .ingressChannel("aeron:udp?term-length=64k")
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .ingressEndpoints(MemberEndpoints.ingressEndpoints(
                    MemberEndpoints.ofAll(List.of("127.0.0.1", "127.0.0.1", "127.0.0.1"), basePort, false)))
                .credentialsSupplier(new Secret(secret))))
        {
            return cluster.clusterSessionId();
        }
    }

    private Path baseDir()
    {
        return tempDir.resolve("data");
    }

    private record Secret(String text) implements CredentialsSupplier
    {
        @Override
        public byte[] encodedCredentials()
        {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] onChallenge(final byte[] encodedChallenge)
        {
            return encodedCredentials();
        }
    }
}
