package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.xml.parsers.DocumentBuilderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.foreign.SampleForeign;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class CompareCommandTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String[] TIMES = { "responseTimeNs", "serviceTimeNs", "sendDelayNs", "stallNs" };
    private static final String[] PERCENTILES = { "p50", "p90", "p99", "p99.9", "p99.99", "max" };

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;
    private int runCount;

    @Test
    void shouldProveNothingOfSamplesThatLieTogether() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95, 102 }, new double[]{ 101, 97, 110, 99, 105, 96 });
        assertThat(compare()).isZero();
        assertThat(said()).startsWith("no change of 5% or more is proven\n")
            .containsPattern("response time p50 +100 us {2}95\\.0 us \\.\\. 111 us +99\\.0 us {2}96\\.0 us \\.\\. 110 us +~ ")
            .doesNotContain("worse").doesNotContain("better").doesNotContain("differs").doesNotContain("note");
    }

    @Test
    void shouldFailOnARegression() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95, 102 }, new double[]{ 121, 127, 130, 119, 125, 126 });
        final Path markdown = folder.resolve("summary.md");
        final Path junit = folder.resolve("junit.xml");
        assertThat(compare("--markdown", markdown.toString(), "--junit", junit.toString())).isEqualTo(99);
        assertThat(said()).startsWith("REGRESSION: 5 of 5 worse, 0 better, by 5% or more\n")
            .containsPattern("response time p99\\.9 +.* \\+25\\.0% +0\\.0108  worse");
        assertThat(markdown).content().startsWith("### REGRESSION: 5 of 5 worse").contains("| +25.0% | 0.0108 | worse |");
        final Element suite = suite(junit);
        assertThat(suite.getAttribute("tests")).isEqualTo("6");
        assertThat(suite.getAttribute("failures")).isEqualTo("5");
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(5);

        assertThat(LoadClient.execute(new String[]{ "compare", dir("b"), dir("a") })).as("the other way round").isZero();
        assertThat(said()).contains("no regression: 0 of 5 worse, 5 better");
    }

    @Test
    void shouldNotFailOnAChangeThatIsTooSmallToMatter() throws IOException
    {
        writeInTurn(
            new double[]{ 100, 100.1, 100.2, 100.3, 100.4, 100.5 }, new double[]{ 103, 103.1, 103.2, 103.3, 103.4, 103.5 });
        assertThat(compare()).isZero();
        assertThat(said()).startsWith("no change of 5% or more is proven");
        assertThat(compare("--min-effect", "1%")).isEqualTo(99);
        assertThat(compare("--min-effect", "0.029", "--metric", "service.p99")).isEqualTo(99);
        assertThat(said()).contains("service time p99 ").doesNotContain("response time");
    }

    @Test
    void shouldSayAsJsonWhatItFound() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95, 102 }, new double[]{ 51, 57, 50, 59, 55, 56 });
        assertThat(compare("--json", "--metric", "p99,rate")).isZero();
        final JsonNode json = MAPPER.readTree(said());
        assertThat(json.at("/format").asText()).isEqualTo("cluster-echo-comparison/1");
        assertThat(json.at("/outcome").asText()).isEqualTo("NO REGRESSION");
        assertThat(json.at("/changes/0/outcome").asText()).isEqualTo("BETTER");
        assertThat(json.at("/changes/0/a/median").asDouble()).isEqualTo(300_000);
        assertThat(json.at("/changes/0/a/low").asDouble()).isEqualTo(285_000);
        assertThat(json.at("/changes/0/a/confidence").asDouble()).isEqualTo(0.96875);
        assertThat(json.at("/changes/0/change").asDouble()).isCloseTo(55.0 / 100 - 1, within(1e-12));
        assertThat(json.at("/changes/0/p").asDouble()).isCloseTo(2 / 924.0, within(1e-12));
        assertThat(json.at("/changes/0/adjustedP").asDouble()).isCloseTo(4 / 924.0, within(1e-12));
        assertThat(json.at("/changes/1/outcome").asText()).isEqualTo("UNPROVEN");
        assertThat(json.at("/a/runs")).hasSize(6);
    }

    @Test
    void shouldTakeMoreCoreTimeForTheWorse() throws IOException
    {
        for (int i = 0; i < 6; i++)
        {
            final double more = i / 100.0;
            write("a", 100, (manifest) -> manifest.putObject("cpuSecondsPerMillion").put("all", 40 + more));
            write("b", 100, (manifest) -> manifest.putObject("cpuSecondsPerMillion").put("all", 60 + more));
        }
        assertThat(compare("--metric", "cpu")).isEqualTo(99);
        assertThat(said()).contains("+50.0%").contains("40.02 s").contains("60.02 s");
    }

    @Test
    void shouldTakeALowerRateForTheWorse() throws IOException
    {
        for (int i = 0; i < 6; i++)
        {
            final int number = i;
            write("a", 100, (manifest) -> manifest.put("ratePerSecondAchieved", 9_990 + number));
            write("b", 100, (manifest) -> manifest.put("ratePerSecondAchieved", 8_000 + number));
        }
        assertThat(compare("--metric", "rate")).isEqualTo(99);
        assertThat(said()).contains("-19.9%").contains("9,992.0/s");
    }

    @Test
    void shouldShowMediansAndSayHowManyRunsAreNeededToDecide() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111 }, new double[]{ 221, 227, 230, 219 });
        final Path markdown = folder.resolve("summary.md");
        final Path junit = folder.resolve("junit.xml");
        assertThat(compare("--markdown", markdown.toString(), "--junit", junit.toString())).isEqualTo(2);
        assertThat(said()).startsWith("undecided: too few starts for a verdict; only the medians are shown\n")
            .contains("A has 4, B has 4; ").contains("need at least 5 starts each")
            .containsPattern("response time p50 +100 us +98\\.0 us \\.\\. 111 us +221 us +219 us \\.\\. 230 us +~ ")
            .doesNotContain("worse").doesNotContain("better");
        assertThat(markdown).content().contains("| response time p50 | 100 us | 98.0 us .. 111 us | 221 us |");
        final Element suite = suite(junit);
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getAttribute("skipped")).isEqualTo("5");
        assertThat(suite.getElementsByTagName("skipped").item(0).getTextContent()).contains("A 100 us");

        assertThat(compare("--json")).isEqualTo(2);
        final JsonNode json = MAPPER.readTree(said());
        assertThat(json.at("/outcome").asText()).isEqualTo("UNDECIDED");
        assertThat(json.at("/a/starts").asInt()).isEqualTo(4);
        assertThat(json.at("/changes").findValuesAsText("outcome")).hasSize(5).containsOnly("UNPROVEN");
        assertThat(json.at("/changes/0/a/median").asDouble()).isEqualTo(100_000);
        assertThat(compare("--metric", "p99")).as("fewer suffice for one metric").isEqualTo(99);
    }

    @Test
    void shouldDecideNothingOfManyRunsOfOneStart() throws IOException
    {
        for (int i = 0; i < 8; i++)
        {
            write("a", 100 + i, (manifest) -> manifest.withObject("/memberStart").put("id", "one"));
            write("b", 200 + i, (manifest) -> manifest.withObject("/memberStart").put("id", "other"));
        }
        assertThat(compare("--json")).isEqualTo(2);
        final JsonNode json = MAPPER.readTree(said());
        assertThat(json.at("/outcome").asText()).isEqualTo("UNDECIDED");
        assertThat(json.at("/a/starts").asInt()).isEqualTo(1);
        assertThat(json.at("/changes/0/a/median").asDouble()).isEqualTo(103_500);
        assertThat(json.at("/changes").findValuesAsText("outcome")).hasSize(5).containsOnly("UNPROVEN");
    }

    @Test
    void shouldTakeEachRunOfUnknownStartsForOneAndRemarkIt() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            write("a", 100 + i, (manifest) -> manifest.remove("memberStart"));
            write("b", 200 + i, (manifest) -> manifest.remove("memberStart"));
        }
        assertThat(compare("--json")).isEqualTo(99);
        assertThat(MAPPER.readTree(said()).at("/a").has("starts")).isFalse();
        assertThat(MAPPER.readTree(said()).at("/notes")).hasSize(2);
    }

    @Test
    void shouldProveNothingOfTooFewRunsThoughTiesMakeTheirProbabilitySmall() throws IOException
    {
        // One way of four to deal one value among three equal ones: p is 0.25, though runs so few can prove 0.5 at best.
        write("a", 100, (manifest) -> {});
        for (int i = 0; i < 3; i++)
        {
            write("b", 200, (manifest) -> {});
        }
        assertThat(compare("--metric", "p99", "--alpha", "30%")).isEqualTo(2);
        assertThat(said()).doesNotContain("worse").contains("too few starts");
    }

    @Test
    void shouldShowNoMediansOfSetsThatAreRefusedForMoreThanTheirSize() throws IOException
    {
        write("a", 100, (manifest) -> {});
        write("b", 200, (manifest) -> ((ObjectNode)manifest.get("configuration")).put("size", "64"));
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).startsWith("refused: these sets cannot be compared\n").contains("too few starts")
            .doesNotContain("median");
    }

    @Test
    void shouldTakeAResultWithoutAnIntervalOfTheDutyCycleForOneWithNone() throws IOException
    {
        write("a", 100, (manifest) -> {});
        write("b", 100, (manifest) -> ((ObjectNode)manifest.get("configuration")).put("duty-cycle-interval", "0ns"));
        compare();
        assertThat(said()).doesNotContain("duty-cycle-interval");
    }

    @Test
    void shouldShowTheScatterWithinTwoSingleRuns() throws IOException
    {
        write("a", 100, (manifest) -> bound(manifest, 90_000, 130_000));
        write("b", 120, (manifest) -> bound(manifest, 105_000, 140_000));
        assertThat(compare("--metric", "p50,p90")).isEqualTo(2);
        assertThat(said()).contains("too few starts for a verdict")
            .containsPattern("response time p50 +100 us {2}90\\.0 us \\.\\. 130 us +120 us {2}105 us \\.\\. 140 us +~ ");
    }

    @Test
    void shouldProveNoMoreThanTheScatterWithinTheRunsAllows() throws IOException
    {
        for (int i = 0; i < 6; i++)
        {
            final double more = i / 10.0;
            write("a", 100 + more, (manifest) -> bound(manifest, 60_000, 140_000));
            write("b", 110 + more, (manifest) -> bound(manifest, 70_000, 150_000));
            write("c", 150 + more, (manifest) -> bound(manifest, 110_000, 190_000));
        }
        assertThat(compare("--metric", "p50")).as("six runs that happen to agree").isZero();
        // 40 us * 1.25 / sqrt(6) on either side.
        assertThat(said()).startsWith("no change of 5% or more is proven")
            .containsPattern("response time p50 +100 us {2}79\\.\\d us \\.\\. 121 us +110 us {2}89\\.\\d us \\.\\. 131 us +~ ");
        assertThat(LoadClient.execute(new String[]{ "compare", "--metric", "p50", dir("a"), dir("c") })).isEqualTo(99);
    }

    private static void bound(final ObjectNode manifest, final long lowNs, final long highNs)
    {
        manifest.withObject("/responseTimeNs/confidence95").putArray("p50").add(lowNs).add(highNs);
    }

    @Test
    void shouldNotSayThatARefusedSetWasCompared() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        write("b", 90, (manifest) ->
        {
            ((ObjectNode)manifest.get("verdict")).put("good", false).put("label", "FAILED");
            ((ObjectNode)manifest.get("verdict")).withArray("reasons").add("rate missed");
        });
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).doesNotContain("is compared").contains("note      1 of 6 runs of B is not good\n");
        assertThat(compare("--allow-failed")).isIn(0, 99);
        assertThat(said()).contains("note      1 of 6 runs of B is not good but is compared\n");
        assertThat(compare("--allow-failed", "--metric", "cpu")).as("refused for another reason").isEqualTo(2);
        assertThat(said()).doesNotContain("is compared");
    }

    @Test
    void shouldNotCallAChangeProvenWhoseMedianGoesAgainstTheRanks() throws IOException
    {
        // B is larger than A more often than not (p = 0.02), and yet its median is smaller.
        for (int i = 0; i < 25; i++)
        {
            final double more = i / 1_000.0;
            write("a", i < 11 ? 10 + more : 100 + more, (manifest) -> {});
            write("b", i < 13 ? 90 + more : 200 + more, (manifest) -> {});
        }
        assertThat(compare("--metric", "p50")).isZero();
        assertThat(said()).startsWith("no change of 5% or more is proven").doesNotContain("better");
        assertThat(compare("--metric", "p50", "--json")).isZero();
        final JsonNode change = MAPPER.readTree(said()).at("/changes/0");
        assertThat(change.at("/p").asDouble()).isLessThan(0.05);
        assertThat(change.at("/change").asDouble()).isLessThan(-0.05);
        assertThat(change.at("/outcome").asText()).isEqualTo("UNPROVEN");
    }

    @Test
    void shouldSayWhatItsIntervalsCoverAtAnotherSignificance() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95, 102 }, new double[]{ 101, 97, 110, 99, 105, 96 });
        assertThat(compare("--alpha", "2%")).isZero();
        assertThat(said()).contains("contains the true median with 96.9% (A) and 96.9% (B); 98% needs 7 starts");
    }

    @ParameterizedTest
    @CsvSource({
        "/configuration,size,64,size", "/configuration,rate,5000,rate", "/configuration,connections,4,load",
        "/configuration,transport,memory,transport", "/cluster,echo.fsync,2,durability",
        "/cluster,echo.profile,dedicated,profile", "/configuration,idle,busyspin,profile",
        "/configuration,duty-cycle-interval,50000ns,profile",
        "/cluster,echo.driver,c,driver", "/configuration,driver,c,driver",
        "/cluster,echo.hosts,'127.0.0.1,127.0.0.2,127.0.0.3',members", "/machine,cpuModel,other,machine" })
    void shouldRefuseSetsOfDifferentConditions(
        final String section, final String name, final String value, final String key) throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            write("a", 100 + i, (manifest) -> {});
            write("b", 200 + i, (manifest) -> ((ObjectNode)manifest.at(section)).put(name, value));
        }
        final Path junit = folder.resolve("junit.xml");
        assertThat(compare("--junit", junit.toString())).isEqualTo(2);
        assertThat(said()).contains(section.substring(1) + "." + name + " differs between A and B").contains(value)
            .contains("--allow-different " + key);
        assertThat(suite(junit).getElementsByTagName("error").getLength()).isEqualTo(1);

        assertThat(compare("--allow-different", key)).isEqualTo(99);
        assertThat(said()).as("differences are listed all the same")
            .contains("differs   " + section.substring(1) + "." + name + ": A ");
    }

    @Test
    void shouldCompareWhatElseDiffersAndSayIt() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            final int number = i;
            write("a", 100 + i, (manifest) -> ((ObjectNode)manifest.get("configuration")).put("seed", number));
            write("b", 200 + i, (manifest) ->
            {
                ((ObjectNode)manifest.get("cluster")).put("echo.mtu", "8k");
                ((ObjectNode)manifest.get("machine")).put("loadAverage", String.valueOf(number));
            });
        }
        assertThat(compare()).isEqualTo(99);
        assertThat(said()).contains("differs   cluster.echo.mtu: A 1408, B 8k").doesNotContain("loadAverage");
    }

    @Test
    void shouldRefuseResultsOfWhichOnlyOneSetNamesTheCores() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            write("a", 100 + i, (manifest) -> {});
            write("b", 200 + i, (manifest) -> ((ObjectNode)manifest.get("machine")).put("cores", "4").put("notRead", "none"));
        }
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains("machine.cores differs between A and B: A has (none), B has 4; --allow-different machine")
            .doesNotContain("machine.notRead");
        assertThat(compare("--allow-different", "machine")).isEqualTo(99);
    }

    @Test
    void shouldRefuseASetOfSeveralKinds() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            final String mtu = i < 2 ? "8k" : "1408";
            write("a", 100 + i, (manifest) -> ((ObjectNode)manifest.get("cluster")).put("echo.mtu", mtu));
            write("b", 200 + i, (manifest) -> {});
        }
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains("cluster.echo.mtu differs within a set: A has 1408 | 8k, B has 1408");
        assertThat(compare("--allow-different", "cluster.echo.mtu")).isEqualTo(99);
    }

    @Test
    void shouldRefuseRunsThatAreNotGood() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        final Path failed = write("b", 90, (manifest) ->
        {
            ((ObjectNode)manifest.get("verdict")).put("good", false).put("label", "FAILED");
            ((ObjectNode)manifest.get("verdict")).withArray("reasons").add("rate missed");
        });
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains(failed + " is FAILED (rate missed)");
        assertThat(compare("--allow-failed")).as("fewer are proven with it").isIn(0, 99);
        assertThat(said()).contains("1 of 6 runs of B is not good");
    }

    @Test
    void shouldMissRunsWhoseProcessWasKilled() throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        final Path killed = Files.createDirectories(folder.resolve("b/killed"));
        Files.writeString(killed.resolve("intervals.csv"), "begin_s,end_s\n");
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains(killed + " is of a run whose process was killed");
        assertThat(compare("--allow-failed")).isEqualTo(99);
        assertThat(said()).contains("note      1 folder of B is of a run whose process was killed and is skipped\n")
            .doesNotContain("not good");
    }

    @Test
    void shouldNotTakeTheFoldersOfClientsThatSharedALoadForRuns() throws IOException
    {
        final Path first = writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        Files.writeString(first.resolve("intervals.csv"), "begin_s,end_s\n");
        final Path client = Files.createDirectories(first.resolve("clients/0"));
        Files.writeString(client.resolve("intervals.csv"), "begin_s,end_s\n");
        assertThat(compare()).isEqualTo(99);
        assertThat(said()).doesNotContain("killed");
    }

    @Test
    void shouldCountARunOnce() throws IOException
    {
        final Path first = writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        Files.createDirectories(folder.resolve("a/copy"));
        Files.copy(first.resolve("manifest.json"), folder.resolve("a/copy/manifest.json"));
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains("is the same run as").contains("a run counts once");
    }

    @Test
    void shouldWarnOfSetsThatWereNotMadeInTurn() throws IOException
    {
        for (final String set : new String[]{ "a", "b" })
        {
            for (int i = 0; i < 5; i++)
            {
                write(set, 100 + i, (manifest) -> ((ObjectNode)manifest.get("responseTimeNs")).put("count", 5_000));
            }
        }
        assertThat(compare()).isZero();
        assertThat(said()).contains("note      all runs of one set precede those of the other")
            .contains("note      p99.9, p99.99 not compared: fewer than 10 messages of a run are beyond it")
            .contains("response time p99 ").doesNotContain("response time p99.9");
        assertThat(LoadClient.execute(new String[]{
            "compare", folder.resolve("a").toString(), folder.resolve("b").toString(), "--metric", "p99.9" })).isEqualTo(2);
    }

    @Test
    void shouldCompareASetUpWithItself() throws IOException
    {
        writeInTurn(new double[]{ 107, 104, 101, 108, 105, 102, 109, 106, 103, 110 }, new double[10]);
        final Path markdown = folder.resolve("aa.md");
        assertThat(LoadClient.execute(new String[]{ "compare", "--aa", dir("a"), "--json", "--markdown", markdown.toString() }))
            .isZero();
        final JsonNode json = MAPPER.readTree(said());
        assertThat(json.at("/format").asText()).isEqualTo("cluster-echo-aa/1");
        assertThat(json.at("/splits").asInt()).isEqualTo(126);
        assertThat(json.at("/metrics")).hasSize(5);
        assertThat(markdown).content().startsWith("### ").contains("| p99.9 |");
    }

    @Test
    void shouldTakeNamedFolders() throws IOException
    {
        final List<String> args = new ArrayList<>(List.of("compare", "--a"));
        for (int i = 0; i < 5; i++)
        {
            args.add(write("all", 100 + i, (manifest) -> {}).toString());
        }
        args.add("--b");
        for (int i = 0; i < 5; i++)
        {
            args.add(write("all", 300 + i, (manifest) -> {}).toString());
        }
        assertThat(LoadClient.execute(args.toArray(new String[0]))).as(streams.err()).isEqualTo(99);
    }

    @Test
    void shouldNotHoldForeignResultsAgainstOurs() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            SampleForeign.write(folder.resolve("a/run-" + i + "/" + SampleForeign.NAME + ".hdr"), 100_000 + 1_000 * i);
            write("b", 200 + i, (manifest) -> {});
        }
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains("accounts differs between A and B: A has foreign, closed accounts unknown, B has closed")
            .contains("--allow-different accounts allows it");
        SampleForeign.write(folder.resolve("a/run-9/" + SampleForeign.NAME + ".hdr.FAIL"), 100_000);
        assertThat(compare()).isEqualTo(2);
        assertThat(said()).contains(".hdr.FAIL is FAILED (the load rig marked it as failed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "compare                           | two sets are needed",
        "compare @a                        | two sets are needed",
        "compare @a @b --a @a              | two sets are needed",
        "compare @a @nowhere               | nowhere is not a folder",
        "compare @a @empty                 | empty adds no result to B",
        "compare @a @b --metric p98        | p99.9",
        "compare @a @b --metric p99,p99    | twice",
        "compare @a @b --min-effect lots   | 5%",
        "compare @a @b --alpha 0           | more than 0%",
        "compare --aa @a --b @b            | --aa takes one or more folders",
        "compare @a @b --allow-different nonsense | size, rate, load",
        "compare @a @b --junit @nowhere/x  | nowhere/x" })
    void shouldNameWhatIsNotAllowed(final String arguments, final String complaint) throws IOException
    {
        writeInTurn(new double[]{ 100, 104, 98, 111, 95 }, new double[]{ 221, 227, 230, 219, 220 });
        Files.createDirectories(folder.resolve("empty"));
        assertThat(LoadClient.execute(arguments.replace("@", folder + "/").split(" +"))).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(complaint);
    }

    private Path writeInTurn(final double[] a, final double[] b) throws IOException
    {
        Path first = null;
        for (int i = 0; i < a.length; i++)
        {
            final Path run = write("a", a[i], (manifest) -> {});
            first = null == first ? run : first;
            write("b", b[i], (manifest) -> {});
        }
        return first;
    }

    private Path write(final String set, final double timeUs, final Consumer<ObjectNode> change) throws IOException
    {
        final int number = runCount++;
        final ObjectNode manifest = MAPPER.createObjectNode();
        manifest.put("format", "cluster-echo-run/2").put("label", set);
        manifest.put("start", String.format("2026-11-21T09:%02d:36.418Z", number));
        final ObjectNode verdict = manifest.putObject("verdict").put("good", true).put("label", "GOOD");
        verdict.putArray("reasons");
        verdict.putArray("warnings");
        for (final String count : new String[]{ "scheduled", "answered", "late", "unanswered", "neverSent" })
        {
            manifest.put(count, 0);
        }
        manifest.put("ratePerSecondAsked", 10_000).put("ratePerSecondAchieved", 9_999.5);
        for (final String time : TIMES)
        {
            final ObjectNode times = manifest.putObject(time);
            for (int i = 0; i < PERCENTILES.length; i++)
            {
                times.put(PERCENTILES[i], Math.round(timeUs * 1_000 * (1 + i)));
            }
            times.put("count", 1_000_000);
        }
        manifest.put("durability", "fsync 0: page caches").put("commandLine", "java -jar load-client.jar");
        manifest.putObject("configuration").put("size", "288").put("rate", "10000").put("connections", "1")
            .put("transport", "cluster").put("idle", "yielding").put("profile", "auto").put("label", set + number);
        manifest.putObject("cluster").put("echo.fsync", "0").put("echo.mtu", "1408").put("echo.profile", "compact")
            .put("echo.hosts", "127.0.0.1,127.0.0.1,127.0.0.1");
        manifest.putObject("machine").put("cpuModel", "one").put("loadAverage", "1");
        manifest.putObject("memberStart").put("id", set + number);
        change.accept(manifest);
        final Path run = Files.createDirectories(folder.resolve(set).resolve("run-" + number));
        Files.writeString(run.resolve("manifest.json"), manifest.toPrettyString());
        return run;
    }

    private int compare(final String... more)
    {
        streams.clear();
        final List<String> args = new ArrayList<>(List.of("compare", dir("a"), dir("b")));
        args.addAll(List.of(more));
        return LoadClient.execute(args.toArray(String[]::new));
    }

    private String dir(final String set)
    {
        return folder.resolve(set).toString();
    }

    private String said()
    {
        return streams.out();
    }

    private static Element suite(final Path file)
    {
        try
        {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(file + " is not XML", ex);
        }
    }
}
