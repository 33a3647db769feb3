package io.clusterecho.client.maxrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.SampleConfig;
import io.clusterecho.client.series.FakeRuns.Result;
import io.clusterecho.client.series.FakeRuns;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.Threshold;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches from 1,000/s up to 4,000/s with scripted outcomes: 1,000/s, 2,000/s and 4,000/s, which is then confirmed twice. */
class RateFinderTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long PAUSE_NS = 7;
    private static final long RECONNECT_PAUSE_NS = 2 * SECOND_NS;
    private static final long KNEE = 3_000;

    @TempDir
    private Path output;
    private FakeRuns runs;
    private Disk disk = Disk.FILE_SYSTEM;
    private boolean isFull;
    private int failureCount;
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldConfirmARateAndSayItEverywhere() throws IOException
    {
        final RateFinder.Found found = find((trial) -> Result.GOOD);

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L, 4_000L, 4_000L, 4_000L);
        assertThat(runs.pauses()).containsExactly(PAUSE_NS, PAUSE_NS, PAUSE_NS, PAUSE_NS);
        assertSays(found, "GOOD", ExitCode.GOOD);
        assertThat(search().resolve("max-rate.json")).hasContent(found.json());
        assertThat(search().resolve("max-rate.txt")).hasContent(found.text());
        assertThat(search()).isDirectoryContaining("glob:**/report.html");
        assertThat(json(found).at("/steps")).hasSize(5);
    }

    @Test
    void shouldPrintWithEachTrialHowManyFollow() throws IOException
    {
        find((trial) -> Result.GOOD);

        // 4,000/s is the highest rate of the plan: no trials but two confirmations of 1 s follow.
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).contains("1,000/s  passed  p50 ");
        assertThat(lines.get(4)).contains("4,000/s  passed  p50 ").doesNotContain("more");
    }

    @Test
    void shouldJudgeEachTrialByTheVerdictOfItsRun() throws IOException
    {
        final RateFinder.Found found =
            find((trial) -> trial.load().ratePerSecond() > KNEE ? Result.BROKEN : Result.GOOD);

        assertSays(found, "GOOD", ExitCode.GOOD);
        assertThat(found.search().answer().ratePerSecond()).isEqualTo(2_830);
        assertThat(json(found).at("/steps")).allSatisfy((step) ->
            assertThat(step.get("held").asBoolean()).isEqualTo("GOOD".equals(step.at("/verdict/label").asText())));
    }

    @Test
    void shouldSayThatNoRateHolds() throws IOException
    {
        final RateFinder.Found found = find((trial) -> Result.BROKEN);

        assertSays(found, "FAILED", ExitCode.RUN_FAILED, "no rate from 500/s to 1,000/s passed");
    }

    @Test
    void shouldLeaveNothingWhenTheFirstTrialCannotConnect()
    {
        assertThatThrownBy(() -> find((trial) ->
        {
            throw new NotConnectedException("nobody there", null);
        })).isInstanceOf(NotConnectedException.class).hasMessage("nobody there");

        assertThat(runs.rates()).hasSize(1);
        assertThat(output).isEmptyDirectory();
    }

    @Test
    void shouldContinueWhenALaterTrialCanConnectAtTheSecondAttempt() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            if (trial.load().ratePerSecond() == 2_000 && 0 == failureCount++)
            {
                throw new NotConnectedException("an election is on", null);
            }
            return Result.GOOD;
        });

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L, 2_000L, 4_000L, 4_000L, 4_000L);
        assertThat(runs.pauses()).startsWith(PAUSE_NS, RECONNECT_PAUSE_NS, PAUSE_NS);
        assertSays(found, "GOOD", ExitCode.GOOD);
        assertThat(json(found).at("/steps")).hasSize(5);
    }

    @Test
    void shouldKeepEarlierStepsWhenALaterTrialCannotConnectAtAll() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            if (trial.load().ratePerSecond() == 2_000)
            {
                throw new NotConnectedException("the leader is gone", null);
            }
            return Result.GOOD;
        });

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L, 2_000L);
        assertSays(found, "FAILED", ExitCode.NOT_CONNECTED, "the search ended early, at 2,000/s: the leader is gone");
        assertThat(json(found).at("/steps")).hasSize(1);
        assertThat(search().resolve("max-rate.json")).hasContent(found.json());
    }

    @Test
    void shouldKeepEarlierStepsWhenItIsInterruptedBetweenTrials() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            if (trial.load().ratePerSecond() == 2_000)
            {
                runs.interrupt();
            }
            return Result.GOOD;
        });

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L);
        assertSays(found, "PARTIAL", ExitCode.INTERRUPTED, "partial: ended before a rate was confirmed");
        assertThat(json(found).at("/steps")).hasSize(2);
        assertThat(found.search().answer().ratePerSecond()).isEqualTo(2_000);
    }

    @Test
    void shouldNotCountATrialThatWasInterrupted() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            if (trial.load().ratePerSecond() < 2_000)
            {
                return Result.GOOD;
            }
            runs.interrupt();
            return Result.PARTIAL;
        });

        assertSays(found, "PARTIAL", ExitCode.INTERRUPTED);
        assertThat(json(found).at("/steps")).hasSize(1);
        assertThat(search().resolve("steps")).isDirectoryContaining("glob:**/*2000-per-s");
    }

    @Test
    void shouldBePartialWhenItIsInterruptedWhileTheFirstTrialConnects() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            runs.interrupt();
            throw new NotConnectedException("interrupted", null);
        });

        assertSays(found, "PARTIAL", ExitCode.INTERRUPTED);
        assertThat(json(found).at("/steps")).isEmpty();
    }

    @Test
    void shouldNotTakeATrialThatEndedByItselfForAnInterruption() throws IOException
    {
        final RateFinder.Found found =
            find((trial) -> trial.load().ratePerSecond() == 2_000 ? Result.PARTIAL : Result.GOOD);

        assertSays(
            found, "FAILED", ExitCode.RUN_FAILED,
            "the search ended early, at 2,000/s: partial: ended before its schedule");
        assertThat(json(found).at("/steps")).hasSize(1);
    }

    @Test
    void shouldEndWithTheReasonWhenATrialLosesAClient() throws IOException
    {
        final RateFinder.Found found = find((trial) -> trial.load().ratePerSecond() == 2_000 ?
            new Result(9, false, List.of("client 1 of 2 was lost")) : Result.GOOD);

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L);
        assertSays(
            found, "FAILED", ExitCode.RUN_FAILED, "the search ended early, at 2,000/s: client 1 of 2 was lost");
        assertThat(json(found).at("/steps")).hasSize(1);
    }

    @Test
    void shouldPrintWhatItFoundWhenItCannotBeWrittenAnyMore() throws IOException
    {
        disk = (file) ->
        {
            if (isFull && file.getFileName().toString().startsWith("max-rate"))
            {
                throw new IOException(FullDisk.REASON);
            }
            return Disk.FILE_SYSTEM.open(file);
        };
        final RateFinder.Found found = find((trial) ->
        {
            isFull = trial.load().ratePerSecond() == 2_000;
            return Result.GOOD;
        });

        assertThat(runs.rates()).as("the search ends").containsExactly(1_000L, 2_000L);
        assertSays(
            found, "FAILED", ExitCode.RUN_FAILED,
            "the search ended early, at 4,000/s: the result is incomplete: max-rate.json could not be written (" +
            FullDisk.REASON + ")",
            "the result is incomplete: max-rate.txt could not be written (" + FullDisk.REASON + ")");
        assertThat(json(found).at("/steps")).hasSize(2);
        final JsonNode kept = new ObjectMapper().readTree(search().resolve("max-rate.json").toFile());
        assertThat(kept.at("/verdict/label").asText()).isEqualTo("PARTIAL");
        assertThat(kept.at("/steps")).as("as it was before the disk was full").hasSize(1);
    }

    @Test
    void shouldNotTakeARunThatCouldNotBeWrittenForOneThatBroke() throws IOException
    {
        final FullDisk full = new FullDisk(Long.MAX_VALUE);
        disk = full;
        final RateFinder.Found found = find((trial) ->
        {
            full.roomBytes(trial.load().ratePerSecond() == 2_000 ? 0 : Long.MAX_VALUE);
            return Result.GOOD;
        });

        assertThat(runs.rates()).containsExactly(1_000L, 2_000L);
        assertSays(
            found, "FAILED", ExitCode.RUN_FAILED,
            "the search ended early, at 2,000/s: the result is incomplete: response-time.hgrm could not be written (" +
            FullDisk.REASON + ")");
        assertThat(found.search().answer().ratePerSecond()).isEqualTo(1_000);
        assertThat(json(found).at("/steps")).hasSize(1);
    }

    @Test
    void shouldKeepEarlierStepsWhenTheFilesOfALaterTrialCannotBeBegun() throws IOException
    {
        final RateFinder.Found found = find((trial) ->
        {
            if (trial.load().ratePerSecond() == 2_000)
            {
                throw new UncheckedIOException("cannot write intervals.csv", new IOException(FullDisk.REASON));
            }
            return Result.GOOD;
        });

        assertSays(
            found, "FAILED", ExitCode.RUN_FAILED, "the search ended early, at 2,000/s: cannot write intervals.csv");
        assertThat(json(found).at("/steps")).hasSize(1);
    }

    @Test
    void shouldLeaveNothingWhenNotEvenTheFilesOfTheFirstTrialCanBeBegun()
    {
        assertThatThrownBy(() -> find((trial) ->
        {
            throw new UncheckedIOException("cannot write intervals.csv", new IOException(FullDisk.REASON));
        })).isInstanceOf(UncheckedIOException.class).hasMessage("cannot write intervals.csv");

        assertThat(output).isEmptyDirectory();
    }

    @Test
    void shouldLetOnlyTheFirstTrialEndItsWarmUpByItself()
    {
        final List<Boolean> areAuto = new ArrayList<>();
        final List<Long> warmUpsNs = new ArrayList<>();
        find(SampleConfig.of("memory", output, "--warm-up=auto:60s"), (trial) ->
        {
            areAuto.add(trial.load().warmUp().isAuto());
            warmUpsNs.add(trial.load().warmUpNs());
            return Result.GOOD;
        });
        assertThat(areAuto).containsExactly(true, false, false, false, false);
        assertThat(warmUpsNs).containsExactly(60 * SECOND_NS, 0L, 0L, 0L, 0L);
    }

    private RateFinder.Found find(final Function<RunConfig, Result> script)
    {
        return find(SampleConfig.of("memory", output), script);
    }

    private RateFinder.Found find(final RunConfig config, final Function<RunConfig, Result> script)
    {
        runs = new FakeRuns(script);
        return new RateFinder(
            runs, config,
            new RateFinder.Terms(
                Threshold.parse("p99<1s"), new SearchPlan(1_000, 500, 4_000, 0.5, 0.5), SECOND_NS, 0, PAUSE_NS),
            "sample", lines::add, disk).find();
    }

    /** Text, JSON and exit status agree. */
    private static void assertSays(
        final RateFinder.Found found, final String label, final int exitStatus, final String... reasons) throws IOException
    {
        final JsonNode verdict = json(found).get("verdict");
        assertThat(verdict.get("label").asText()).isEqualTo(label);
        assertThat(verdict.get("good").asBoolean()).isEqualTo(ExitCode.GOOD == exitStatus);
        assertThat(verdict.get("partial").asBoolean()).isEqualTo(ExitCode.INTERRUPTED == exitStatus);
        assertThat(found.text()).startsWith(label + "  sample");
        assertThat(found.exitStatus()).isEqualTo(exitStatus);
        for (final String reason : reasons)
        {
            assertThat(verdict.get("reasons").toString()).contains(reason);
            assertThat(found.text()).contains("  ! " + reason);
        }
    }

    private static JsonNode json(final RateFinder.Found found) throws IOException
    {
        return new ObjectMapper().readTree(found.json());
    }

    private Path search() throws IOException
    {
        try (Stream<Path> folders = Files.list(output))
        {
            return folders.findFirst().orElseThrow();
        }
    }
}
