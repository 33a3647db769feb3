package io.clusterecho.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.commands.WorkerLoad;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.results.ExitCode;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerServiceTest
{
    private static final List<String> ARGUMENTS =
        List.of("--transport=memory", "--rate=1000", "--warm-up=0s", "--connections=2", "--core=any");
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(30);

    private final List<List<String>> parsed = new ArrayList<>();
    private final AtomicInteger openedCount = new AtomicInteger();
    private final AtomicInteger closedCount = new AtomicInteger();
    private final CountDownLatch connecting = new CountDownLatch(1);

    @Test
    void shouldSayFirstWhoItIs() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);

        final JsonNode hello = leader.hear(Protocol.HELLO);

        assertThat(hello.path("version").asInt()).isEqualTo(Protocol.VERSION);
        assertThat(hello.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(hello.path("host").asText()).isNotEmpty();
        assertThat(hello.path("versions").path("aeron").asText()).isEqualTo(BuildFacts.versions().get("aeron"));
        assertThat(hello.path("machine").isEmpty()).isFalse();
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldDoRunsOneAfterTheOther() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);

        for (int i = 1; i <= 2; i++)
        {
            leader.say(run(SHORT_NS));
            leader.hear(Protocol.READY);
            leader.say(start());
            final JsonNode interval = leader.hear(Protocol.INTERVAL);
            final JsonNode outcome = leader.hearBehindIntervals(Protocol.OUTCOME);
            final JsonNode done = leader.hear(Protocol.DONE);

            assertThat(interval.path("processes").isArray()).isTrue();
            assertThat(interval.path("machine").asText()).isNotEmpty();
            assertThat(outcome.path("endedEarly").asBoolean(true)).isFalse();
            assertThat(outcome.at("/counts/SCHEDULED").asLong()).as("one share of two").isEqualTo(10);
            assertThat(outcome.path("problems").isEmpty()).isTrue();
            assertThat(done.path("ceilingPerSecond").asLong()).isPositive();
            assertThat(closedCount).hasValue(i);
        }
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldLetItsOwnArgumentsWin() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open, List.of("--rate=500"));
        leader.hear(Protocol.HELLO);
        leader.say(run(SHORT_NS));
        leader.hear(Protocol.READY);
        leader.say(start());

        assertThat(leader.hearBehindIntervals(Protocol.OUTCOME).at("/counts/SCHEDULED").asLong()).isEqualTo(5);
        final List<String> all = new ArrayList<>(ARGUMENTS);
        all.add("--rate=500");
        assertThat(parsed).containsExactly(all);
        leader.hear(Protocol.DONE);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldFailWithWhatIsWrongAndServeOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);

        leader.say(run(SHORT_NS, "--transport=memory", "--mtu=100"));
        assertFailed(leader, ExitCode.USAGE, "--mtu=100 is not allowed: a multiple of 32 from 256 to 65504");
        leader.say(run(SHORT_NS, "--transport=memory", "--no-such-option"));
        assertFailed(leader, ExitCode.USAGE, "--no-such-option");
        leader.say(run(LONG_NS, "--transport=memory", "--rate=1000M"));
        assertFailed(leader, ExitCode.USAGE, "-Xmx");
        leader.say(run(SHORT_NS, "--transport=memory", "--size=10m"));
        assertFailed(leader, ExitCode.USAGE, "--size=10485760");
        leader.say(Protocol.message(Protocol.RUN));
        assertFailed(leader, ExitCode.INTERNAL, "count=0");

        assertThat(openedCount).as("nothing was opened").hasValue(0);
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldFailWhereThereIsNobodyToConnectTo() throws InterruptedException
    {
        final FakeLeader leader = leader((target, plan) ->
        {
            if (0 == openedCount.getAndIncrement())
            {
                throw new NotConnectedException("no session within 5 s", null);
            }
            return open(target, plan);
        });
        leader.hear(Protocol.HELLO);

        leader.say(run(SHORT_NS));
        assertFailed(leader, ExitCode.NOT_CONNECTED, "no session within 5 s");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldStopConnectingWhenItIsAskedToEnd() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        connecting.await();

        leader.say(Protocol.message(Protocol.END));

        assertFailed(leader, ExitCode.NOT_CONNECTED, "interrupted");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndAtOnceWhenItWasAskedToBeforeItConnected() throws InterruptedException
    {
        final CountDownLatch heard = new CountDownLatch(1);
        final FakeLeader leader = leader(this::connectForEver, List.of(), heard);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.say(Protocol.message(Protocol.END));
        leader.awaitRead();
        heard.countDown();

        assertFailed(leader, ExitCode.NOT_CONNECTED, "interrupted");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndAsSoonAsItBeginsWhenItWasAskedToBeforeTheStart() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hear(Protocol.READY);

        leader.say(Protocol.message(Protocol.END));
        leader.say(start());

        assertThat(leader.hearBehindIntervals(Protocol.OUTCOME).path("endedEarly").asBoolean()).isTrue();
        leader.hear(Protocol.DONE);
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndARunThatIsOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hear(Protocol.READY);
        leader.say(start());
        leader.hear(Protocol.INTERVAL);

        leader.service().requestEnd();

        final JsonNode outcome = leader.hearBehindIntervals(Protocol.OUTCOME);
        assertThat(outcome.path("endedEarly").asBoolean()).isTrue();
        assertThat(outcome.at("/counts/ANSWERED").asLong()).isEqualTo(outcome.at("/counts/SCHEDULED").asLong()).isPositive();
        leader.hear(Protocol.DONE);
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndTheRunAndReleaseAllWhenNobodyListensAnyMore() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hear(Protocol.READY);
        leader.say(start());
        leader.hear(Protocol.INTERVAL);

        final List<String> rest = leader.awaitEnd();

        assertThat(rest).endsWith(Protocol.OUTCOME, Protocol.DONE);
        assertThat(closedCount).hasValue(1);
        leader.awaitOrphaned();
    }

    @Test
    void shouldEndWithoutARunWhenNobodySaysStart() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hear(Protocol.READY);

        assertThat(leader.awaitEnd()).isEmpty();
        assertThat(closedCount).hasValue(1);
    }

    @Test
    void shouldStopConnectingWhenNobodyListensAnyMore() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        connecting.await();

        assertThat(leader.awaitEnd()).containsExactly(Protocol.FAILED);
        assertThat(closedCount).hasValue(0);
    }

    @Test
    void shouldNotConnectForARunThatNobodyWaitsForAnyMore() throws InterruptedException
    {
        final CountDownLatch heard = new CountDownLatch(1);
        final FakeLeader leader = leader(this::connectForEver, List.of(), heard);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hangUp();
        leader.awaitOrphaned();
        heard.countDown();

        assertThat(leader.awaitEnd()).containsExactly(Protocol.FAILED);
    }

    @Test
    void shouldPassOverWhatItDoesNotUnderstand() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        for (final String line : List.of(
            "", "Welcome to this host", "{", "{}", "[]", "{\"kind\":\"dance\"}", "{\"kind\":null}", "\u0007"))
        {
            leader.say(line);
        }
        leader.say(Protocol.message(Protocol.PING).put("id", 7));

        final JsonNode pong = leader.hear(Protocol.PONG);
        assertThat(pong.path("id").asInt()).isEqualTo(7);
        assertThat(pong.has("nanoTime")).isTrue();
        assertThat(pong.path("epochNs").asLong()).isPositive();

        leader.say(start());
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldAnswerPingsWhileARunIsOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear(Protocol.HELLO);
        leader.say(run(LONG_NS));
        leader.hear(Protocol.READY);
        leader.say(start());
        leader.say(Protocol.message(Protocol.PING).put("id", 1));

        assertThat(leader.hearBehindIntervals(Protocol.PONG).path("id").asInt()).isEqualTo(1);
        assertThat(leader.awaitEnd()).endsWith(Protocol.OUTCOME, Protocol.DONE);
    }

    private static void assertFailed(final FakeLeader leader, final int status, final String text) throws InterruptedException
    {
        final JsonNode failed = leader.hear(Protocol.FAILED);
        assertThat(failed.path("status").asInt()).as(failed.toString()).isEqualTo(status);
        assertThat(failed.path("message").asText()).contains(text);
    }

    private void assertServes(final FakeLeader leader) throws InterruptedException
    {
        final int count = closedCount.get();
        leader.say(run(SHORT_NS));
        leader.hear(Protocol.READY);
        leader.say(start());
        assertThat(leader.hearBehindIntervals(Protocol.OUTCOME).path("endedEarly").asBoolean(true)).isFalse();
        leader.hear(Protocol.DONE);
        assertThat(closedCount).hasValue(count + 1);
    }

    private FakeLeader leader(final WorkerService.Connector connector)
    {
        return leader(connector, List.of());
    }

    private FakeLeader leader(final WorkerService.Connector connector, final List<String> ownArguments)
    {
        return leader(connector, ownArguments, new CountDownLatch(0));
    }

    private FakeLeader leader(
        final WorkerService.Connector connector, final List<String> ownArguments, final CountDownLatch hold)
    {
        return new FakeLeader(ownArguments, this::parse, connector, hold).start();
    }

    private RunConfig parse(final List<String> arguments)
    {
        parsed.add(List.copyOf(arguments));
        return WorkerLoad.parse(arguments);
    }

    private Sessions open(final Target target, final LoadPlan plan)
    {
        openedCount.incrementAndGet();
        final Sessions sessions = new Sessions(closedCount::incrementAndGet);
        for (int i = 0; i < plan.sessionCount(); i++)
        {
            sessions.add(new MemoryTransport(SystemNanoClock.INSTANCE, plan.messages().maxLengthBytes(), 0, 0, 0), 1);
        }
        return sessions;
    }

    /** The first time; then as others do. */
    private Sessions connectForEver(final Target target, final LoadPlan plan)
    {
        if (openedCount.getAndIncrement() > 0)
        {
            return open(target, plan);
        }

        connecting.countDown();
        try
        {
            new CountDownLatch(1).await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        throw new NotConnectedException("interrupted", null);
    }

    private static ObjectNode run(final long durationNs, final String... arguments)
    {
        final ObjectNode run = Protocol.message(Protocol.RUN);
        (0 == arguments.length ? ARGUMENTS : List.of(arguments)).forEach(run.putArray("arguments")::add);
        return run.put("number", 1).put("count", 2).put("durationNs", durationNs)
            .put("intervalNs", TimeUnit.MILLISECONDS.toNanos(1)).put("firstClientId", 100);
    }

    private static ObjectNode start()
    {
        return Protocol.message(Protocol.START).put("startNs", System.nanoTime());
    }
}
