package io.clusterecho.client.worker;

import static io.clusterecho.client.worker.FakeWorkers.REQUEST;
import static io.clusterecho.client.worker.FakeWorkers.SECOND_NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.InvalidSettingException;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerPoolTest
{
    private final FakeWorkers workers = new FakeWorkers();
    private final WorkerPool pool = workers.pool(3);

    @AfterEach
    void after()
    {
        // Do not interrupt other tests of this thread.
        Thread.interrupted();
    }

    @Test
    void shouldTellEachWorkerItsShareAndCompareClocks()
    {
        pool.prepare(REQUEST);
        for (int i = 0; i < 3; i++)
        {
            final JsonNode run = workers.worker(i).received("offer");
            assertThat(run.path("number").asInt()).isEqualTo(i);
            assertThat(run.path("count").asInt()).isEqualTo(3);
            assertThat(run.path("arguments").path(0).asText()).isEqualTo("--rate=1000");
            assertThat(run.path("durationNs").asLong()).isEqualTo(2 * SECOND_NS);
            assertThat(run.path("intervalNs").asLong()).isEqualTo(FakeWorkers.INTERVAL_NS);
            assertThat(run.path("firstClientId").asLong()).isEqualTo(7);
            assertThat(Collections.frequency(workers.worker(i).receivedKinds(), "ping")).isEqualTo(20);
        }
        assertThat(workers.left()).containsExactly(0, 1, 2);
        pool.close();
        assertThat(workers.left()).isEmpty();
    }

    @Test
    void shouldNameTheClientThatCannotBeStarted()
    {
        workers.cannotStart(1);
        assertRefused().hasMessageContaining("--client-command=ssh host-1 worker").hasMessageContaining("client 1")
            .hasMessageContaining("no such program");
        assertThat(workers.started()).hasSize(1);
    }

    @Test
    void shouldNameTheClientThatSaysNothing()
    {
        workers.inPlaceOf(2, "hello 0", (worker, hello) -> worker.fallSilent());
        assertRefused().hasMessageContaining("host-2").hasMessageContaining("client 2").hasMessageContaining("60.0 s");
        assertThat(workers.elapsedNs()).isEqualTo(60 * SECOND_NS);
    }

    @Test
    void shouldNameTheClientThatEndsBeforeItSaysHello()
    {
        workers.inPlaceOf(1, "hello 0", (worker, hello) -> worker.die(127));
        assertRefused().hasMessageContaining("host-1").hasMessageContaining("client 1").hasMessageContaining("exit status 127");
    }

    @Test
    void shouldNameTheClientThatSaysSomethingElse()
    {
        workers.inPlaceOf(0, "hello 0", (worker, hello) -> worker.say(hello.put("pid", "seven")));
        assertRefused().hasMessageContaining("host-0").hasMessageContaining("client 0").hasMessageContaining("\"seven\"");
    }

    @Test
    void shouldNameTheClientOfAnotherBuild()
    {
        workers.inPlaceOf(
            2, "hello 0",
            (worker, hello) ->
            {
                hello.withObject("/versions").put("commit", "abc");
                worker.say(hello);
            });
        assertRefused().hasMessageContaining("host-2").hasMessageContaining(
            "client 2 has commit abc instead of " + BuildFacts.versions().get("commit"));
    }

    @Test
    void shouldPassOnOutputOfAWorkerOutsideTheProtocol()
    {
        workers.inPlaceOf(
            1, "hello 0",
            (worker, hello) ->
            {
                worker.remark("Welcome to host-1");
                worker.say(hello);
            });
        pool.prepare(REQUEST);
        assertThat(workers.remarks()).containsExactly("client 1: Welcome to host-1");
    }

    @Test
    void shouldPassOnWhyAnOptionIsRefused()
    {
        workers.inPlaceOf(1, "ready 0", (worker, ready) -> worker.fail(2, "--egress=x is not allowed: HOST:PORT"));
        assertRefused().hasMessage("client 1: --egress=x is not allowed: HOST:PORT");
    }

    @Test
    void shouldPassOnThatThereIsNoCluster()
    {
        workers.inPlaceOf(2, "ready 0", (worker, ready) -> worker.fail(3, "no member answered within 5 s"));
        assertNotConnected().hasMessage("client 2: no member answered within 5 s");
    }

    @Test
    void shouldPassOnAnInternalError()
    {
        workers.inPlaceOf(0, "ready 0", (worker, ready) -> worker.fail(1, "java.lang.NullPointerException"));
        assertFailed(IllegalStateException.class).hasMessage("client 0: java.lang.NullPointerException");
    }

    @Test
    void shouldNameTheClientThatDiesBeforeItIsReady()
    {
        workers.inPlaceOf(1, "ready 0", (worker, ready) -> worker.die(134));
        assertNotConnected().hasMessage("client 1 is lost: its process ended, signal 6");
    }

    @Test
    void shouldNameTheClientThatIsNotReadyInTime()
    {
        workers.inPlaceOf(2, "ready 0", (worker, ready) -> worker.fallSilent());
        assertNotConnected().hasMessage("client 2 was not ready (sessions opened, messages made) within 30.0 s");
    }

    @Test
    void shouldNameTheClientThatAnswersAPingTooLate()
    {
        workers.inPlaceOf(1, "pong 5", (worker, pong) -> workers.after(11 * SECOND_NS, () -> worker.say(pong)));
        assertNotConnected().hasMessageContaining("client 1").hasMessageContaining("ping").hasMessageContaining("10.0 s");
    }

    @Test
    void shouldNameTheClientThatAnswersAnotherPing()
    {
        workers.inPlaceOf(1, "pong 5", FakeWorker::answerAnotherCall);
        assertNotConnected().hasMessageContaining("client 1").hasMessageContaining("ping").hasMessageContaining("10.0 s");
    }

    @ParameterizedTest
    @ValueSource(strings = { "nanoTime", "epochNs" })
    void shouldNameTheClientThatAnswersAPingWithoutItsClock(final String clock)
    {
        workers.inPlaceOf(1, "pong 5", (worker, pong) -> worker.say(pong.put(clock, "late")));
        assertNotConnected().hasMessageContaining("client 1").hasMessageContaining(clock);
    }

    @ParameterizedTest
    @ValueSource(strings = { "hello 0", "ready 0", "pong 7" })
    void shouldEndAllWorkersWhenItIsInterrupted(final String instead)
    {
        workers.inPlaceOf(1, instead, (worker, message) -> Thread.currentThread().interrupt());
        assertNotConnected().hasMessageContaining("interrupted");
        assertThat(Thread.currentThread().isInterrupted()).as("restored").isTrue();
    }

    @Test
    void shouldAskAllToEndBeforeItAwaitsAny()
    {
        pool.prepare(REQUEST);
        pool.close();
        assertThat(workers.log()).containsExactly("ask 0", "ask 1", "ask 2", "await 0", "await 1", "await 2");
    }

    @Test
    void shouldNotTakeAFailureOfAnEarlierRunForThatOfTheNext()
    {
        pool.prepare(REQUEST);
        workers.inPlaceOf(1, "ready 1", (worker, ready) ->
        {
            worker.failEarlierRun("too late");
            worker.say(ready);
        });
        pool.prepare(REQUEST);
        assertThat(workers.started()).hasSize(3);
    }

    @Test
    void shouldNotStartWorkersThatAreThere()
    {
        pool.prepare(REQUEST);
        pool.prepare(REQUEST);
        assertThat(workers.started()).hasSize(3);
        assertThat(Collections.frequency(workers.worker(1).receivedKinds(), "offer")).isEqualTo(2);
    }

    @Test
    void shouldStartAWorkerAnewThatDiedBetweenTwoRuns()
    {
        pool.prepare(REQUEST);
        workers.worker(1).die(137);
        pool.prepare(REQUEST);
        assertThat(workers.started().stream().map(FakeWorker::number)).containsExactly(0, 1, 2, 1);
        assertThat(workers.left()).containsExactly(0, 2, 1);
        assertThat(workers.remarks()).containsExactly(
            "client 1: its process ended, signal 9; it is restarted");
    }

    @Test
    void shouldStartAllAnewAfterAFailure()
    {
        workers.inPlaceOf(1, "ready 0", (worker, ready) -> worker.die(1));
        assertNotConnected();
        pool.prepare(REQUEST);
        assertThat(workers.left()).containsExactly(0, 1, 2);
        assertThat(workers.started()).hasSize(6);
    }

    private AbstractThrowableAssert<?, ?> assertRefused()
    {
        return assertFailed(InvalidSettingException.class);
    }

    private AbstractThrowableAssert<?, ?> assertNotConnected()
    {
        return assertFailed(NotConnectedException.class);
    }

    private AbstractThrowableAssert<?, ?> assertFailed(final Class<? extends RuntimeException> type)
    {
        final AbstractThrowableAssert<?, ?> failure = assertThatThrownBy(() -> pool.prepare(REQUEST)).isInstanceOf(type);
        assertThat(workers.left()).as("nothing is left running").isEmpty();
        return failure;
    }
}
