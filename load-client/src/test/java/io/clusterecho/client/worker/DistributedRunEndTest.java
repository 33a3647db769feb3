package io.clusterecho.client.worker;

import static io.clusterecho.client.worker.RunAccounts.assertAccounted;
import static io.clusterecho.client.worker.RunAccounts.assertComplete;
import static io.clusterecho.client.worker.FakeWorkers.MESSAGE_COUNT;
import static io.clusterecho.client.worker.FakeWorkers.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends before the end of the schedule: on request, by an interrupt, or because the coordinator fails. The clients are those of
 * {@link DistributedRunTest}.
 */
class DistributedRunEndTest
{
    @TempDir
    private Path folder;

    private final FakeWorkers workers = new FakeWorkers();
    private final WorkerPool pool = workers.pool(3);
    private final List<Boolean> isLast = new ArrayList<>();
    private final List<IntervalListener> listeners = new ArrayList<>(List.of((interval) -> isLast.add(interval.isLast())));
    private DistributedRun run;

    @AfterEach
    void after()
    {
        Thread.interrupted();
        pool.close();
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldNameTheClientThatEndsEarly()
    {
        workers.inPlaceOf(
            1, "interval 4",
            (worker, interval) ->
            {
                worker.say(interval);
                worker.end();
            });
        final LoadResult result = execute();
        assertAccounted(result, MESSAGE_COUNT - 667 + 334);
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(MESSAGE_COUNT - 667 + 334);
        assertThat(result.losses()).isEmpty();
        assertThat(result.isEndedEarly()).isTrue();
        assertThat(result.warnings()).containsExactly("client 1 ended its part of the schedule early without a request");
    }

    @Test
    void shouldMeasureNothingWhenItIsAskedToEndBeforeTheStart()
    {
        prepare();
        run.requestEnd();
        final LoadResult result = execute();
        assertAccounted(result, 0);
        assertThat(result.losses()).isEmpty();
        assertThat(result.warnings()).isEmpty();
        assertThat(result.isEndedEarly()).isTrue();
    }

    @Test
    void shouldKeepWhatWasDueWhenItIsAskedToEnd()
    {
        workers.inPlaceOf(0, "interval 4", endAfter());
        final LoadResult result = execute();
        assertAccounted(result, 1_001);
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(1_001);
        assertThat(result.losses()).isEmpty();
        assertThat(result.warnings()).isEmpty();
        assertThat(result.isEndedEarly()).isTrue();
    }

    @Test
    void shouldKeepAllWhenItIsAskedToEndAfterTheEnd()
    {
        workers.inPlaceOf(0, "done 0", endAfter());
        assertComplete(execute());
    }

    @Test
    void shouldCountOfALostClientOnlyWhatWasDueWhenItWasAskedToEnd()
    {
        workers.inPlaceOf(1, "interval 2", (worker, interval) -> worker.die(1));
        workers.inPlaceOf(
            0, "interval 4",
            (worker, interval) ->
            {
                worker.say(interval);
                run.requestEnd();
                // The later request changes nothing.
                workers.after(50_000_000L, run::requestEnd);
            });
        final LoadResult result = execute();
        assertAccounted(result, 1_001);
        assertThat(result.clients().get(1).accounts().scheduled()).isEqualTo(334);
        assertThat(result.clients().get(1).accounts().answered()).isEqualTo(134);
        assertThat(result.losses()).hasSize(1);
    }

    @Test
    void shouldCountOfALostClientWhatItSentAfterItWasAskedToEnd()
    {
        prepare();
        workers.worker(1).turnDeaf();
        workers.inPlaceOf(0, "interval 2", endAfter());
        workers.inPlaceOf(1, "interval 6", (worker, interval) -> worker.die(1));
        final LoadResult result = execute();
        assertAccounted(result, 201 + 400 + 200);
        assertThat(result.clients().get(1).accounts().answered()).isEqualTo(400);
    }

    @Test
    void shouldAccountForAClientThatFallsSilentWhenItIsAskedToEnd()
    {
        prepare();
        workers.worker(1).turnDeaf();
        workers.inPlaceOf(0, "interval 2", endAfter());
        workers.inPlaceOf(1, "interval 2", (worker, interval) -> worker.fallSilent());
        final LoadResult result = execute();
        assertAccounted(result, 601);
        assertThat(result.losses()).hasSize(1).first().asString().contains("client 1 of 3", "sent nothing");
    }

    @Test
    void shouldEndTheScheduleWhenItIsInterrupted()
    {
        workers.inPlaceOf(
            0, "interval 4",
            (worker, interval) ->
            {
                worker.say(interval);
                Thread.currentThread().interrupt();
            });
        final LoadResult result = execute();
        assertThat(Thread.interrupted()).as("restored").isTrue();
        assertAccounted(result, 1_001);
        assertThat(result.isEndedEarly()).isTrue();
        assertThat(result.losses()).isEmpty();
        assertThat(folder.resolve("clients/2/client.json")).exists();
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenAListenerFails()
    {
        final int[] calls = new int[1];
        listeners.add(
            0,
            (interval) ->
            {
                calls[0]++;
                if (3 == calls[0])
                {
                    throw new UncheckedIOException(new IOException("No space left on device"));
                }
            });
        final LoadResult result = execute();
        assertThat(result.problems()).hasSize(1).first().asString().contains("No space left on device");
        assertThat(result.failures()).isEqualTo(result.problems());
        assertAccounted(result, (int)result.measurement().outcome().of(Counter.ANSWERED));
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isBetween(601L, 801L);
        assertThat(result.isEndedEarly()).isTrue();
        assertThat(calls[0]).as("it is not called again").isEqualTo(3);
        assertThat(isLast).as("the other one is").hasSizeGreaterThan(3).endsWith(true);
        assertThat(workers.started()).allSatisfy(
            (worker) -> assertThat(worker.receivedKinds()).contains("end"));
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldKeepAllWhenAListenerFailsAtTheEnd()
    {
        listeners.add(
            (interval) ->
            {
                if (interval.isLast())
                {
                    throw new IllegalStateException("cannot draw");
                }
            });
        final LoadResult result = execute();
        assertAccounted(result, MESSAGE_COUNT);
        assertThat(result.isEndedEarly()).isFalse();
        assertThat(result.problems()).hasSize(1).first().asString().contains("cannot draw");
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenTheRecordOfAClientCannotBeWritten() throws IOException
    {
        Files.createDirectories(folder.resolve("clients/1/client.json"));
        final LoadResult result = execute();
        assertAccounted(result, MESSAGE_COUNT);
        assertThat(result.clients()).hasSize(3);
        assertThat(result.problems()).hasSize(1).first().asString().contains("client 1", "client.json");
        assertThat(folder.resolve("clients/2/client.json")).exists();
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldEndTheWorkersWhenTheFilesOfAClientCannotBeMade() throws IOException
    {
        Files.createDirectories(folder.resolve("clients/1/intervals.csv"));
        assertThatThrownBy(this::execute).isInstanceOf(UncheckedIOException.class).hasMessageContaining("clients/1");
        assertThat(workers.left()).isEmpty();
        assertThat(workers.worker(0).receivedKinds()).as("no load was offered").doesNotContain("start");
    }

    private void prepare()
    {
        run = pool.prepare(REQUEST);
    }

    private LoadResult execute()
    {
        if (null == run)
        {
            prepare();
        }
        listeners.forEach(run::add);
        return run.execute(ResultFolder.at(folder));
    }

    /** Send it, and then receive the request to end. */
    private BiConsumer<FakeWorker, ObjectNode> endAfter()
    {
        return
            (worker, message) ->
            {
                worker.say(message);
                run.requestEnd();
            };
    }
}
