package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.SampleConfig;
import io.clusterecho.client.series.FakeRuns.Result;
import io.clusterecho.client.series.FakeRuns;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two file sync levels, so two clusters, with messages of two lengths on each: cells 1 and 2 on the first, 3 and 4 on the
 * second; the outcome of each run is scripted.
 */
class SweepExecutionTest
{
    private static final String FIRST = "cell-1-repeat-1";
    private static final String SECOND = "cell-2-repeat-1";
    private static final String THIRD = "cell-3-repeat-1";

    @TempDir
    private Path parent;
    private final List<String> calls = new ArrayList<>();
    private final List<String> failing = new ArrayList<>();
    private FakeRuns runs = new FakeRuns((run) -> Result.GOOD);
    private Disk disk = Disk.FILE_SYSTEM;
    private boolean isWhole = true;
    private boolean isFull;
    private SweepRecord record;

    @Test
    void shouldMeasureAllCellsOfAClusterBeforeTheNextOneIsStarted() throws IOException
    {
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "GOOD", ExitCode.GOOD);
        assertThat(record.folder().path().resolve("sweep.json")).hasContent(ended.json());
        assertThat(record.folder().path().resolve("sweep.txt")).hasContent(ended.text());
        assertThat(record.folder().path()).isDirectoryContaining("glob:**/report.html");
    }

    @Test
    void shouldBeAsGoodAsTheWorstOfItsRuns() throws IOException
    {
        runs = script(SECOND, () -> Result.BROKEN);
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "5 of 1000 messages without a reply");
        assertThat(record.isWhole()).isTrue();
        assertThat(calls).as("the cluster is intact").containsExactly("start 0", "retire 0", "start 1", "retire 1");
    }

    @Test
    void shouldRecordTheCellsOfAClusterThatDoesNotStartAndContinue() throws IOException
    {
        failing.add("start 0");
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "the cluster could not be started: the port is taken");
        assertThat(record.isWhole()).isTrue();
        assertThat(labels(ended)).containsExactly("FAILED", "FAILED", "GOOD", "GOOD");
    }

    @Test
    void shouldMeasureTheNextCellOnANewClusterWhenOneIsBroken() throws IOException
    {
        runs = script(FIRST, () ->
        {
            isWhole = false;
            throw new NotConnectedException("no leader", null);
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0", "start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "no leader");
        assertThat(labels(ended)).containsExactly("FAILED", "GOOD", "GOOD", "GOOD");
    }

    @Test
    void shouldNotCountAGoodRunInWhichAMemberEnded() throws IOException
    {
        runs = script(FIRST, () ->
        {
            isWhole = false;
            return Result.GOOD;
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0", "start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "a member is gone");
        assertThat(labels(ended)).containsExactly("FAILED", "GOOD", "GOOD", "GOOD");
    }

    @Test
    void shouldNotBlameOtherCellsForAMemberThatDoesNotAnswerInOne() throws IOException
    {
        runs = script(FIRST, () ->
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "member 1 does not answer");
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).as("the cluster is intact").containsExactly("start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "member 1 does not answer");
        assertThat(labels(ended)).containsExactly("FAILED", "GOOD", "GOOD", "GOOD");
    }

    @Test
    void shouldContinueWhenAClusterCannotBeStopped() throws IOException
    {
        failing.add("retire 0");
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");
        assertSays(ended, "GOOD", ExitCode.GOOD);
    }

    @Test
    void shouldKeepWhatWasMeasuredAndContinueWithTheRestAfterAnInterruption() throws IOException
    {
        runs = script(SECOND, () ->
        {
            runs.interrupt();
            return Result.PARTIAL;
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0");
        assertSays(ended, "PARTIAL", ExitCode.INTERRUPTED, "partial: 1 of 4 runs are done");
        assertThat(labels(ended)).containsExactly("GOOD");

        runs = new FakeRuns((run) -> Result.GOOD);
        calls.clear();
        assertSays(execute(resumed()), "GOOD", ExitCode.GOOD);
        assertThat(runs.rates()).as("what was done is not done again").hasSize(3);
        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");
    }

    @Test
    void shouldRecordNothingOfAClusterWhoseStartWasInterrupted() throws IOException
    {
        failing.add("interrupted start 0");
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0");
        assertSays(ended, "PARTIAL", ExitCode.INTERRUPTED, "partial: 0 of 4 runs are done");
        assertThat(labels(ended)).isEmpty();
    }

    @Test
    void shouldSearchTheRateOfEachCellAndKeepARunAtIt() throws IOException
    {
        runs = new FakeRuns((run) -> run.load().ratePerSecond() > 10_000 ? Result.BROKEN : Result.GOOD);
        final DocumentedResult.Ended ended = execute(begin("rate", "max"));

        assertSays(ended, "GOOD", ExitCode.GOOD);
        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");
        assertThat(record.summaries()).allSatisfy((summary) ->
        {
            assertThat(summary.highestRate().median()).isBetween(9_000.0, 10_000.0);
            assertThat(record.ratePerSecond(summary.cell())).isEqualTo(Math.round(summary.highestRate().median()));
            assertThat(summary.runs()).allSatisfy((run) ->
            {
                assertThat(run.ratePerSecondAsked()).isBetween(9_000L, 10_000L);
                assertThat(record.folder().path().resolve(run.folder())).as("the run at that rate").isDirectory();
            });
        });
        assertThat(ended.text()).contains("rate: the highest that meets p99<1s, median over the searches that found one");
        final JsonNode cell = new ObjectMapper().readTree(ended.json()).at("/cells/0");
        assertThat(cell.at("/highestRatePerSecond/max").asLong()).isBetween(9_000L, 10_000L);
    }

    @Test
    void shouldRecordASearchThatFindsNoRateAsAFailedRun() throws IOException
    {
        runs = new FakeRuns((run) -> Result.BROKEN);
        final DocumentedResult.Ended ended = execute(begin("rate", "max"));

        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "no rate from 100/s to 1,000/s passed");
        assertThat(labels(ended)).containsExactly("FAILED", "FAILED", "FAILED", "FAILED");
        assertThat(record.summaries()).allSatisfy((summary) -> assertThat(summary.highestRate()).isNull());
    }

    @Test
    void shouldRepeatASearchThatWasInterrupted() throws IOException
    {
        runs = new FakeRuns((run) ->
        {
            if (run.load().ratePerSecond() > 1_000)
            {
                runs.interrupt();
                return Result.PARTIAL;
            }
            return Result.GOOD;
        });
        assertSays(execute(begin("rate", "max")), "PARTIAL", ExitCode.INTERRUPTED, "partial: 0 of 4 runs are done");

        runs = new FakeRuns((run) -> run.load().ratePerSecond() > 10_000 ? Result.BROKEN : Result.GOOD);
        assertSays(execute(resumed()), "GOOD", ExitCode.GOOD);
    }

    @Test
    void shouldPrintWhatItKnowsAndStopWhenItsRecordCannotBeWritten() throws IOException
    {
        disk = (file) ->
        {
            if (isFull && file.getFileName().toString().startsWith("sweep."))
            {
                throw new IOException(FullDisk.REASON);
            }
            return Disk.FILE_SYSTEM.open(file);
        };
        runs = script(SECOND, () ->
        {
            isFull = true;
            return Result.GOOD;
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertThat(calls).containsExactly("start 0", "retire 0");
        assertSays(
            ended, "FAILED", ExitCode.RUN_FAILED,
            "the sweep ended early, with 2 of 4 runs done: the result is incomplete: sweep.json could not be written (" +
            FullDisk.REASON + ")");
        assertThat(labels(ended)).as("printed").containsExactly("GOOD", "GOOD");
        assertThat(SweepRecord.document(record.folder().path()).runs()).as("on the disk").hasSize(1);

        runs = new FakeRuns((run) -> Result.GOOD);
        assertSays(execute(resumed()), "GOOD", ExitCode.GOOD);
        assertThat(runs.rates()).hasSize(3);
    }

    @Test
    void shouldKeepItsRecordWhenThereIsNoRoomForItsLastVerdict() throws IOException
    {
        disk = (file) ->
        {
            isFull |= file.getFileName().toString().startsWith("sweep.txt");
            if (isFull)
            {
                throw new IOException(FullDisk.REASON);
            }
            return Disk.FILE_SYSTEM.open(file);
        };
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertSays(
            ended, "FAILED", ExitCode.RUN_FAILED,
            "the result is incomplete: sweep.txt could not be written (" + FullDisk.REASON + ")");
        assertThat(SweepRecord.document(record.folder().path()).runs()).hasSize(4);
    }

    @Test
    void shouldDoARunAgainWhoseResultIsIncomplete() throws IOException
    {
        final FullDisk full = new FullDisk(Long.MAX_VALUE);
        disk = full;
        runs = script(THIRD, () ->
        {
            full.roomBytes(0);
            return Result.GOOD;
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertSays(
            ended, "FAILED", ExitCode.RUN_FAILED,
            "the sweep ended early, with 2 of 4 runs done: the result is incomplete: response-time.hgrm could not be written");
        assertThat(labels(ended)).containsExactly("GOOD", "GOOD");
        assertThat(calls).containsExactly("start 0", "retire 0", "start 1", "retire 1");

        runs = new FakeRuns((run) -> Result.GOOD);
        assertSays(execute(resumed()), "GOOD", ExitCode.GOOD);
        assertThat(runs.rates()).hasSize(2);
    }

    @Test
    void shouldNotBlameACellForFilesThatCannotBeBegun() throws IOException
    {
        runs = script(SECOND, () ->
        {
            throw new UncheckedIOException("cannot write intervals.csv", new IOException(FullDisk.REASON));
        });
        final DocumentedResult.Ended ended = execute(begin("rate", "1k"));

        assertSays(
            ended, "FAILED", ExitCode.RUN_FAILED,
            "the sweep ended early, with 1 of 4 runs done: cannot write intervals.csv");
        assertThat(labels(ended)).containsExactly("GOOD");
    }

    @Test
    void shouldNotBlameACellForASearchWhoseFilesCannotBeBegun() throws IOException
    {
        runs = new FakeRuns((run) ->
        {
            throw new UncheckedIOException("cannot write intervals.csv", new IOException(FullDisk.REASON));
        });
        assertSays(
            execute(begin("rate", "max")), "FAILED", ExitCode.RUN_FAILED,
            "the sweep ended early, with 0 of 4 runs done: cannot write intervals.csv");

        runs = new FakeRuns((run) -> run.load().ratePerSecond() > 10_000 ? Result.BROKEN : Result.GOOD);
        assertSays(execute(resumed()), "GOOD", ExitCode.GOOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1k", "max"})
    void shouldNotBlameACellForAFolderThatCannotBeMade(final String rate) throws IOException
    {
        final SweepRecord sweep = begin("rate", rate);
        Files.writeString(sweep.folder().path().resolve("runs"), "a file where the folder would go");
        final DocumentedResult.Ended ended = execute(sweep);

        assertSays(ended, "FAILED", ExitCode.RUN_FAILED, "the sweep ended early, with 0 of 4 runs done: --output=");
        assertThat(labels(ended)).isEmpty();
        assertThat(runs.rates()).isEmpty();
    }

    /** Runs that are good, except one at its first attempt. */
    private static FakeRuns script(final String label, final Supplier<Result> result)
    {
        final List<String> done = new ArrayList<>();
        return new FakeRuns((run) ->
        {
            final boolean isIt = label.equals(run.label()) && !done.contains(label);
            done.add(run.label());
            return isIt ? result.get() : Result.GOOD;
        });
    }

    private SweepRecord begin(final String key, final String value)
    {
        final Map<String, String> properties = new TreeMap<>(Map.of(
            "fsync", "0,1", "size", "32,64", "repeats", "1", "duration", "1s", "slo", "p99<1s", key, value));
        return SweepRecord.begin(
            ResultFolder.create(parent, "sample", Instant.parse("2026-11-21T09:13:36Z"), disk),
            SweepPlan.parse(properties, "test"), SampleSweep.description());
    }

    private SweepRecord resumed()
    {
        return SweepRecord.resume(record.folder().path());
    }

    private DocumentedResult.Ended execute(final SweepRecord sweep)
    {
        record = sweep;
        final RunConfig config = SampleConfig.of("cluster", parent);
        final SweepExecution execution = new SweepExecution(sweep, runs, (run, cell) -> null, config, null, null)
        {
            @Override
            SweepSystem newSystem(final Map<Dimension, String> values)
            {
                return new FakeCluster(values.get(Dimension.FSYNC));
            }
        };
        execution.execute();
        return sweep.end();
    }

    /** Text, JSON and exit status agree. */
    private static void assertSays(
        final DocumentedResult.Ended ended, final String label, final int exitStatus, final String... reasons) throws IOException
    {
        final JsonNode verdict = new ObjectMapper().readTree(ended.json()).get("verdict");
        assertThat(verdict.get("label").asText()).as("%s", verdict).isEqualTo(label);
        assertThat(verdict.get("good").asBoolean()).isEqualTo(ExitCode.GOOD == exitStatus);
        assertThat(verdict.get("partial").asBoolean()).isEqualTo(ExitCode.INTERRUPTED == exitStatus);
        assertThat(ended.text()).startsWith(label + "  sample");
        assertThat(ended.verdict().exitStatus()).isEqualTo(exitStatus);
        for (final String reason : reasons)
        {
            assertThat(verdict.get("reasons").toString()).contains(reason);
            assertThat(ended.text()).contains(reason);
        }
    }

    private static List<String> labels(final DocumentedResult.Ended ended) throws IOException
    {
        final List<String> labels = new ArrayList<>();
        new ObjectMapper().readTree(ended.json()).get("runs").forEach((run) -> labels.add(run.at("/verdict/label").asText()));
        return labels;
    }

    /** A cluster without processes, named by its file sync level. */
    private final class FakeCluster implements SweepSystem
    {
        private final String name;

        FakeCluster(final String name)
        {
            this.name = name;
        }

        @Override
        public void start()
        {
            call("start");
            isWhole = true;
            if (failing.contains("interrupted start " + name))
            {
                runs.interrupt();
                throw new ControlFailure(ControlFailure.NOT_READY, "interrupted");
            }
        }

        @Override
        public Optional<String> damage()
        {
            return isWhole ? Optional.empty() : Optional.of("a member is gone");
        }

        @Override
        public List<String> target()
        {
            return List.of();
        }

        @Override
        public void retire()
        {
            call("retire");
        }

        private void call(final String what)
        {
            calls.add(what + " " + name);
            if (failing.contains(what + " " + name))
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "the port is taken");
            }
        }
    }
}
