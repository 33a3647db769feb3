package io.clusterecho.client.worker;

import static io.clusterecho.client.worker.FakeWorkers.INTERVAL_NS;
import static io.clusterecho.client.worker.FakeWorkers.MESSAGE_COUNT;
import static io.clusterecho.client.worker.FakeWorkers.REQUEST;
import static io.clusterecho.client.worker.FakeWorkers.SECOND_NS;
import static io.clusterecho.client.worker.FakeWorkers.SILENCE_NS;
import static io.clusterecho.client.worker.RunAccounts.assertAccounted;
import static io.clusterecho.client.worker.RunAccounts.assertComplete;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three clients that send 1,000 messages per second for two seconds, and report every 200 ms. Client 1 sends 667 of them, 267
 * of which are due in its first four intervals.
 */
class DistributedRunTest
{
    private static final int TOLD_IN_FOUR_INTERVALS = 267;
    private static final int SHARE = 667;

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
    void shouldPutTogetherWhatAllMeasured() throws IOException
    {
        final LoadResult result = execute();
        assertComplete(result);
        assertThat(result.warnings()).isEmpty();
        assertThat(result.ceilingPerSecond()).isEqualTo(3_000_000);
        assertThat(isLast).hasSize(10).endsWith(true).containsOnlyOnce(true);
        for (final ClientRecord client : result.clients())
        {
            assertThat(client.host()).isEqualTo("host-" + client.number());
            assertThat(client.pid()).isEqualTo(1_000 + client.number());
            assertThat(client.command()).isEqualTo("ssh host-" + client.number() + " worker");
            assertThat(client.machine()).containsEntry("cores", "2");
            assertThat(client.clockOffsetNs()).isEqualTo(workers.worker(client.number()).clockOffsetNs());
            assertThat(CsvTable.read(folder.resolve(client.folder()).resolve("intervals.csv")).rowCount()).isEqualTo(10);
            assertThat(folder.resolve(client.folder()).resolve("client.json")).content().contains("\"lost\" : \"\"");
        }
        assertThat(workers.left()).as("they stay for the next run").containsExactly(0, 1, 2);
        assertThat(workers.elapsedNs()).isLessThan(3 * SECOND_NS);
    }

    @Test
    void shouldStartEachClientAtTheSameInstantOnItsOwnClock()
    {
        // The first exchange reports a time that is off by half a second.
        workers.inPlaceOf(1, "pong 0", (worker, pong) -> workers.after(SECOND_NS, () -> worker.say(pong)));
        final LoadResult result = execute();
        final long startNs = workers.worker(0).received("start").asLong() - 77 * SECOND_NS;
        assertThat(workers.worker(1).received("start").asLong() - startNs).isEqualTo(154 * SECOND_NS);
        assertThat(workers.worker(2).received("start").asLong() - startNs).isEqualTo(231 * SECOND_NS);
        assertThat(result.clients().get(1).clockErrorNs()).isEqualTo(50_000);
        assertThat(result.clients().get(1).timeOfDayOffsetNs()).isZero();
    }

    @Test
    void shouldNumberTheCounterRowsOfTheClients()
    {
        prepare();
        final CounterSource counters = run.counters(() -> new CounterSource.Rows(List.of("member-0,1"), "2"));
        listeners.add(
            (interval) -> assertThat(counters.take().processes())
                .containsExactly("client-0,1000", "client-1,1001", "client-2,1002", "member-0,1"));
        assertComplete(execute());
        assertThat(counters.take().machine()).isEqualTo("2");
    }

    @Test
    void shouldUseTheWorkersForTheNextRun()
    {
        execute();
        run = pool.prepare(REQUEST);
        assertComplete(execute());
        assertThat(workers.started()).hasSize(3);
    }

    @Test
    void shouldAccountForAClientThatDiesBeforeTheStart()
    {
        prepare();
        workers.worker(1).die(137);
        assertLost(execute(), "its process ended, signal 9", 0);
    }

    @Test
    void shouldAccountForAClientThatDiesInTheMiddleOfTheRun()
    {
        workers.inPlaceOf(1, "interval 4", (worker, interval) -> worker.die(137));
        final LoadResult result = execute();
        assertLost(result, "its process ended, signal 9", TOLD_IN_FOUR_INTERVALS);
        assertThat(result.losses().get(0)).contains("after 1.0 s");
        assertThat(isLast).hasSize(10).endsWith(true);
    }

    @Test
    void shouldAccountForAClientThatDiesBeforeItsOutcome()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) -> worker.die(1));
        assertLost(execute(), "its process ended, exit status 1", SHARE);
    }

    @Test
    void shouldAccountForAClientThatFallsSilent()
    {
        workers.inPlaceOf(1, "interval 4", (worker, interval) -> worker.fallSilent());
        assertLost(execute(), "it sent nothing for 3", TOLD_IN_FOUR_INTERVALS);
        assertThat(workers.elapsedNs()).isBetween(SILENCE_NS + INTERVAL_NS, SILENCE_NS + 10 * INTERVAL_NS);
    }

    @Test
    void shouldAccountForAllWhenAllDie()
    {
        for (int i = 0; i < 3; i++)
        {
            workers.inPlaceOf(i, "interval 4", (worker, interval) -> worker.die(1));
        }
        final LoadResult result = execute();
        assertAccounted(result, MESSAGE_COUNT);
        assertThat(result.losses()).hasSize(3);
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(801);
        assertThat(isLast).endsWith(true);
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldNotTakeAPauseOfItsOwnForTheSilenceOfAClient()
    {
        workers.inPlaceOf(
            0, "interval 4",
            (worker, interval) ->
            {
                workers.stall(60 * SECOND_NS);
                worker.say(interval);
            });
        assertComplete(execute());
    }

    @Test
    void shouldNotMindLinesThatAreNotOfTheProtocol()
    {
        workers.inPlaceOf(
            1, "interval 4",
            (worker, interval) ->
            {
                worker.remark("OpenJDK 64-Bit Server VM warning: something");
                worker.say(interval);
            });
        assertComplete(execute());
        assertThat(workers.remarks()).containsExactly("client 1: OpenJDK 64-Bit Server VM warning: something");
    }

    @Test
    void shouldGoOnWithoutTheLastIntervalOfAClientThatEndsEarly()
    {
        workers.inPlaceOf(1, "interval 3", (worker, interval) ->
        {
            worker.say(interval);
            worker.end();
        });
        workers.inPlaceOf(1, "interval 4", (worker, last) -> worker.remark("{\"kind\":\"inteOpenJDK 64-Bit Server VM"));
        // Nothing was due in it.
        assertThat(execute().losses()).isEmpty();
        assertThat(isLast).hasSize(11).doesNotContain(true);
    }

    @Test
    void shouldAccountForAClientOfWhichAnIntervalIsMissing()
    {
        // Other output was mixed into the line, so that it is not part of the protocol.
        workers.inPlaceOf(1, "interval 4", (worker, interval) -> worker.remark("{\"kind\":\"inteOpenJDK 64-Bit Server VM"));
        assertLost(execute(), "600 response times in its intervals, but 667 replies in its outcome", 600);
    }

    @ParameterizedTest
    @CsvSource({ "'', phase", "/times, RESPONSE", "/times, STALL", "/totals, SENT" })
    void shouldAccountForAClientThatSendsADamagedInterval(final String part, final String field)
    {
        workers.inPlaceOf(1, "interval 4", (worker, interval) ->
        {
            ((ObjectNode)interval.at("/interval" + part)).put(field, "%%%");
            worker.say(interval);
        });
        assertLost(execute(), "it sent an invalid interval", TOLD_IN_FOUR_INTERVALS);
    }

    @Test
    void shouldAccountForAClientWhoseLastIntervalIsDamaged()
    {
        workers.inPlaceOf(1, "interval 9", (worker, interval) ->
        {
            ((ObjectNode)interval.at("/interval/times")).put("SEND_DELAY", "AAAA");
            worker.say(interval);
        });
        assertLost(execute(), "it sent an invalid interval", 600);
    }

    @Test
    void shouldAccountForAClientThatSendsADamagedOutcome()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            ((ObjectNode)done.get("outcome")).put("unansweredAges", "%%%");
            worker.say(done);
        });
        assertLost(execute(), "it sent an invalid answer", SHARE);
    }

    @Test
    void shouldAccountForAClientWhoseAccountsDoNotAddUp()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            ((ObjectNode)done.at("/outcome/counts")).put("UNANSWERED", 5);
            worker.say(done);
        });
        assertLost(execute(), "its accounts do not add up: scheduled=667, accounted for=672", SHARE);
    }

    @Test
    void shouldAccountForAClientWhoseAccountsAreOfAnotherShare()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            ((ObjectNode)done.at("/outcome/counts")).put("SCHEDULED", 600).put("ANSWERED", 600);
            worker.say(done);
        });
        assertLost(execute(), "its accounts are of 600 messages, but its share is 667", SHARE);
    }

    @Test
    void shouldSayWhatAClientReportsToHaveFailed()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            done.putArray("problems").add("the load ended early: its agent failed");
            worker.say(done);
        });
        assertLost(execute(), "it reported problems: the load ended early: its agent failed", SHARE);
    }

    @Test
    void shouldAccountForAClientThatSaysSomethingOutOfTurn()
    {
        workers.inPlaceOf(1, "interval 4", (worker, interval) -> worker.sayUnknownEvent());
        assertLost(execute(), "it sent an unexpected message: dance", TOLD_IN_FOUR_INTERVALS);
    }

    @Test
    void shouldAccountForAClientThatFails()
    {
        workers.inPlaceOf(
            1, "interval 4",
            (worker, interval) -> worker.fail(1, "no memory"));
        assertLost(execute(), "no memory", TOLD_IN_FOUR_INTERVALS);
    }

    @Test
    void shouldKeepAllOfAClientThatDiesAfterItsOutcome()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            worker.say(done);
            worker.die(137);
        });
        final LoadResult result = execute();
        assertComplete(result);
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void shouldGiveAClientMoreTimeToCloseItsSessions()
    {
        workers.inPlaceOf(1, "done 0", (worker, done) -> worker.fallSilent());
        assertLost(execute(), "it sent nothing for 60", SHARE);
        assertThat(workers.elapsedNs()).isLessThan(64 * SECOND_NS);
    }

    @Test
    void shouldMergeNothingThatComesAfterAnOutcome()
    {
        final ObjectNode[] last = new ObjectNode[1];
        workers.inPlaceOf(
            1, "interval 9",
            (worker, interval) ->
            {
                last[0] = interval;
                worker.say(interval);
            });
        workers.inPlaceOf(1, "done 0", (worker, done) ->
        {
            worker.say(done);
            worker.say(last[0]);
        });
        final LoadResult result = execute();
        assertComplete(result);
        assertThat(result.warnings()).isEmpty();
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

    /** Client 1 was lost, all others continue. */
    private void assertLost(final LoadResult result, final String why, final int answered)
    {
        assertAccounted(result, MESSAGE_COUNT);
        assertThat(result.losses()).hasSize(1).first().asString().contains("client 1 of 3", why);
        assertThat(result.failures()).isEqualTo(result.losses());
        assertThat(result.isEndedEarly()).isFalse();
        final ClientRecord lost = result.clients().get(1);
        assertThat(lost.lost()).isEqualTo(result.losses().get(0));
        assertThat(lost.accounts().answered()).isEqualTo(answered);
        assertThat(lost.accounts().neverSent()).isEqualTo(SHARE - answered);
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(MESSAGE_COUNT - SHARE + answered);
        assertThat(folder.resolve("clients/1/client.json")).content().contains("client 1 of 3");
        assertThat(workers.left()).containsExactly(0, 2);
    }
}
