package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.host.HostFiles;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.settings.InvalidSettingException;

class HostAgentTest
{
    private final ObjectMapper mapper = new ObjectMapper();
    private final HostAgent agent = new HostAgent(null);

    @TempDir
    private Path dir;

    @AfterEach
    void closeAgent()
    {
        agent.close();
    }

    @Test
    void shouldReportItsBuild()
    {
        assertThat(agent.answer(request("hello")).at("/versions/aeron").asText())
            .isEqualTo(BuildFacts.versions().get("aeron"));
    }

    @Test
    void shouldHaveLittleToSayOfAMemberThatWasNeverStarted() throws Exception
    {
        assertThat(agent.answer(request("settings")).isNull()).isTrue();
        assertThat(agent.answer(request("pid")).isNull()).isTrue();
        assertThat(agent.answer(request("hasLog")).asBoolean()).isFalse();
        assertThat(mapper.treeToValue(agent.answer(request("errors")), MemberErrors.class).distinctCount()).isZero();
        assertThatThrownBy(() -> agent.answer(request("start")))
            .isInstanceOf(ControlFailure.class).hasMessageContaining(dir.toString());
    }

    @Test
    void shouldSendWhatTheOtherSideCanReadAgain() throws Exception
    {
        RecordedClusters.configure(dir.resolve("cluster"), new TreeMap<>(), null);
        final JsonNode machine = agent.answer(request("machineUse"));
        final int user = MachineColumn.USER_MS.ordinal();
        assertThat(mapper.treeToValue(machine, long[].class)[user])
            .isBetween(-1L, MachineColumn.sample(HostFiles.ofThisMachine())[user]);
        assertThat(agent.answer(request("environment")).at("/machine/cpuCount").asInt()).isPositive();
    }

    @Test
    void shouldConfigureAClusterAndForgetIt() throws IOException
    {
        try (HostAgent starting = new HostAgent(launcher()))
        {
            starting.answer(configure(""));
            assertThat(dir.resolve("cluster/settings.properties")).exists();
            assertThat(starting.answer(request("pid")).isNull()).isTrue();

            starting.answer(request("forget"));
            assertThat(dir.resolve("cluster")).doesNotExist();
            assertThatThrownBy(() -> starting.answer(request("checkRoom"))).isInstanceOf(ControlFailure.class);
        }
    }

    @Test
    void shouldKeepTheCredentialsOfMembersFromOtherUsers() throws IOException
    {
        final Path secret = dir.resolve("cluster/credentials");
        // Left from an earlier cluster, readable by all.
        Files.writeString(Files.createDirectory(secret.getParent()).resolve("credentials"), "old");
        try (HostAgent starting = new HostAgent(launcher()))
        {
            starting.answer(configure("echo:secret"));
            assertThat(secret).hasContent("echo:secret\n");
            assertThat(Files.getPosixFilePermissions(secret)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(starting.answer(request("settings")).path("echo.credentials.file").asText()).isEqualTo(secret.toString());

            starting.answer(request("forget"));
            assertThat(secret.getParent()).doesNotExist();
        }
    }

    @Test
    void shouldFailWhereCredentialsCannotBeWritten() throws IOException
    {
        Files.createFile(dir.resolve("cluster"));
        assertThatThrownBy(() -> agent.answer(configure("echo:secret")))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(dir.resolve("cluster").toString());
    }

    @Test
    void shouldFailToForgetWhatCannotBeDeleted() throws IOException
    {
        Files.createFile(Files.createDirectories(dir.resolve("cluster/credentials")).resolve("holiday.jpg"));
        assertThatThrownBy(() -> agent.answer(request("forget")))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining(dir.resolve("cluster").toString());
        assertThat(dir.resolve("cluster/credentials/holiday.jpg")).exists();
    }

    @Test
    void shouldForgetAMissingCluster()
    {
        assertThat(agent.answer(request("forget")).isNull()).isTrue();
        assertThat(Files.exists(dir.resolve("cluster"))).isFalse();
    }

    @Test
    void shouldForgetNothingButItsOwn() throws IOException
    {
        RecordedClusters.configure(dir.resolve("cluster"), new TreeMap<>(), null);
        Files.createFile(dir.resolve("cluster/holiday.jpg"));
        agent.answer(request("forget"));
        assertThat(dir.resolve("cluster/settings.properties")).doesNotExist();
        assertThat(dir.resolve("cluster/holiday.jpg")).exists();
    }

    @Test
    void shouldWatchNoElectionsWithoutACluster()
    {
        assertThatThrownBy(() -> agent.answer(request("since"))).isInstanceOf(ControlFailure.class);
        assertThat(agent.answer(request("close")).isNull()).isTrue();
    }

    @Test
    void shouldRejectAnUnknownRequest()
    {
        RecordedClusters.configure(dir.resolve("cluster"), new TreeMap<>(), null);
        assertThatThrownBy(() -> agent.answer(request("dance")))
            .isInstanceOf(ControlFailure.class).hasMessageContaining("unknown request: dance");
    }

    private MemberLauncher launcher() throws IOException
    {
        final Path jar = Files.createFile(dir.resolve("node.jar"));
        // The archive of its classes exists already; otherwise one member would be run to make it.
        Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
        Files.createFile(dir.resolve("node-" + Runtime.version() + ".jsa"));
        return new MemberLauncher(jar, Files.createFile(dir.resolve("node.options")), List.of());
    }

    private ObjectNode configure(final String credentials)
    {
        final ObjectNode request = request("configure");
        request.putArray("arguments").add(mapper.createObjectNode()).add(credentials).add(1);
        return request;
    }

    private ObjectNode request(final String what)
    {
        return mapper.createObjectNode().put("do", what).put("base", dir.resolve("cluster").toString()).put("member", 0);
    }
}
