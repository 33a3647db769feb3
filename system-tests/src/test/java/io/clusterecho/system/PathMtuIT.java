package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.Need;

/**
 * A path whose second link has a smaller MTU than the first, in three network namespaces:
 * <pre>
 *   near 10.231.18.1 -- MTU 9000 -- router -- MTU 1400 -- far 10.231.19.1
 * </pre>
 * Needs root and iproute2.
 */
@Tag("slow")
class PathMtuIT
{
    private static final long COMMAND_TIMEOUT_NS = 120_000_000_000L;
    private static final String NEAR = "10.231.18.1";
    private static final String FAR = "10.231.19.1";
    private static final String PORT = "20600";

    @TempDir
    private Path dir;

    private final String prefix = "path" + ProcessHandle.current().pid();
    private final List<RunningCommand> running = new ArrayList<>();

    @BeforeEach
    void makeNamespaces()
    {
        Need.root();
        Need.IP.program();
        for (final String name : List.of("near", "router", "far"))
        {
            succeed("ip", "netns", "add", prefix + name);
            ip(name, "link", "set", "lo", "up");
        }
        cable("near", "9000", NEAR, "10.231.18.254");
        cable("far", "1400", FAR, "10.231.19.254");
        in("router", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    }

    @AfterEach
    void removeNamespaces()
    {
        running.forEach((command) ->
        {
            command.process().handle().ifPresent(ProcessHandle::destroy);
            command.await(COMMAND_TIMEOUT_NS);
        });
        for (final String name : List.of("near", "router", "far"))
        {
            if (Files.exists(Path.of("/run/netns", prefix + name)))
            {
                succeed("ip", "netns", "delete", prefix + name);
            }
        }
        try (Stream<Path> folders = Stream.of(dir.resolve("near"), dir.resolve("far")))
        {
            folders.map((folder) -> NodeConfig.defaultAeronDir(folder, 0))
                .forEach((folder) -> IoUtil.delete(folder.toFile(), true));
        }
    }

    @Test
    void shouldWarnAClientOfALinkInTheMiddle()
    {
        startMember("far", FAR, "1344").awaitProgress("is ready");
        final CommandResult run = RunningCommand.start(inside("near", EchoCluster.java("load-client.jar", List.of(
            "--endpoints=0=" + FAR + ":" + PORT, "--mtu=4096", "--size=2k", "--rate=100", "--duration=2s", "--warm-up=1s",
            "--connect-timeout=60s", "--json", "--base-dir=" + dir.resolve("none"), "--output=" + dir.resolve("results")))),
            dir).await(COMMAND_TIMEOUT_NS);
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.json().at("/verdict/warnings")).as("%s", run).anySatisfy((warning) -> assertThat(warning.asText())
            .startsWith("mtu=4096 is too long for the path to " + FAR + ": a link on the path has a measured MTU of 1400")
            .contains("eth0 has 9000", "at most 1372"));
    }

    @Test
    void shouldMeasureThePathForTheDoctor()
    {
        assertThat(found("1344").path("level").asText()).isEqualTo("ok");
        final JsonNode check = found("4096");
        assertThat(check.path("level").asText()).isEqualTo("fail");
        assertThat(check.path("found").asText()).contains("a link on the path has a measured MTU of 1400", "echo.mtu=4096");
        assertThat(check.path("fix").asText()).endsWith("--mtu 1344");

        // Now the router has an MTU of 9000 for this link and sends long packets, which the far end drops.
        ip("router", "link", "set", "far", "mtu", "9000");
        in("near", "ip", "route", "flush", "cache");
        final JsonNode lost = found("4096");
        assertThat(lost.path("level").asText()).isEqualTo("unknown");
        assertThat(lost.path("found").asText()).contains("it answers a short datagram, but none of 4096 bytes");

        // The far end has no route back, so it does not answer.
        ip("far", "route", "delete", "default");
        final JsonNode silent = found("1344");
        assertThat(silent.path("level").asText()).isEqualTo("unknown");
        assertThat(silent.path("found").asText()).contains(
            "known only up to eth0, with an MTU of 9000: it does not answer");
    }

    private JsonNode found(final String mtu)
    {
        final List<String> options = new ArrayList<>(List.of("doctor", "--json"));
        options.addAll(settings("near", NEAR + "," + FAR, mtu));
        final CommandResult doctor = RunningCommand.start(
            inside("near", EchoCluster.java("cluster-node.jar", options)), dir).await(COMMAND_TIMEOUT_NS);
        return StreamSupport.stream(doctor.json().path("checks").spliterator(), false)
            .filter((check) -> "mtu".equals(check.path("name").asText())).findFirst().orElseThrow();
    }

    private RunningCommand startMember(final String name, final String hosts, final String mtu)
    {
        final List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 1>&2", "member"));
        command.addAll(EchoCluster.java("cluster-node.jar", settings(name, hosts, mtu)));
        final RunningCommand member = RunningCommand.start(inside(name, command), dir);
        running.add(member);
        return member;
    }

    private List<String> settings(final String name, final String hosts, final String mtu)
    {
        return List.of(
            "--set", "echo.hosts=" + hosts, "--set", "echo.base.port=" + PORT, "--set", "echo.mtu=" + mtu,
            "--set", "echo.insecure=true", "--set", "echo.base.dir=" + dir.resolve(name));
    }

    private void cable(final String name, final String mtu, final String address, final String routerAddress)
    {
        ip("router", "link", "add", name, "mtu", mtu, "type", "veth", "peer", "name", "eth0", "netns", prefix + name);
        ip(name, "link", "set", "eth0", "mtu", mtu);
        ip(name, "address", "add", address + "/24", "dev", "eth0");
        ip("router", "address", "add", routerAddress + "/24", "dev", name);
        ip("router", "link", "set", name, "up");
        ip(name, "link", "set", "eth0", "up");
        ip(name, "route", "add", "default", "via", routerAddress);
    }

    private void ip(final String name, final String... words)
    {
        final List<String> command = new ArrayList<>(List.of("ip", "-n", prefix + name));
        command.addAll(List.of(words));
        succeed(command.toArray(String[]::new));
    }

    private void in(final String name, final String... words)
    {
        succeed(inside(name, List.of(words)).toArray(String[]::new));
    }

    private List<String> inside(final String name, final List<String> words)
    {
        final List<String> command = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + prefix + name));
        command.addAll(words);
        return command;
    }

    private void succeed(final String... command)
    {
        final CommandResult result = RunningCommand.start(List.of(command), dir).await(COMMAND_TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s: %s", List.of(command), result).isZero();
    }
}
