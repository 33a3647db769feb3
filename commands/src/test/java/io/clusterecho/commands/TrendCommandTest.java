package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrendCommandTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String[] TIMES = { "responseTimeNs", "serviceTimeNs", "sendDelayNs", "stallNs" };
    private static final String[] PERCENTILES = { "p50", "p90", "p99", "p99.9", "p99.99", "max" };
    private static final Instant FIRST_DAY = Instant.parse("2026-01-01T03:00:00Z");

    /** No day has the same level as another, and none of them is a trend. */
    private static final double[] SCATTER = { 0, 1.2, -0.7, 0.4, -1.1, 0.9, -0.3, 0.6, -0.9, 0.2, 1, -0.5 };

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;
    private int number;

    @Test
    void shouldShowWhereTheLevelChanged() throws IOException
    {
        writeDays(0, 12, (day) -> 100 + SCATTER[day] + (day >= 6 ? 30 : 0));
        assertThat(trend("--metric", "p50")).isZero();
        assertThat(streams.out()).startsWith("36 results in 12 points (a commit on a day) and 1 group")
            .contains("1 change of level in 1 series")
            .containsPattern("response time p50 rose by [23]\\d\\.\\d% on 2026-01-07 with commit commit6: " +
            "\\S+ us over 6 points, \\S+ us over the 6 since; that is worse");
        assertThat(folder.resolve("trend.html")).content().contains("response time p50 rose by").contains("\"trend\":{");

        assertThat(trend("--metric", "p50", "--json")).isZero();
        final JsonNode series = MAPPER.readTree(streams.out()).at("/groups/0/series/0");
        assertThat(series.at("/changes")).hasSize(1);
        assertThat(series.at("/changes/0/point").asInt()).isEqualTo(6);
        assertThat(series.at("/changes/0/change").asDouble()).isCloseTo(0.3, within(0.03));
        assertThat(series.at("/changes/0/outcome").asText()).isEqualTo("WORSE");
        assertThat(series.at("/values/0/median").asDouble()).isEqualTo(100_000);
        assertThat(series.at("/values/0/count").asInt()).isEqualTo(3);
        assertThat(series.at("/values/0/low").asDouble()).isLessThan(100_000);
    }

    @Test
    void shouldFindNoChangeInScatterAndInFewPoints() throws IOException
    {
        writeDays(0, 7, (day) -> 100 + SCATTER[day] + (day >= 4 ? 30 : 0));
        assertThat(trend("--metric", "p50")).isZero();
        assertThat(streams.out()).contains("response time p50: too few points to find a change, 7 of at least 12; the newest ");
        writeDays(7, 12, (day) -> 100 + SCATTER[day]);
        final Path other = folder.resolve("other");
        Files.move(folder.resolve("record"), other);
        writeDays(0, 12, (day) -> 100 + SCATTER[day]);
        assertThat(trend("--metric", "p50")).isZero();
        assertThat(streams.out()).contains("response time p50: no change of level in 12 points; the newest ");
    }

    @Test
    void shouldFailOnTheNewestCommitThatIsWorse() throws IOException
    {
        writeDays(0, 11, (day) -> 100 + SCATTER[day]);
        writeDays(11, 12, (day) -> 120);
        final Path junit = folder.resolve("junit.xml");
        final Path markdown = folder.resolve("trend.md");
        assertThat(trend("--gate", "--metric", "p50,rate", "--junit", junit.toString(), "--markdown", markdown.toString()))
            .isEqualTo(99);
        assertThat(streams.out()).startsWith("REGRESSION: 1 of 2 metrics of commit commit11 are worse")
            .contains("response time p50: worse, +19.8%").contains("against 100 us in 33 results (11 points) since 2026-01-01");
        assertThat(junit).content().contains("tests=\"3\"").contains("failures=\"1\"").contains("changed by +19.8%");
        assertThat(markdown).content().startsWith("### REGRESSION").contains("- response time p50: worse");
        assertThat(trend("--gate", "--metric", "p50,rate", "--min-effect", "25%")).as("too small to matter").isZero();
        assertThat(streams.out()).startsWith("no regression of 25% or more is proven of commit commit11");
    }

    @Test
    void shouldJudgeAnOutageWhereThereWasNoneBefore() throws IOException
    {
        for (int day = 0; day < 12; day++)
        {
            for (int repeat = 0; repeat < 3; repeat++)
            {
                final ObjectNode document = failover(11 == day ? 400_000_000L : 0).put("outageResolutionNs", 2_000_000);
                Files.writeString(write(day, 100, (manifest) -> {}).resolve("failover.json"), document.toString());
            }
        }
        assertThat(trend("--gate")).as(streams.out()).isEqualTo(99);
        assertThat(streams.out()).contains(
            "median outage: worse, +19900.0%", "400 ms in 3 results against 2.00 ms in 33 results");
    }

    @Test
    void shouldJudgeTheCommitThatBeganLastOfTwoThatAlternate() throws IOException
    {
        writeDays(0, 11, (day) -> 100 + SCATTER[day]);
        for (int turn = 0; turn < 4; turn++)
        {
            write(11, 100 + SCATTER[turn], (manifest) -> commit(manifest, "before"));
            write(11, 130 + SCATTER[turn], (manifest) -> commit(manifest, "after"));
        }
        write(11, 100, (manifest) -> commit(manifest, "before"));
        assertThat(trend("--gate", "--metric", "p50")).isEqualTo(99);
        assertThat(streams.out()).startsWith("REGRESSION: 1 of 1 metrics of commit after are worse");
    }

    @Test
    void shouldJudgeAgainstTheLevelSinceTheLastChange() throws IOException
    {
        // Better than the first level, worse than the second.
        writeDays(0, 10, (day) -> 200 + SCATTER[day]);
        writeDays(10, 20, (day) -> 100 + SCATTER[day - 10]);
        writeDays(20, 21, (day) -> 130);
        assertThat(trend("--gate", "--metric", "p50")).isEqualTo(99);
        assertThat(streams.out()).contains("(10 points) since 2026-01-11 (commit commit10)");
    }

    @Test
    void shouldDateALevelFromTheFirstPointThatHasTheMetric() throws IOException
    {
        writeDays(0, 2, (day) -> 100);
        for (int day = 2; day < 12; day++)
        {
            for (int repeat = 0; repeat < 3; repeat++)
            {
                final double cpuS = 40 + SCATTER[day] / 10 + repeat / 100.0;
                write(day, 100 + 0.3 * repeat, (manifest) -> manifest.putObject("cpuSecondsPerMillion").put("all", cpuS));
            }
        }
        assertThat(trend("--gate", "--metric", "p50,cpu")).isZero();
        assertThat(streams.out()).containsPattern("core s/million: .*\\(9 points\\) since 2026-01-03 \\(commit commit2\\)");
    }

    @Test
    void shouldStillFailOnTheNextDaysOfTheSameCommit() throws IOException
    {
        writeDays(0, 11, (day) -> 100 + SCATTER[day]);
        for (int day = 11; day < 14; day++)
        {
            final int today = day;
            for (int repeat = -1; repeat <= 1; repeat++)
            {
                // Each day a little better than the one before.
                write(
                    today, 131 - today + 0.3 * repeat,
                    (manifest) -> ((ObjectNode)manifest.get("versions")).put("commit", "same"));
            }
            assertThat(trend("--gate", "--metric", "p50")).as("day %d", day).isEqualTo(99);
            assertThat(streams.out()).contains("(11 points) since 2026-01-01");
        }
    }

    @Test
    void shouldJudgeADayAgainstThoseBeforeIfTheRecordHasOneCommit() throws IOException
    {
        for (int day = 0; day < 12; day++)
        {
            for (int repeat = -1; repeat <= 1; repeat++)
            {
                write(
                    day, (11 == day ? 120 : 100 + SCATTER[day]) + 0.3 * repeat,
                    (manifest) -> ((ObjectNode)manifest.get("versions")).put("commit", "same"));
            }
        }
        assertThat(trend("--gate", "--metric", "p50")).isEqualTo(99);
        assertThat(streams.out()).contains("(11 points) since 2026-01-01");
    }

    @Test
    void shouldNotFailWhereADayOfTheLevelWasAsSlow() throws IOException
    {
        // Proven by its runs alone, but a whole day of the level was slower.
        writeDays(0, 11, (day) -> day == 4 ? 125 : 100 + SCATTER[day]);
        writeDays(11, 12, (day) -> 120);
        assertThat(trend("--gate", "--metric", "p50")).isZero();
        assertThat(streams.out()).contains("no proven change that matters");
    }

    @Test
    void shouldNotDecideWithTooFewResults() throws IOException
    {
        writeDays(0, 2, (day) -> day == 0 ? 100 : 200);
        final Path junit = folder.resolve("junit.xml");
        assertThat(trend("--gate", "--metric", "p50", "--junit", junit.toString())).isZero();
        assertThat(streams.out()).startsWith("UNDECIDED: too few results to judge commit commit1")
            .contains("too few starts to decide: 3 of the newest commit against 3 of the level");
        assertThat(junit).content().contains("skipped=\"1\"");
        assertThat(trend("--gate", "--json")).isZero();
        assertThat(MAPPER.readTree(streams.out()).at("/gate/outcome").asText()).isEqualTo("UNDECIDED");
    }

    @Test
    void shouldGroupByConditionsAndKinds() throws IOException
    {
        for (int day = 0; day < 3; day++)
        {
            write(day, 100, (manifest) -> {});
            write(day, 200, (manifest) -> ((ObjectNode)manifest.get("configuration")).put("rate", "20000"));
            final Path failover = write(day, 300, (manifest) -> {});
            Files.writeString(failover.resolve("failover.json"), failover(2_800_000_000L).toString());
            final Path search = write(day, 400, (manifest) -> {});
            Files.move(search, folder.resolve("step"));
            Files.createDirectories(search);
            final ObjectNode document = (ObjectNode)MAPPER.readTree(folder.resolve("step/manifest.json").toFile());
            document.put("format", "cluster-echo-max-rate/1").putObject("answer").put("ratePerSecond", 133_000);
            putOthers(document, DocumentKind.MAX_RATE);
            Files.writeString(search.resolve("max-rate.json"), document.toString());
            Files.createDirectories(search.resolve("steps"));
            Files.move(folder.resolve("step"), search.resolve("steps/1"));
        }
        assertThat(trend()).isZero();
        assertThat(streams.out()).startsWith("12 results in 12 points (a commit on a day) and 4 groups")
            .contains("\nrun: rate 10000\n").contains("\nrun: rate 20000\n").contains("\nmax-rate\n").contains("\nfailover\n")
            .contains("133,000.0/s").contains("2.80 s").contains("note      3 runs of searches left out");
        assertThat(trend("--allow-different", "rate")).isZero();
        assertThat(streams.out()).contains(" 3 groups ").contains("\nrun\n");
    }

    @ParameterizedTest
    @CsvSource({ "day, 1", "same, 2" })
    void shouldGroupByMessagesOnlyWithTheSameSeed(final String seed, final int groupCount) throws IOException
    {
        for (int day = 0; day < 3; day++)
        {
            final String digest = "a" + day / 2;
            final String ofDay = "day".equals(seed) ? String.valueOf(day / 2) : seed;
            write(day, 100, (manifest) -> ((ObjectNode)manifest.get("configuration"))
                .put("seed", ofDay).put("messages-digest", digest));
        }
        assertThat(trend()).isZero();
        assertThat(streams.out()).contains(" and " + groupCount + " group");
    }

    @Test
    void shouldNameResultsThatItLeavesOut() throws IOException
    {
        writeDays(0, 3, (day) -> 100);
        final Path damaged = write(1, 100, (manifest) -> {});
        Files.writeString(damaged.resolve("manifest.json"), "{\"format\" : ");
        final Path killed = Files.createDirectories(folder.resolve("record/killed"));
        Files.writeString(killed.resolve("intervals.csv"), "");
        write(2, 500, (manifest) -> manifest.set("verdict", verdict(false)));
        assertThat(trend()).isZero();
        assertThat(streams.out()).contains("warning   " + damaged.resolve("manifest.json") + " cannot be read: it is not JSON")
            .contains("killed is of a run whose process was killed").contains("is FAILED (rate missed) and left out")
            .startsWith("9 results in 3 points");
        assertThat(trend("--gate")).isEqualTo(2);
        assertThat(streams.out()).startsWith("REFUSED: commit commit2 cannot be judged")
            .contains("is of the newest commit and FAILED");
        assertThat(trend("--gate", "--allow-failed")).isZero();
        assertThat(streams.out()).contains("10 results in 3 points");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "trend                              | Missing required parameter",
        "trend @nowhere                     | nowhere is not a folder",
        "trend @empty                       | empty adds no result to the record",
        "trend @record --metric p98         | max-rate (highest rate of a search)",
        "trend @record --metric p99,p99     | twice",
        "trend @record --alpha 0            | more than 0%",
        "trend @record --junit @x           | together with --gate",
        "trend @record --allow-different x  | size, rate, load",
        "trend @record -o @nowhere/x        | a file that can be written, in a folder",
        "trend @failed                      | the record has no good result" })
    void shouldNameWhatIsNotAllowed(final String arguments, final String complaint) throws IOException
    {
        writeDays(0, 2, (day) -> 100);
        Files.createDirectories(folder.resolve("empty"));
        final Path failed = write(0, 1, (manifest) -> manifest.set("verdict", verdict(false)));
        Files.createDirectories(folder.resolve("failed"));
        Files.move(failed, folder.resolve("failed/1"));
        assertThat(LoadClient.execute(arguments.strip().replace("@", folder + "/").split(" +"))).isEqualTo(2);
        assertThat(streams.err()).contains(complaint);
    }

    private void writeDays(final int from, final int to, final IntToDoubleFunction timeUs) throws IOException
    {
        for (int day = from; day < to; day++)
        {
            for (int repeat = -1; repeat <= 1; repeat++)
            {
                write(day, timeUs.applyAsDouble(day) + 0.3 * repeat, (manifest) -> {});
            }
        }
    }

    private static void commit(final ObjectNode manifest, final String commit)
    {
        ((ObjectNode)manifest.get("versions")).put("commit", commit);
    }

    private Path write(final int day, final double timeUs, final Consumer<ObjectNode> change) throws IOException
    {
        final ObjectNode manifest = MAPPER.createObjectNode();
        manifest.put("format", "cluster-echo-run/2").put("label", "nightly");
        manifest.put("start", FIRST_DAY.plus(day, ChronoUnit.DAYS).plusSeconds(number++).toString());
        manifest.set("verdict", verdict(true));
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
        manifest.putObject("configuration").put("size", "288").put("rate", "10000").put("transport", "cluster");
        manifest.putObject("cluster").put("echo.fsync", "0").put("echo.mtu", "1408");
        manifest.putObject("versions").put("commit", "commit" + day);
        change.accept(manifest);
        final Path run = Files.createDirectories(folder.resolve("record").resolve("run-" + number));
        Files.writeString(run.resolve("manifest.json"), manifest.toPrettyString());
        return run;
    }

    /** The fields that a document must have besides its own. */
    private static void putOthers(final ObjectNode document, final DocumentKind kind)
    {
        for (final String field : kind.requiredFields())
        {
            final int name = field.lastIndexOf('/');
            if (document.at(field).isMissingNode())
            {
                (0 == name ? document : document.withObject(field.substring(0, name))).put(field.substring(name + 1), "");
            }
        }
    }

    private static ObjectNode failover(final long medianNs)
    {
        final ObjectNode document = MAPPER.createObjectNode().put("format", "cluster-echo-failover/1");
        document.set("verdict", verdict(true));
        document.putObject("outageNs").put("count", 20).put("median", medianNs);
        putOthers(document, DocumentKind.FAILOVER);
        return document;
    }

    private static ObjectNode verdict(final boolean isGood)
    {
        final ObjectNode verdict = MAPPER.createObjectNode().put("good", isGood).put("label", isGood ? "GOOD" : "FAILED");
        final ArrayNode reasons = verdict.putArray("reasons");
        if (!isGood)
        {
            reasons.add("rate missed");
        }
        verdict.putArray("warnings");
        return verdict;
    }

    private int trend(final String... more)
    {
        streams.clear();
        final List<String> args = new ArrayList<>(
            List.of("trend", folder.resolve("record").toString(), "-o", folder.resolve("trend.html").toString()));
        args.addAll(List.of(more));
        return LoadClient.execute(args.toArray(new String[0]));
    }
}
