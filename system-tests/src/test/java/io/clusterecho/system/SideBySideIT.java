package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.testing.FreePorts;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison of builds over fresh starts, with one build. */
@Tag("slow")
@Tag("alone")
class SideBySideIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final String ROOT = EchoCluster.ROOT.toString();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "|no side: allowed are NAME=ours:FOLDER and NAME=rig:FOLDER",
        "a=theirs:x|a=theirs:x: allowed are --rates",
        "--starts 0 a=rig:x|--starts 0: allowed is a whole number above 0",
        "--rates 1k a=rig:x|--rates 1k: allowed: whole numbers above 0",
        "--rates|--rates needs a value",
        "a=ours:/nowhere|a=ours:/nowhere: /nowhere has no cluster-node.jar and load-client.jar",
        "--seed x a=rig:x|--seed x: allowed is a whole number above 0",
        "a=rig:/nowhere,driver=d|a=rig:/nowhere,driver=d: allowed after the folder are ,driver=c ,pinned and ,client=",
        "a=ours:/x,client=ours:/x|a=ours:/x,client=ours:/x: allowed for a client are ,client=rig:FOLDER beside ours:",
        "a=rig:/x,client=ours:/y|a=rig:/x,client=ours:/y: /y has no cluster-node.jar and load-client.jar",
        "a=rig:/nowhere,pinned|a=rig:/nowhere,pinned: /nowhere has no jar",
        "a=rig:/nowhere|a=rig:/nowhere: /nowhere has no jar"})
    void shouldRefuse(final String arguments, final String problem)
    {
        final CommandResult result = run(null == arguments ? new String[0] : arguments.split(" "));

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains("side-by-side.sh: " + problem);
    }

    @Test
    void shouldTakeOurClientBesideMembersOfTheRig() throws IOException
    {
        Files.createFile(folder.resolve("rig.jar"));
        final CommandResult result = run("a=rig:" + folder + ",client=ours:" + ROOT, "b=ours:/nowhere");

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).startsWith("side-by-side.sh: b=ours:/nowhere: /nowhere has no cluster-node.jar");
    }

    @Test
    void shouldKeepTheRowsOfAnotherComparison() throws IOException
    {
        final Path rows = Files.writeString(folder.resolve("rows.csv"), "of another");
        final CommandResult result = run("--output", folder.toString(), "a=ours:" + ROOT);

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains("it has the rows.csv of another comparison");
        assertThat(rows).hasContent("of another");
    }

    @Test
    void shouldRefuseAFolderThatMayHaveACluster() throws IOException
    {
        final Path members = Files.createDirectory(folder.resolve("members"));
        final Path kept = Files.writeString(members.resolve("kept"), "");
        final CommandResult result = run("a=ours:" + ROOT + ",--base-dir=" + members);

        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains("--base-dir " + members + " is not empty");
        assertThat(kept).exists();
    }

    @Test
    void shouldRecordEachRunOfEachStart() throws IOException
    {
        final String first = "first=ours:" + ROOT + ",--set=echo.base.port=" + FreePorts.block();
        final String second = "second=ours:" + ROOT + ",--set=echo.base.port=" + FreePorts.block() +
            ",--base-dir=" + folder.resolve("elsewhere");
        final CommandResult result = run(
            "--starts", "1", "--rates", "200,500", "--warm-up", "1", "--duration", "1", "--output", folder.toString(), first,
            second);

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).hasSize(5).element(1).asString()
            .matches("1,(first|second),200,(GOOD|CLIENT-LIMITED),[0-9.]+,,,[0-9.]+,1,none,[0-9.]+,unknown,[0-9]+,[0-9]+");
        assertThat(result.out()).contains("p99, median (worst), ms").contains("0 of 4 in all");
        assertThat(folder.resolve("1-second-500.json")).isNotEmptyFile();
        assertThat(folder).isDirectoryNotContaining("glob:**members*");
        assertThat(Files.readString(folder.resolve("1-second-500.json"))).contains(folder.resolve("elsewhere").toString());
        assertThat(folder.resolve("elsewhere")).as("made by the script").doesNotExist();
    }

    @Test
    void shouldKeepTheRowOfARunWithoutAResult() throws IOException
    {
        final CommandResult result = run(
            "--starts", "1", "--rates", "500", "--warm-up", "1", "--duration", "1", "--output", folder.toString(),
            "broken=ours:" + ROOT + ",--set=echo.mtu=7");

        assertThat(result.exitCode()).as("%s", result).isEqualTo(4);
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).element(1).asString().startsWith("1,broken,500,,,,,,,,,,");
        assertThat(result.out()).contains("echo.mtu");
    }

    /** The second run is one in which a member took no part. */
    @Test
    void shouldNotCountARunThatTheJudgeFailed() throws IOException
    {
        final String results = ROOT + "/results/";
        final Path build = stub(String.join("\n",
            "case \"$*\" in",
            "*/2-stub-*) result=" + results + "reference-20261128-two-cores/20261128-003304-140k ;;",
            "*) result=" + results + "reference-20261126-demo ;;",
            "esac",
            "while [[ $1 != --output ]]; do shift; done",
            "mkdir -p \"$2/run\" && cp \"$result/manifest.json\" \"$2/run\"",
            "exit 4"));
        final Path output = folder.resolve("output");
        final CommandResult result = run(
            "--starts", "3", "--rates", "500", "--seed", "7", "--output", output.toString(), "stub=ours:" + build);

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(Files.readAllLines(output.resolve("rows.csv")).subList(1, 4)).satisfiesExactly(
            (row) -> assertThat(row).startsWith("1,stub,500,GOOD,50.751,"),
            (row) -> assertThat(row).startsWith("2,stub,500,FAILED,160.895,"),
            (row) -> assertThat(row).startsWith("3,stub,500,GOOD,50.751,"));
        assertThat(result.out()).contains("--seed 7").contains("1 of 3 in all")
            .containsPattern("stub +500 +51 \\(51\\) +1.7 \\(1.7\\) +2 of 2 +1 ");
    }

    /** The rig adds .FAIL to the names of its histogram and of the table beside it. The processes of this rig do nothing else. */
    @Test
    void shouldJudgeARunThatTheRigCallsFailed() throws IOException
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(250), 500);
        histogram.setStartTimeStamp(0);
        histogram.setEndTimeStamp(1_000);
        final Path log = folder.resolve("histogram");
        final HistogramLogWriter writer = new HistogramLogWriter(log.toFile());
        writer.outputIntervalHistogram(0, 1, histogram);
        writer.close();
        final Path jars = Files.createDirectories(folder.resolve("rig"));
        Files.createFile(jars.resolve("rig.jar"));
        Files.createDirectories(folder.resolve("jdk/bin"));
        executable(folder.resolve("jdk/bin/java"), String.join("\n",
            "all=\"$*\"",
            "case \"$all\" in",
            "*LoadTestRig*)",
            "    output=\"${all#*output.directory=}\" && output=\"${output%% *}\"",
            "    touch \"$output/rig-1.hdr.csv.FAIL\" && cp " + log + " \"$output/rig-1.hdr.FAIL\" ;;",
            "*ClusterNode*|*MediaDriver*) exec sleep 600 ;;",
            "*) exec " + ProcessHandle.current().info().command().orElseThrow() + " \"$@\" ;;",
            "esac"));
        final List<String> command = new ArrayList<>(List.of("env", "JAVA_HOME=" + folder.resolve("jdk")));
        command.addAll(command(
            "--starts", "1", "--rates", "500", "--warm-up", "1", "--duration", "1", "--output", folder.toString(),
            "rig=rig:" + jars));
        final CommandResult result = RunningCommand.start(command, folder).await(TIMEOUT_NS);

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).last().asString().startsWith("1,rig,500,FAILED,250.");
        assertThat(folder.resolve("1-rig-500.hdr")).hasSameTextualContentAs(log);
    }

    @Test
    void shouldDrawTheOrderFromTheSeed() throws IOException
    {
        final Path build = stub("exit 0");
        final List<List<String>> orders = new ArrayList<>();
        for (final String seed : List.of("1", "1", "2"))
        {
            final Path output = folder.resolve("output" + orders.size());
            run("--starts", "6", "--rates", "500", "--seed", seed, "--output", output.toString(),
                "a=ours:" + build, "b=ours:" + build, "c=ours:" + build);
            orders.add(Files.readAllLines(output.resolve("rows.csv")).stream().skip(1).map((row) -> row.substring(0, 3))
                .toList());
        }
        assertThat(orders.get(0)).hasSize(18).isEqualTo(orders.get(1)).isNotEqualTo(orders.get(2));
    }

    /** Sums above 2^31, which awk may print as 3e+09, and a client that only adds to them. */
    @Test
    void shouldSubtractTheSumsOfAMachineThatHasRunForMonths() throws IOException
    {
        final Path stat = Files.writeString(folder.resolve("stat"), stat(3_000_000_000L).translateEscapes());
        final Path pages = Files.writeString(folder.resolve("vmstat"), pages(3_000_000_000L).translateEscapes());
        final Path build = stub(
            "printf '" + stat(3_000_000_050L) + "' > " + stat + "; printf '" + pages(3_000_000_256L) + "' > " + pages);
        final List<String> command = new ArrayList<>(PrivateMounts.words(
            "mount --bind " + stat + " /proc/stat; mount --bind " + pages + " /proc/vmstat"));
        command.addAll(command(
            "--starts", "1", "--rates", "500", "--output", folder.toString(), "stub=ours:" + build));
        final CommandResult result = RunningCommand.start(command, folder).await(TIMEOUT_NS);

        assertThat(result.exitCode()).as("%s", result).isEqualTo(4);
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).last().isEqualTo(
            "1,stub,500,,,,,,,,,," + 50 * 1_000 / configuration("CLK_TCK") + "," + 256 * configuration("PAGESIZE") / 1_024);
    }

    private static String stat(final long steal)
    {
        return "cpu  1 2 3 4 5 6 7 " + steal + " 9 10\\n";
    }

    private static String pages(final long written)
    {
        return "nr_free_pages 1\\nnr_written " + written + "\\nnr_dirtied 2\\n";
    }

    /** A build whose client does this. */
    private Path stub(final String client) throws IOException
    {
        final Path build = Files.createDirectories(folder.resolve("build/bin")).getParent();
        Files.createFile(build.resolve("cluster-node.jar"));
        Files.createFile(build.resolve("load-client.jar"));
        executable(build.resolve("bin/cluster-node"), "exit 0");
        executable(build.resolve("bin/load-client"), client);
        return build;
    }

    private static void executable(final Path file, final String body) throws IOException
    {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private long configuration(final String name)
    {
        return Long.parseLong(
            RunningCommand.start(List.of("getconf", name), folder).await(TIMEOUT_NS).out().strip());
    }

    private CommandResult run(final String... arguments)
    {
        return RunningCommand.start(command(arguments), folder).await(TIMEOUT_NS);
    }

    private static List<String> command(final String... arguments)
    {
        final List<String> command = new ArrayList<>(List.of(ROOT + "/scripts/side-by-side.sh"));
        command.addAll(List.of(arguments));
        return command;
    }
}
