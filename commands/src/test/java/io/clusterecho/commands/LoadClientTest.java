package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.FreePorts;

import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadClientTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--rate 0             | --rate         | '0' is not allowed",
        "--rate -5            | --rate         | '-5' is not allowed",
        "--rate lots          | --rate         | 1.5k or 100k",
        "--rate 1001M         | --rate         | '1001M' is not allowed: messages per second from 1 to 1000M",
        "--seed x             | --seed         | 'x' is not allowed: a whole number",
        "--size 31            | --size         | '31' is not allowed: a length",
        "--size 20m           | --size         | from 32 to 16777184",
        "--size 288*0         | --size         | with weights",
        "--transport memory --size 70000 | --size=70000 | 32 to 32703 bytes (the limit of the transport)",
        "--kind a:1           | --kind         | NAME:RATE:LENGTH",
        "--trace no-file.csv  | --trace=no-file.csv | a readable file",
        "--trace-speed 0      | --trace-speed  | a factor from 0.001 to 1000",
        "--trace-speed 2      | --trace-speed=2     | given only with --trace",
        "--trace-repeat       | --trace-repeat=true | given only with --trace",
        "--trace-digest ab    | --trace-digest=ab   | given only with --trace",
        "--kind a:1:32 --rate 5 | --rate=5     | not given with --kind",
        "--kind a:1:32 -s 1k,2k | --size=1k,2k | not given with --kind",
        "--kind a:1:32 --kind a:2:64 | --kind=a:2:64 | a name of its own",
        "--size 8m,64*9 --connections 1000 --transport memory | the length of the run | buffers of 1000 sessions",
        "--duration 10        | --duration     | as in 500ms",
        "--duration 0s        | --duration=0s  | at least one message",
        "--warm-up soon       | --warm-up      | 'soon' is not allowed",
        "--warm-up auto:      | --warm-up      | 'auto:' is not allowed",
        "--warm-up auto:10s   | --warm-up=auto:10s | a bound above 10.0 s",
        "--warm-up auto:9s..1m | --warm-up    | the shortest warm-up is at least 10.0 s",
        "--warm-up auto:59500ms..1m | --warm-up=auto:59500ms..1m | a bound above 60.0 s, when the first interval",
        "--warm-up auto --interval 6s | --warm-up=auto is | a bound above 60.0 s",
        "--until p99          | --until        | as in p99+-5%",
        "--until max+-5%      | --until        | p50, p90, p99, p99.9 or p99.99",
        "--until p99+-0%      | --until        | from 0.1% to 50%",
        "--until p99+-51%     | --until        | from 0.1% to 50%",
        "--until p99+-5% -d 29s | --duration=29s | at least 30 times --interval",
        "--until p99+-5% --snapshot-every 5s | --until=p99+-5% | not given with --snapshot-every",
        "--until p99+-5% --churn 5 | --until=p99+-5% | not given with --churn",
        "--churn 0            | --churn        | '0' is not allowed",
        "--churn 1001         | --churn=1001   | 1 to 1000 sessions per second",
        "--churn 5 -d 1s --warm-up 749ms | --warm-up=749 | due after one --interval",
        "--churn 5 --warm-up auto | --warm-up=auto | a time with --churn",
        "--churn 5 --transport memory | --churn=5 | only with --transport cluster and the echo service",
        "--until p99+-5% --clients 2 | --until=p99+-5% | not given with --clients",
        "--warm-up auto --clients 2 | --warm-up=auto | a time with --clients",
        "-d 0s                | --duration=0s  | at least one message",
        "--rate 1k --rate 2k  | --rate         | only once",
        "-r 1k --rate 2k      | --rate         | only once",
        "--arrivals uniform   | --arrivals     | constant, poisson",
        "--connections 0      | --connections  | at least 1",
        "--connections 2000   | --connections=2000 | 1 to 1000",
        "--assert q98<1ms     | --assert       | p99<1ms,lost==0",
        "--label=             | --label        | printable",
        "--interval 1ms       | --interval=1ms  | at least 100ms",
        "--endpoints nonsense | --endpoints=nonsense | 0=127.0.0.1:20000",
        "--driver rust        | --driver=rust  | java, embedded, c or external",
        "--driver external    | --driver-dir=  | the folder of a running media driver",
        "--driver-dir /x      | --driver-dir=/x | unless the driver is external",
        "--driver-send-vector 8 | --driver-send-vector=8 | must not be set with --driver=java",
        "--driver c --driver-command /no/such | --driver-command=/no/such | a program, with its path",
        "--core 4000          | --core=4000    | auto, any, or one of the processors",
        "--core first         | --core=first   | auto, any, or one of the processors",
        "--duty-cycle-interval 1ms | --duty-cycle-interval=1ms | auto, or a time from 0us to 500us",
        "--duty-cycle-interval soon | --duty-cycle-interval=soon | auto, or a time from 0us to 500us",
        "--mtu 1000           | --mtu=1000     | a multiple of 32",
        "--sizes 288          | --sizes        | --size",
        "--rate 1M --duration 100h | the length of the run | fit half the heap" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        final String[] args = ("--output " + folder + " " + arguments).split(" ");
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldNameTheLineOfATraceThatCannotBeUsed() throws IOException
    {
        final Path trace = Files.writeString(folder.resolve("a.csv"), "\uFEFFtime_s,bytes\n0,288\n1e-4,288\n");
        assertThat(LoadClient.execute(new String[]{ "--trace", trace.toString() })).isEqualTo(2);
        assertThat(streams.err()).startsWith(
            "error: --trace=" + trace + " line 3: '1e-4' is not allowed: a time in s: digits, with at most 9 decimals");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "plain | --delivery exactly-once | --delivery=exactly-once | at-most-once",
        "plain | --service echo          | --service=echo          | plain",
        "echo  | --service plain         | --service=plain         | echo",
        "plain | --stages                | --stages=true           | echo.stages=true",
        "echo  | --stages                | --stages=true           | echo.stages=true",
        "echo  | --stages --transport memory | --stages=true       | --transport cluster",
        "echo  | --snapshot-every 1s --transport memory | --snapshot-every=1s | a cluster that was started",
        "echo  | --snapshot-every 1s --endpoints 0=127.0.0.1:1 | --snapshot-every=1s | a cluster that was started",
        "echo  | --journal --clients 2 | --journal=true | only for one client",
        "echo  | --snapshot-every 5s --duration 5s | --snapshot-every=5s | less than --duration",
        "echo  | --snapshot-every 0s     | --snapshot-every=0s     | more than 0",
        "echo  | --snapshot-every 2s --warm-up 1s --interval 5s | --snapshot-every=2 | last for one --interval",
        "echo  | --receivers 0           | '0' is not allowed      | at least 1",
        "echo  | --receivers 101         | --receivers=101         | 1 to 100",
        "echo  | --receivers 2 --warm-up auto | --warm-up=auto    | a time with --receivers",
        "echo  | --receivers 2 --clients 2 | --receivers=2         | a run of one client",
        "echo  | --receivers 2 --transport memory | --receivers=2  | only with --transport cluster and the echo service",
        "plain | --receivers 2           | --receivers=2           | only with --transport cluster and the echo service",
        "echo  | --receivers 100 --rate 1M --duration 2m | --receivers=100 | fit a quarter of the heap",
        "plain | --churn 5               | --churn=5               | only with --transport cluster and the echo service",
        "echo  | --snapshot-every 5s --warm-up auto | --warm-up=auto | a time with --snapshot-every",
        "echo  | --service plain --transport memory | --service=plain | not given with --transport memory" })
    void shouldRefuseWhatTheMembersDoNotDo(
        final String service, final String arguments, final String option, final String allowed) throws IOException
    {
        final Path cluster = Files.createDirectory(folder.resolve("cluster"));
        Files.writeString(
            cluster.resolve("cluster.properties"), "ingress.endpoints=0=127.0.0.1:1\necho.service=" + service + "\n");
        final String[] args = ("--output " + folder.resolve("out") + " --base-dir " + cluster + " " + arguments).split(" ");
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({ "--base-dir DIR", "DIR/member-0" })
    void shouldOnlyCompareTheLogsOfMembersThatRunAServiceOfTheUser(final String folders) throws IOException
    {
        final Path cluster = Files.createDirectories(folder.resolve("cluster/member-0")).getParent();
        Files.writeString(cluster.resolve("cluster.properties"), "echo.service.class=com.example.Orders\n");

        assertThat(LoadClient.execute(("audit " + folders.replace("DIR", cluster.toString())).split(" "))).isZero();

        assertThat(streams.out()).contains("no journal was given", "note: the service is not the echo");
    }

    @ParameterizedTest
    @CsvSource({ "--base-dir DIR", "--base-dir=DIR" })
    void shouldNameTheFolderOfAClusterAsTheCommandsOfItsMembersDo(final String option)
    {
        final String dir = folder.resolve("none").toString();
        assertThat(LoadClient.execute(("audit " + option.replace("DIR", dir)).split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("--base-dir=" + dir + " is not allowed");

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "--help-all" })).isZero();
        assertThat(streams.out()).contains("--base-dir=DIR").doesNotContain("--cluster-dir");
    }

    @Test
    void shouldRefuseALoadThatFillsTheDiskOfTheMembersUnlessTheirLogsArePurged() throws IOException
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put("echo.base.dir", folder.toString(), "test")
            .put("echo.base.port", String.valueOf(FreePorts.block()), "test");
        final Cluster cluster = Cluster.of(settings, null, null);
        new ClusterFiles(folder).write(cluster.shared(), cluster.config().members());
        Files.createDirectory(folder.resolve("member-0"));
        Files.createDirectory(folder.resolve("member-1"));
        // 1 TB in all.
        final String load = "--connect-timeout 300ms --warm-up 0s --size 60k --rate 100k --base-dir " + folder + " --output " +
            folder.resolve("out") + " -d ";

        assertThat(LoadClient.execute((load + "100s").split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("--duration=100s is not allowed: at most ").contains(" 2 members on ")
            .contains(" MB a second").contains("retain --every 1m --base-dir " + folder);

        streams.clear();
        assertThat(LoadClient.execute((load + "1ms").split(" "))).as(streams.err()).isEqualTo(3);
        final Process retain = new ProcessBuilder("bash", "-c", "sleep 60; true", "retain", "--every", "1m").start();
        try
        {
            streams.clear();
            assertThat(LoadClient.execute((load + "100s").split(" "))).as(streams.err()).isEqualTo(3);
        }
        finally
        {
            retain.descendants().forEach(ProcessHandle::destroy);
            retain.destroy();
        }
    }

    @Test
    void shouldCompleteCommandsAndOptionsInAShell() throws IOException, InterruptedException
    {
        assertThat(LoadClient.execute(new String[]{ "generate-completion" })).isZero();
        final Path script = Files.writeString(folder.resolve("completion"), streams.out());
        final Process shell = new ProcessBuilder(
            "bash", "-c", "source " + script + "; COMP_WORDS=(load-client --dur); COMP_CWORD=1; " +
            "$(complete -p load-client | sed 's/.*-F \\([^ ]*\\).*/\\1/'); echo \"${COMPREPLY[@]}\"")
            .redirectErrorStream(true).start();
        final String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
        assertThat(said).contains("--duration");
    }

    @Test
    void shouldNameItsVersionsWithEachCommand()
    {
        for (final String command : new String[]{ "--version", "failover --version", "audit --version" })
        {
            streams.clear();
            assertThat(LoadClient.execute(command.split(" "))).isZero();
            assertThat(streams.out()).contains("cluster-echo ").contains("aeron 1.");
        }
    }

    @Test
    void shouldSayThatNoClusterIsThere() throws IOException
    {
        assertThat(LoadClient.execute(new String[]{
            "--output", folder.toString(), "--endpoints", "0=127.0.0.1:17871", "--connect-timeout", "300ms" })).isEqualTo(3);
        assertThat(streams.err()).contains("0=127.0.0.1:17871").contains("cluster-node.jar start");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldRefuseAResultFolderThatCannotBeMade() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(LoadClient.execute(new String[]{ "--transport", "memory", "--output", file + "/results" })).isEqualTo(2);
        assertThat(streams.err()).contains("'" + file + "/results' is not allowed: a folder that can be created");
    }

    @Test
    void shouldTakeDefaultsFromAFileAndRefuseItsUnknownKeys() throws IOException
    {
        final Path good = Files.writeString(folder.resolve("good"), "rate=0\n");
        assertThat(LoadClient.execute(new String[]{ "--config", good.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("'0' is not allowed");

        streams.clear();
        final Path bad = Files.writeString(folder.resolve("bad"), "rat=100\n");
        assertThat(LoadClient.execute(new String[]{ "--config=" + bad })).isEqualTo(2);
        assertThat(streams.err()).contains("rat=100").contains(bad.toString());
    }

    @ParameterizedTest
    @CsvSource({ "max-rate", "failover", "matrix", "ping-pong" })
    void shouldTakeDefaultsOfAnyLoadFromAFile(final String command) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("defaults"), "size=64,128\nconnections=0\n");
        assertThat(LoadClient.execute(new String[]{ command, "--config", file.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("'0' is not allowed");
    }

    @Test
    void shouldCheckOutputPathsBeforeTheLoad()
    {
        final String missing = folder.resolve("missing").resolve("x.xml").toString();
        for (final String[] output : new String[][]{
            { "run", "--junit", missing }, { "run", "--junit", folder.toString() }, { "run", "--output", "" },
            { "run", "--output", "/dev/null/x" }, { "calibrate", "--output", "" }, { "calibrate", "--output", "/dev/null/x" },
            { "failover", "--output", "/dev/null/x" }, { "trend", "--output", missing }, { "trend", "--markdown", missing },
            { "compare", "--markdown", missing }, { "report", "--output", missing } })
        {
            streams.clear();
            assertThat(LoadClient.execute(new String[]{ output[0], output[1], output[2], folder.toString() })).isEqualTo(2);
            assertThat(streams.err()).startsWith("error: ").contains(output[1]).contains("'" + output[2] + "' is not allowed");
            assertThat(streams.out()).isEmpty();
        }
    }

    @Test
    void shouldPrintErrorsAsJson() throws IOException
    {
        assertThat(LoadClient.execute(new String[]{ "--json", "--interval", "1ms" })).isEqualTo(2);
        final JsonNode error = new ObjectMapper().readTree(streams.err());
        assertThat(error.get("error").asText()).isEqualTo("--interval=1ms is not allowed: at least 100ms");
        assertThat(error.get("exitStatus").asInt()).isEqualTo(2);

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "--json-lines", "--interval", "1ms" })).isEqualTo(2);
        assertThat(new ObjectMapper().readTree(streams.err())).isEqualTo(error);

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "--json", "--sizes", "1" })).isEqualTo(2);
        assertThat(new ObjectMapper().readTree(streams.err()).get("error").asText()).contains("--sizes").contains("--size");
    }

    @Test
    void shouldHaveHelpThatFitsOneScreenAndALongOne()
    {
        assertThat(LoadClient.execute(new String[]{ "max-rate", "--help" })).isZero();
        final String brief = streams.out();
        assertThat(brief).startsWith("Usage: load-client max-rate [OPTIONS]").contains("Examples:").contains("Most used options:")
            .contains("--help-all explains the other options").contains("Exit status:").doesNotContain("Ingress endpoints");

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "help", "max-rate" })).isZero();
        assertThat(streams.out()).isEqualTo(brief);

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "max-rate", "--help-all" })).isZero();
        assertThat(streams.out()).contains("Ingress endpoints").contains("Media driver:").contains("Options:");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--help", "run --help", "max-rate --help", "overload --help", "matrix --help", "ping-pong --help", "failover --help",
        "chaos --help", "rollout --help" })
    void shouldFitHelpIntoSeventyLines(final String arguments)
    {
        assertThat(LoadClient.execute(arguments.split(" "))).isZero();
        assertThat(streams.err()).isEmpty();
        assertThat(streams.out()).contains("  -h, --help  ").doesNotContain("${").doesNotContain("%%");
        final List<String> lines = streams.out().lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(70);
        assertThat(lines.subList(lines.indexOf("Examples:") + 1, lines.indexOf("Most used options:")))
            .filteredOn((line) -> line.contains("load-client")).hasSizeGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "ping-pong,--rate", "max-rate,--assert", "failover,--endpoints", "failover,--clients", "matrix,--mtu",
        "matrix,--aeron-dir", "worker,--aeron-dir" })
    void shouldNeitherListNorTakeOptionsOfOtherLoads(final String command, final String option)
    {
        assertThat(LoadClient.execute(new String[]{ command, "--help-all" })).isZero();
        assertThat(streams.out()).doesNotContainPattern(option + "[ =]");

        streams.clear();
        final String value = "--assert".equals(option) ? "lost==0" : "--mtu".equals(option) ? "8192" : "2";
        final String[] args = "matrix".equals(command) ?
            new String[]{ command, option, value, "quick" } : new String[]{ command, option, value };
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).contains(option).contains("Unknown option");
    }

    @ParameterizedTest
    @CsvSource({ "failover,true", "matrix,true", "compare,false", "trend,false", "calibrate,false" })
    void shouldNameTheCommandsForAnyClusterOnlyToThoseThatTakeOne(final String command, final boolean isHinted)
    {
        assertThat(LoadClient.execute(new String[]{ command, "--endpoints", "0=127.0.0.1:20000", "a" })).isEqualTo(2);
        assertThat(streams.err().contains("max-rate and overload measure any cluster")).isEqualTo(isHinted);
    }

    @Test
    void shouldPrintOneScreenUnlessAskedForAll() throws IOException
    {
        final String run =
            "--transport memory --idle sleep -r 1k -s 64 --warm-up 100ms -d 300ms --interval 100ms -q -o " + folder;
        LoadClient.execute(run.split(" "));
        assertThat(streams.out().lines()).hasSizeLessThan(25).anyMatch((line) -> line.startsWith("response time"));
        final int shortCount = (int)streams.out().lines().count();

        streams.clear();
        LoadClient.execute((run + " --verbose").split(" "));
        final String all = streams.out();
        assertThat(all.lines()).hasSizeGreaterThan(shortCount);
        try (Stream<Path> files = Files.walk(folder))
        {
            assertThat(files.filter((file) -> file.endsWith("summary.txt"))).anySatisfy((file) ->
                assertThat(file).hasContent(all));
        }
    }

    @Test
    void shouldNameTheFolderByALabelWithBlanks() throws IOException
    {
        LoadClient.execute(new String[]{
            "--transport", "memory", "--idle", "sleep", "-r", "1k", "-s", "64", "--warm-up", "100ms", "-d", "300ms", "--interval",
            "100ms", "-q", "--json", "-o", folder.toString(), "--label", "Nightly: 2 x NVMe" });
        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(manifest.get("label").asText()).isEqualTo("Nightly: 2 x NVMe");
        assertThat(manifest.get("resultFolder").asText()).endsWith("-Nightly-2-x-NVMe");
    }

    @Test
    void shouldPrintIntervalsAndTheResultAsLinesOfJson() throws IOException
    {
        LoadClient.execute((
            "run --transport memory --idle sleep --rate 1000 --size 64 --warm-up 600ms --duration 1s --interval 200ms " +
            "--json-lines --output " +
            folder).split(" "));
        assertThat(streams.err()).as("no live line next to them").isEmpty();
        final List<JsonNode> lines = new ArrayList<>();
        for (final String line : streams.out().lines().toList())
        {
            lines.add(new ObjectMapper().readTree(line));
        }
        final JsonNode manifest = lines.remove(lines.size() - 1);
        final Path result = Path.of(manifest.get("resultFolder").asText());
        assertThat(new ObjectMapper().readTree(result.resolve("manifest.json").toFile())).isEqualTo(manifest);

        final CsvTable rows = CsvTable.read(result.resolve("intervals.csv"));
        assertThat(lines).hasSize(rows.rowCount()).isNotEmpty();
        for (int i = 0; i < lines.size(); i++)
        {
            final JsonNode line = lines.get(i);
            assertThat(String.format(Locale.ROOT, "%.3f", line.get("beginNs").asLong() / 1e9))
                .isEqualTo(rows.text(i, "begin_s"));
            assertThat(line.get("phase").asText()).isEqualTo(rows.text(i, "phase"));
            assertThat(line.get("sent").asText()).isEqualTo(rows.text(i, "sent"));
            assertThat(line.get("inFlight").asText()).isEqualTo(rows.text(i, "in_flight"));
            assertThat(line.at("/responseTimeNs/count").asLong(1)).as("messages with times in %s", line).isPositive();
        }
        assertThat(lines).extracting((line) -> line.get("phase").asText()).isSubsetOf("warm_up", "measure", "drain");
        assertThat(lines.stream().mapToLong((line) -> line.at("/responseTimeNs/count").asLong()).sum())
            .isEqualTo(manifest.get("answered").asLong() + manifest.get("late").asLong());
        assertThat(lines.get(0).path("responseTimeNs").isObject()).as("times of the warm-up").isFalse();
        final JsonNode measured =
            lines.stream().filter((line) -> line.path("responseTimeNs").isObject()).findFirst().orElseThrow();
        final ObjectNode ofRun = manifest.get("responseTimeNs").deepCopy();
        assertThat(ofRun.remove("confidence95Missing").path("p99").asText())
            .startsWith("the measured window has ").contains("fewer than 20");
        assertThat(ofRun.remove("confidence95")).as("bounds of a run that is too short for them").isNotNull().isEmpty();
        assertThat(ofRun.fieldNames()).toIterable().containsAll(() -> measured.get("responseTimeNs").fieldNames());
    }

    @Test
    void shouldRefuseTwoFormsOfAResult()
    {
        assertThat(LoadClient.execute(new String[]{ "--transport", "memory", "--json", "--json-lines" })).isEqualTo(2);
        assertThat(streams.err()).contains("--json-lines or --json, not both");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldKeepAWholeResult() throws IOException
    {
        final int status = LoadClient.execute((
            "run --transport memory --idle sleep --rate 1000 --size 64 --warm-up 200ms --duration 1s --interval 500ms " +
            "--label first " +
            "--assert lost==0,max<60s --json --quiet --output " + folder).split(" "));
        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(status).as(manifest.at("/verdict").toString()).isIn(0, 4);
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(1_000);
        assertThat(
            manifest.get("answered").asLong() + manifest.get("late").asLong() + manifest.get("unanswered").asLong() +
            manifest.get("neverSent").asLong()).isEqualTo(1_000);
        assertThat(manifest.at("/configuration/rate").asText()).isEqualTo("1000");
        assertThat(manifest.at("/configuration/assert").asText()).isEqualTo("lost==0,max<60s");
        for (final String time : new String[]{ "responseTimeNs", "serviceTimeNs", "sendDelayNs", "receiveLatenessNs" })
        {
            assertThat(manifest.get(time).fieldNames()).toIterable()
                .contains("p50", "p90", "p99", "max").doesNotContain("p99.9", "p99.99");
        }
        assertThat(streams.err()).isEmpty();

        final Path result = Path.of(manifest.get("resultFolder").asText());
        try (Stream<Path> files = Files.list(result))
        {
            assertThat(files.map((file) -> file.getFileName().toString())).containsExactlyInAnyOrder(
                "manifest.json", "summary.txt", "intervals.csv", "response-time.hlog", "service-time.hlog",
                "send-delay.hlog", "receive-lateness.hlog", "client-part.hlog", "stall.hlog", "response-time.hgrm",
                "service-time.hgrm", "send-delay.hgrm", "receive-lateness.hgrm", "counters.csv", "machine.csv",
                "slowest-messages.json", "report.html");
        }
        assertThat(result.resolve("manifest.json")).hasContent(streams.out());
        long logged = 0;
        final HistogramLogReader reader = new HistogramLogReader(result.resolve("response-time.hlog").toFile());
        while (reader.hasNext())
        {
            logged += ((org.HdrHistogram.AbstractHistogram)reader.nextIntervalHistogram()).getTotalCount();
        }
        reader.close();
        assertThat(logged).isEqualTo(1_000);
    }

    @Test
    void shouldMeasureUntilAPercentileIsKnown() throws IOException
    {
        LoadClient.execute((
            "run --transport memory --idle sleep --memory-delay 5ms --rate 2k --size 64 --warm-up 0s --until p50\u00b150% " +
            "--interval 100ms " +
            "--json --quiet --output " + folder).split(" "));
        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        final JsonNode until = manifest.get("until");
        assertThat(until.get("goal").asText()).isEqualTo("p50+-50%");
        assertThat(until.get("endedBy").asText()).isEqualTo("precise");
        assertThat(until.get("boundNs").asLong()).isEqualTo(600_000_000_000L);
        // The intervals that follow the look may leave no bounds, on a busy machine.
        assertThat(until.path("halfWidthShare").asDouble(0)).isLessThan(0.6);
        assertThat(until.has("halfWidthShare")).isNotEqualTo(until.has("missing"));
        // The first look is after 30 intervals; a busy machine needs more of them.
        assertThat(until.get("lengthNs").asLong()).isBetween(2_900_000_000L, until.get("boundNs").asLong() - 1);
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(until.get("lengthNs").asLong() / 500_000);
        assertThat(
            manifest.get("answered").asLong() + manifest.get("late").asLong() + manifest.get("unanswered").asLong() +
            manifest.get("neverSent").asLong()).isEqualTo(manifest.get("scheduled").asLong());
        assertThat(manifest.at("/verdict/partial").asBoolean()).isFalse();
        assertThat(manifest.at("/configuration/until").asText()).isEqualTo("p50+-50%");
        assertThat(manifest.has("warmUp")).isFalse();
        assertThat(Path.of(manifest.get("resultFolder").asText()).resolve("summary.txt")).content()
            .contains("window     measured for ").containsPattern(", until p50\\+-50%: (\\+-|no bounds)");
    }

    @Test
    void shouldPutRunsIntoOneReport() throws IOException
    {
        final String run =
            "run --transport memory --idle sleep --rate 1000 --size 64 --warm-up 100ms --duration 300ms --interval 100ms " +
            "--quiet --output ";
        LoadClient.execute((run + folder + "/results").split(" "));
        LoadClient.execute((run + folder + "/results").split(" "));
        final Path page = folder.resolve("both.html");
        final String[] args;
        try (Stream<Path> results = Files.list(folder.resolve("results")))
        {
            args = Stream.concat(
                Stream.of("report", "--output", page.toString()), results.map(Path::toString)).toArray(String[]::new);
        }
        assertThat(args).hasSize(5);
        assertThat(LoadClient.execute(args)).as(streams.err()).isZero();
        assertThat(page).content().contains("<title>2 runs, ");
        assertThat(streams.out()).endsWith("report in " + page + System.lineSeparator());
    }

    @Test
    void shouldRefuseToReportOnWhatIsNoResult()
    {
        assertThat(LoadClient.execute(new String[]{ "report", folder.toString() })).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: " + folder).contains("no manifest.json");
        assertThat(folder).isEmptyDirectory();

        streams.clear();
        assertThat(LoadClient.execute(new String[]{ "report" })).isEqualTo(2);
        assertThat(streams.err()).contains("DIR");
    }
}
