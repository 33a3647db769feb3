package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.service.ClusteredServiceContainer;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.settings.Io;
import io.clusterecho.testing.FreePorts;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that this project did not start: three members by Aeron's own launchers, with a driver and a service container in a
 * process each, and the commands of docs/YOUR-CLUSTER.md.
 */
@Tag("slow")
@Timeout(600)
class LaunchedClusterIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final int MEMBER_COUNT = 3;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final int basePort = FreePorts.block();

    @BeforeEach
    void startMembers() throws IOException
    {
        for (int id = 0; id < MEMBER_COUNT; id++)
        {
            processes.add(launch(id, ClusteredMediaDriver.class));
            processes.add(launch(id, ClusteredServiceContainer.class));
        }
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> IntStream.range(0, MEMBER_COUNT)
            .allMatch((id) -> DriverFile.read(aeronDir(id)).isPresent()))).as("all drivers started").isTrue();
    }

    @AfterEach
    void killMembers() throws InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroyForcibly().waitFor();
        }
        IntStream.range(0, MEMBER_COUNT).forEach((id) -> IoUtil.delete(aeronDir(id).toFile(), true));
    }

    @Test
    void shouldMeasureItAndFollowItsLeaders() throws IOException
    {
        final List<String> options = new ArrayList<>(List.of(
            "--endpoints", endpoints(), "--service", "plain", "--rate", "200", "--warm-up", "1s", "--duration", "20s",
            "--connect-timeout", "60s", "--drain-timeout", "30s", "--json", "--output", folder.resolve("results").toString()));
        IntStream.range(0, MEMBER_COUNT).forEach((id) -> options.addAll(List.of("--aeron-dir", id + "=" + aeronDir(id))));
        final RunningCommand run = RunningCommand.start(EchoCluster.java("load-client.jar", options), folder);
        run.awaitProgress(" measure ");
        final int leader = leader();
        processes.get(2 * leader).destroyForcibly();
        processes.get(2 * leader + 1).destroyForcibly();
        final CommandResult result = run.await(TIMEOUT_NS);

        final JsonNode json = result.json();
        assertThat(json.get("scheduled").asLong()).as("%s", result).isEqualTo(4_000);
        assertThat(sum(json, "answered", "late", "unanswered", "neverSent")).isEqualTo(4_000);
        assertThat(json.get("answered").asLong()).isPositive();
        assertThat(json.get("corrupt").asLong()).isZero();
        assertThat(json.get("newLeaders").asLong()).as("%s", result).isPositive();
        // Aeron's default: a leader is missed after 10 s.
        assertThat(json.at("/responseTimeNs/max").asLong()).isGreaterThan(TimeUnit.SECONDS.toNanos(5));
        final Path results = Path.of(json.get("resultFolder").asText());
        final List<String> intervals = Files.readAllLines(results.resolve("intervals.csv"));
        final String lastLeader = intervals.get(intervals.size() - 1).split(",")[3];
        assertThat(lastLeader).isNotEqualTo(String.valueOf(leader)).matches("[0-2]");
        assertThat(Files.readString(results.resolve("counters.csv"))).contains(",member-" + lastLeader + ",");

        assertThat(json.get("durability").asText()).startsWith("not known");
        assertThat(json.get("cluster")).as("settings that nobody knows").isEmpty();
        assertThat(json.has("memberStart")).isFalse();
    }

    @Test
    void shouldCompareItsSettingsWithThoseOfMembersHere() throws IOException, InterruptedException
    {
        final Path log = folder.resolve("member-0").resolve("ClusteredMediaDriver.log");
        final String driverLog = log.toString();
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> Io.orElse("", () -> Files.readString(log))
            .matches("(?s).*ConsensusModule.Context\n\\{.*\n}.*"))).as("all components have printed").isTrue();
        final String printed = settings(driverLog);
        final Path jvm = folder.resolve("jvm.properties");
        final Process jcmd = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), String.valueOf(processes.get(0).pid()),
            "VM.system_properties").redirectOutput(jvm.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(jcmd.waitFor(TIMEOUT_NS, TimeUnit.NANOSECONDS)).isTrue();
        final String properties = settings(jvm.toString());

        for (final String settings : List.of(printed, properties))
        {
            assertThat(settings)
                .containsPattern("(?m)^aeron.threading.mode +SHARED +DEDICATED +aeron.threading.mode=SHARED$")
                .containsPattern("(?m)^aeron.archive.threading.mode +SHARED +DEDICATED +aeron.archive.threading.mode=SHARED$")
                .containsPattern("(?m)^aeron.cluster.clock +io.aeron.cluster.NanosecondClusterClock +\\S+ +aeron.cluster.clock=")
                .doesNotContain("aeron.mtu.length", "aeron.cluster.election.timeout", "aeron.image.liveness.timeout");
        }
        assertThat(properties).containsPattern("(?m)^aeron.cluster.members .*no counterpart$");
        assertThat(assignments(printed)).containsAll(assignments(properties).stream()
            .filter((assignment) -> printed.contains("\n" + assignment.replaceFirst("=.*", " "))).toList());

        final List<String> same = new ArrayList<>();
        assignments(printed).forEach((assignment) -> same.addAll(List.of("--set", assignment)));
        assertThat(assignments(settings(driverLog, same.toArray(String[]::new)))).isEmpty();
    }

    private static List<String> assignments(final String settings)
    {
        final String last = settings.strip().substring(settings.strip().lastIndexOf("to set all:") + "to set all:".length());
        return Stream.of(last.split(" --set ")).map(String::strip).filter((text) -> !text.isEmpty())
            .map((text) -> text.replace("'", "")).toList();
    }

    private String settings(final String source, final String... options)
    {
        final List<String> words = new ArrayList<>(List.of("settings", "--of", source));
        words.addAll(List.of(options));
        final CommandResult result =
            RunningCommand.start(EchoCluster.java("cluster-node.jar", words), folder).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isZero();
        return result.out();
    }

    @Test
    void shouldRunTheCommandsOfItsDocument() throws IOException
    {
        int count = 0;
        for (final DocumentBlock block : new DocumentFile(EchoCluster.ROOT.resolve("docs/YOUR-CLUSTER.md")).blocks())
        {
            if (block.isScript() && block.script(new DocumentedCommands(EchoCluster.ROOT)).contains("bin/load-client"))
            {
                final String script = DocumentedCommands.appended(
                    block.script(new DocumentedCommands(EchoCluster.ROOT)).strip().replaceAll("^bin/load-client ", "")
                    .replaceFirst("--endpoints \\S+", "--endpoints " + endpoints())
                    .replaceFirst("0=/dev/shm/\\S+", "0=" + aeronDir(0))
                    .replaceFirst(" --rate \\S+", "").replaceFirst("--duration \\S+", "--duration 2s"),
                    "--rate 100 --warm-up 1s --connect-timeout 60s --json");
                final CommandResult result = RunningCommand.start(
                    EchoCluster.java("load-client.jar", List.of(script.split("\\s+"))), folder).await(TIMEOUT_NS);
                assertThat(result.json().path("answered").asLong()).as("%s: %s", script, result).isPositive();
                count++;
            }
        }
        assertThat(count).isEqualTo(3);
    }

    private static long sum(final JsonNode json, final String... fields)
    {
        return List.of(fields).stream().mapToLong((field) -> json.get(field).asLong()).sum();
    }

    /** The member that leads, according to the newest row of the run. */
    private int leader() throws IOException
    {
        try (var found = Files.walk(folder.resolve("results")))
        {
            final Path file = found.filter((path) -> path.endsWith("intervals.csv")).findFirst().orElseThrow();
            final List<String> rows = Files.readAllLines(file);
            return Integer.parseInt(rows.get(rows.size() - 1).split(",")[3]);
        }
    }

    private String endpoints()
    {
        return IntStream.range(0, MEMBER_COUNT).mapToObj((id) -> id + "=" + endpoint(id, 0)).collect(Collectors.joining(","));
    }

    private String endpoint(final int id, final int offset)
    {
        return "127.0.0.1:" + (basePort + 10 * id + offset);
    }

    private Path aeronDir(final int id)
    {
        return Path.of("/dev/shm/launched-" + basePort + "-" + id);
    }

    private Process launch(final int id, final Class<?> launcher) throws IOException
    {
        final Path dir = Files.createDirectories(folder.resolve("member-" + id));
        final String members = IntStream.range(0, MEMBER_COUNT).mapToObj((each) -> each + "," + IntStream.range(0, 5)
            .mapToObj((offset) -> endpoint(each, offset)).collect(Collectors.joining(","))).collect(Collectors.joining("|"));
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx128m",
            "-XX:TieredStopAtLevel=1"));
        for (final String opened : new String[]{ "jdk.internal.misc", "sun.nio.ch", "java.util.zip" })
        {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        for (final String property : new String[]{
            "aeron.dir=" + aeronDir(id), "aeron.dir.delete.on.start=true", "aeron.threading.mode=SHARED",
            "aeron.shared.idle.strategy=backoff", "aeron.archive.threading.mode=SHARED", "aeron.print.configuration=true",
            "aeron.archive.dir=" + dir.resolve("archive"), "aeron.archive.control.channel=aeron:udp?endpoint=" + endpoint(id, 4),
            "aeron.archive.replication.channel=aeron:udp?endpoint=127.0.0.1:0",
            "aeron.cluster.dir=" + dir.resolve("cluster"), "aeron.cluster.member.id=" + id, "aeron.cluster.members=" + members,
            "aeron.cluster.ingress.channel=aeron:udp", "aeron.cluster.replication.channel=aeron:udp?endpoint=127.0.0.1:0",
            "aeron.cluster.clock=io.aeron.cluster.NanosecondClusterClock",
            "aeron.cluster.service.class.name=" + BytesBack.class.getName() })
        {
            command.add("-D" + property);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), launcher.getName()));
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(dir.resolve(launcher.getSimpleName() + ".log").toFile()).start();
    }
}
