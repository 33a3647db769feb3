package io.clusterecho.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.OrderCodec;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.results.ExitCode;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerServiceTest
{
    private static final List<String> ARGUMENTS =
        List.of("--transport=memory", "--idle=sleep", "--rate=1000", "--warm-up=0s", "--connections=2", "--core=any");
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(30);

    private final List<List<String>> parsed = new ArrayList<>();
    private final AtomicInteger openedCount = new AtomicInteger();
    private final AtomicInteger closedCount = new AtomicInteger();
    private final CountDownLatch connecting = new CountDownLatch(1);
    /** Holds the thread that makes runs before it connects. */
    private volatile CountDownLatch hold = new CountDownLatch(0);

    @Test
    void shouldSayFirstWhoItIs() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);

        final JsonNode hello = leader.hear("hello");

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
        leader.hear("hello");

        for (int i = 1; i <= 2; i++)
        {
            leader.call("offer", run(SHORT_NS));
            leader.hear("ready");
            leader.call("start", start());
            final JsonNode interval = leader.hear("interval");
            final JsonNode done = leader.hearBehindIntervals("done");

            assertThat(interval.at("/counters/processes").isArray()).isTrue();
            assertThat(interval.at("/counters/machine").asText()).isNotEmpty();
            assertThat(done.path("isEndedEarly").asBoolean(true)).isFalse();
            assertThat(done.at("/outcome/counts/SCHEDULED").asLong()).as("one share of two").isEqualTo(10);
            assertThat(done.path("problems").isEmpty()).isTrue();
            assertThat(done.path("ceilingPerSecond").asLong()).isPositive();
            assertThat(closedCount).hasValue(i);
        }
        assertThat(leader.awaitEnd()).isEmpty();
    }

    /** Counts how many there are. */
    public static final class CountedCodec extends OrderCodec
    {
        private static final AtomicInteger COUNT = new AtomicInteger();

        @Override
        public void init(final long seed, final Map<String, String> settings)
        {
            super.init(seed, settings);
            COUNT.incrementAndGet();
        }
    }

    @Test
    void shouldHaveTheMessagesOfAllSessionsBeforeItIsReady() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(
            SHORT_NS, "--endpoints=0=127.0.0.1:20000", "--messages=" + CountedCodec.class.getName(), "--rate=1000",
            "--connections=2", "--core=any"));
        leader.hear("ready");

        assertThat(CountedCodec.COUNT).as("two that are compared, and one for each session").hasValue(4);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldLetItsOwnArgumentsWin() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open, List.of("--rate=500"));
        leader.hear("hello");
        leader.call("offer", run(SHORT_NS));
        leader.hear("ready");
        leader.call("start", start());

        assertThat(leader.hearBehindIntervals("done").at("/outcome/counts/SCHEDULED").asLong()).isEqualTo(5);
        final List<String> all = new ArrayList<>(ARGUMENTS);
        all.add("--rate=500");
        assertThat(parsed).containsExactly(all);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldFailWithWhatIsWrongAndServeOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");

        leader.call("offer", run(SHORT_NS, "--transport=memory", "--mtu=100"));
        assertFailed(leader, ExitCode.USAGE, "--mtu=100 is not allowed: a multiple of 32 from 256 to 65504");
        leader.call("offer", run(SHORT_NS, "--transport=memory", "--no-such-option"));
        assertFailed(leader, ExitCode.USAGE, "--no-such-option");
        leader.call("offer", run(LONG_NS, "--transport=memory", "--rate=1000M"));
        assertFailed(leader, ExitCode.USAGE, "-Xmx");
        leader.call("offer", run(SHORT_NS, "--transport=memory", "--size=10m"));
        assertFailed(leader, ExitCode.USAGE, "--size=10485760");
        leader.call("offer", "{\"arguments\":[]}");
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
        leader.hear("hello");

        leader.call("offer", run(SHORT_NS));
        assertFailed(leader, ExitCode.NOT_CONNECTED, "no session within 5 s");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldStopConnectingWhenItIsAskedToEnd() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        connecting.await();

        leader.call("end", "");

        assertFailed(leader, ExitCode.NOT_CONNECTED, "interrupted");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndAtOnceWhenItWasAskedToBeforeItConnected() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        hold = new CountDownLatch(1);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.call("end", "");
        leader.awaitRead();
        hold.countDown();

        assertFailed(leader, ExitCode.NOT_CONNECTED, "interrupted");
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndAsSoonAsItBeginsWhenItWasAskedToBeforeTheStart() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hear("ready");

        leader.call("end", "");
        leader.call("start", start());

        assertThat(leader.hearBehindIntervals("done").path("isEndedEarly").asBoolean()).isTrue();
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndARunThatIsOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hear("ready");
        leader.call("start", start());
        leader.hear("interval");

        leader.service().end();

        final JsonNode done = leader.hearBehindIntervals("done");
        assertThat(done.path("isEndedEarly").asBoolean()).isTrue();
        assertThat(done.at("/outcome/counts/ANSWERED").asLong())
            .isEqualTo(done.at("/outcome/counts/SCHEDULED").asLong()).isPositive();
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldEndTheRunAndReleaseAllWhenNobodyListensAnyMore() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hear("ready");
        leader.call("start", start());
        leader.hear("interval");

        final List<String> rest = leader.awaitEnd();

        assertThat(rest).endsWith("done");
        assertThat(closedCount).hasValue(1);
        leader.awaitOrphaned();
    }

    @Test
    void shouldEndWithoutARunWhenNobodySaysStart() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hear("ready");

        assertThat(leader.awaitEnd()).isEmpty();
        assertThat(closedCount).hasValue(1);
    }

    @Test
    void shouldStopConnectingWhenNobodyListensAnyMore() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        connecting.await();

        assertThat(leader.awaitEnd()).containsExactly("failed");
        assertThat(closedCount).hasValue(0);
    }

    @Test
    void shouldNotConnectForARunThatNobodyWaitsForAnyMore() throws InterruptedException
    {
        final FakeLeader leader = leader(this::connectForEver);
        hold = new CountDownLatch(1);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hangUp();
        leader.awaitOrphaned();
        hold.countDown();

        assertThat(leader.awaitEnd()).containsExactly("failed");
    }

    @Test
    void shouldPassOverWhatItDoesNotUnderstand() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        for (final String line : List.of(
            "", "Welcome to this host", "{", "{}", "[]", "{\"kind\":\"dance\"}", "{\"kind\":null}", "\u0007"))
        {
            leader.say(line);
        }
        for (int i = 0; i < 8; i++)
        {
            leader.hear("failed");
        }
        leader.call("ping", "");

        final JsonNode pong = leader.hear("pong");
        assertThat(pong.has("nanoTime")).isTrue();
        assertThat(pong.path("epochNs").asLong()).isPositive();

        leader.call("start", start());
        assertServes(leader);
        assertThat(leader.awaitEnd()).isEmpty();
    }

    @Test
    void shouldAnswerPingsWhileARunIsOn() throws InterruptedException
    {
        final FakeLeader leader = leader(this::open);
        leader.hear("hello");
        leader.call("offer", run(LONG_NS));
        leader.hear("ready");
        leader.call("start", start());
        leader.call("ping", "");

        assertThat(leader.hearBehindIntervals("pong").has("nanoTime")).isTrue();
        assertThat(leader.awaitEnd()).endsWith("done");
    }

    private static void assertFailed(final FakeLeader leader, final int status, final String text) throws InterruptedException
    {
        final JsonNode failed = leader.hear("failed");
        assertThat(failed.path("exitCode").asInt()).as(failed.toString()).isEqualTo(status);
        assertThat(failed.path("error").asText()).contains(text);
    }

    private void assertServes(final FakeLeader leader) throws InterruptedException
    {
        final int count = closedCount.get();
        leader.call("offer", run(SHORT_NS));
        leader.hear("ready");
        leader.call("start", start());
        assertThat(leader.hearBehindIntervals("done").path("isEndedEarly").asBoolean(true)).isFalse();
        assertThat(closedCount).hasValue(count + 1);
    }

    private FakeLeader leader(final BiFunction<Target, LoadPlan, Sessions> connector)
    {
        return leader(connector, List.of());
    }

    private FakeLeader leader(final BiFunction<Target, LoadPlan, Sessions> connector, final List<String> ownArguments)
    {
        final FakeLeader leader = new FakeLeader(ownArguments, this::parse, connector).start();
        leader.call("hello", "");
        return leader;
    }

    private RunConfig parse(final List<String> arguments)
    {
        try
        {
            hold.await();
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
        parsed.add(List.copyOf(arguments));
        return RunConfig.parse(arguments);
    }

    private Sessions open(final Target target, final LoadPlan plan)
    {
        openedCount.incrementAndGet();
        final Sessions sessions = new Sessions(closedCount::incrementAndGet);
        for (int i = 0; i < plan.sessionCount(); i++)
        {
            sessions.add(new MemoryTransport(SystemNanoClock.INSTANCE, plan.messages().maxLengthBytes(), 0, 0, 0, 1), 1);
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

    private static String run(final long durationNs, final String... arguments)
    {
        final String words = Stream.of(0 == arguments.length ? ARGUMENTS.toArray(String[]::new) : arguments)
            .map((argument) -> '"' + argument + '"').collect(Collectors.joining(",", "[", "]"));
        return "{\"arguments\":" + words + ",\"number\":1,\"count\":2,\"durationNs\":" + durationNs + ",\"intervalNs\":" +
            TimeUnit.MILLISECONDS.toNanos(1) + ",\"firstClientId\":100}";
    }

    private static String start()
    {
        return String.valueOf(System.nanoTime());
    }
}
