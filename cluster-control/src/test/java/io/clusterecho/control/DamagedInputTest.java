package io.clusterecho.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.control.cluster.HostAgent;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ProcessRecord;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.config.Credentials;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a file of settings, or in a request to the host agent: it is used, or refused with what is wrong. */
class DamagedInputTest
{
    private static final List<Class<? extends Throwable>> REFUSALS = List.of(InvalidSettingException.class);

    @TempDir
    private Path folder;
    private Path file;

    @BeforeEach
    void setFile()
    {
        file = folder.resolve("file");
    }

    @Test
    void shouldUseOrRefuseSettings() throws IOException
    {
        final byte[] sample = ("echo.base.port=21000\necho.hosts=127.0.0.1,127.0.0.2,127.0.0.3\necho.fsync=1\n" +
            "echo.base.dir=/tmp/x\naeron.term.buffer.length=65536\n").getBytes(StandardCharsets.UTF_8);

        assertThat(Fuzz.run("settings", 1_000, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(file, input);
            new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL).putFiles(List.of(file))).effective();
        })).isPositive();
    }

    @Test
    void shouldUseOrRefuseAnInventory() throws IOException
    {
        final byte[] sample = ("hosts=a,b,c\nssh.user=echo\nfolder=/opt/echo\nhost.a.roles=member 0\nhost.a.cores=2-5\n" +
            "host.b.roles=member 1,client 1\nhost.b.ssh.port=2222\nhost.c.roles=client 0,peer\n")
            .getBytes(StandardCharsets.UTF_8);

        assertThat(Fuzz.run("inventory", 1_000, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(file, input);
            new Inventory(file);
        })).isPositive();
    }

    @Test
    void shouldUseOrRefuseCredentials() throws IOException
    {
        assertThat(Fuzz.run(
            "credentials", 500, List.of("name:secret\n".getBytes(StandardCharsets.UTF_8)), REFUSALS, (input) ->
            {
                Files.write(file, input);
                file.toFile().setReadable(false, false);
                file.toFile().setReadable(true, true);
                Credentials.read("echo.credentials.file", file);
            })).isPositive();
    }

    @Test
    void shouldReadOrIgnoreARecordOfAProcess()
    {
        final byte[] sample = "pid=4711\nstart=8a2c/12345\n".getBytes(StandardCharsets.UTF_8);

        Fuzz.run("process", 1_000, List.of(sample), List.of(ControlFailure.class), (input) ->
        {
            Files.write(file, input);
            ProcessRecord.read(file);
        });
    }

    @Test
    void shouldRefuseAPathThatNoFileSystemHas() throws IOException
    {
        Files.writeString(file, "echo.base.dir=/tmp/x\0y");

        assertThatThrownBy(() -> Settings.load(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.base.dir=/tmp/x\\0y is not allowed: text without NUL characters");
    }

    /** Only requests that start nothing and change nothing, even after damage. */
    @Test
    void shouldAnswerEveryRequestToTheHostAgent()
    {
        final ObjectMapper mapper = new ObjectMapper();
        final String base = "\",\"base\":\"" + folder + "\",\"member\":1}";
        final List<byte[]> samples = List.of("hello", "ping", "machineUse", "pid", "said", "counters", "errors", "checkRoom")
            .stream().map((what) -> ("{\"id\":7,\"do\":\"" + what + base).getBytes(StandardCharsets.UTF_8)).toList();
        try (HostAgent agent = new HostAgent(null))
        {
            Fuzz.run("agent", 1_000, samples, List.of(IOException.class), (input) ->
            {
                final JsonNode request = mapper.readTree(input);
                final JsonNode answer = agent.server(null).answer(request);
                assertThat(answer.has("answer") || !answer.path("error").asText().isEmpty()).as(answer.toString()).isTrue();
            });
        }
    }
}
