package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.settings.InvalidSettingException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostLinkTest
{
    private final ManualClock clock = new ManualClock();
    private final long startNs = clock.nanoTime();
    private final FakeHost host = new FakeHost();
    private final HostLink link = new HostLink(FakeHost.HOST, host, clock);

    @AfterEach
    @Timeout(60)
    void shouldLeaveNoThread() throws InterruptedException
    {
        host.close();
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            if (thread.getName().startsWith("host-alpha") || thread.getName().startsWith("connect-alpha"))
            {
                thread.join();
            }
        }
    }

    @Test
    void shouldNotKeepASamplingThreadLongerThanItsTimeoutWhileItConnects()
    {
        host.on("hello", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS));

        assertThatThrownBy(() -> sample("machine")).isInstanceOf(ControlFailure.class);

        assertThat(clock.nanoTime() - startNs).isEqualTo(FakeHost.SAMPLE_TIMEOUT_NS);
    }

    @Test
    void shouldNotKeepASamplingThreadWhileAnotherThreadWaitsForTheConnection() throws Exception
    {
        final CompletableFuture<FakeProcess> greeted = new CompletableFuture<>();
        host.on("hello", (process, request) -> greeted.complete(process));
        final CompletableFuture<JsonNode> other = async(() -> ask("start"));
        greeted.join();

        final CompletableFuture<JsonNode> sample = async(() -> sample("machine"));
        // For the greeting and for the connection.
        clock.awaitWaiters(2);
        clock.advance(FakeHost.SAMPLE_TIMEOUT_NS);

        assertThatThrownBy(sample::join).hasCauseInstanceOf(ControlFailure.class);
        assertThat(other).isNotDone();
        greeted.join().end(255);
        assertThatThrownBy(other::join).hasCauseInstanceOf(ControlFailure.class);
    }

    @Test
    void shouldEndTheProcessOfAGreetingThatTimedOut()
    {
        host.on("hello", (process, request) -> clock.advance(HostLink.CONNECT_TIMEOUT_NS));

        assertThatThrownBy(() -> ask("start")).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("hello").hasMessageContaining("30000 ms");

        assertThat(host.process(0).isAlive()).isFalse();
    }

    @Test
    void shouldCheckTheBuildAfterAGreetingThatTimedOut()
    {
        host.on("hello", (process, request) -> clock.advance(HostLink.CONNECT_TIMEOUT_NS));
        assertThatThrownBy(() -> ask("start")).isInstanceOf(ControlFailure.class);

        host.answering("hello", FakeHost.hello(otherCommit()));
        assertThatThrownBy(() -> ask("start")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("commit").hasMessageContaining("0badcafe");
        assertThat(host.process(1).isAlive()).isFalse();
        assertThat(host.requests()).isEmpty();
    }

    @Test
    void shouldAnswerRequestsOfANewConnectionWhenTheOutputOfTheOldOneEnds() throws Exception
    {
        host.answering("first", 1);
        ask("first");
        host.process(0).endButKeepOutput(255);
        final CompletableFuture<JsonNode> request = new CompletableFuture<>();
        host.on("second", (process, asked) -> request.complete(asked));

        final CompletableFuture<JsonNode> second = async(() -> ask("second"));
        request.join();
        host.process(0).endOutput();
        host.process(0).awaitReaderEnd();
        FakeHost.answer(host.process(1), request.join(), 2);

        assertThat(second.join().asInt()).isEqualTo(2);
    }

    @Test
    void shouldMakeOneConnectionForAllWhoAsk() throws Exception
    {
        final CompletableFuture<JsonNode> greeting = new CompletableFuture<>();
        host.on("hello", (process, request) -> greeting.complete(request)).answering("pid", 7);
        final CompletableFuture<JsonNode> first = async(() -> ask("pid"));
        greeting.join();
        final CompletableFuture<JsonNode> second = async(() -> sample("pid"));
        clock.awaitWaiters(2);

        FakeHost.answer(host.process(0), greeting.join(), FakeHost.hello(BuildFacts.versions()));

        assertThat(first.join().asInt()).isEqualTo(7);
        assertThat(second.join().asInt()).isEqualTo(7);
        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isOne();
        assertThat(host.greetingCount()).isOne();
        assertThat(host.command(0)).contains("ssh", "alpha.example").last().asString()
            .contains("/opt/cluster-echo/cluster-node.jar agent");
    }

    @Test
    void shouldMatchAnswersToRequestsInWhateverOrderTheyCome()
    {
        final CompletableFuture<JsonNode> slow = new CompletableFuture<>();
        host.on("slow", (process, request) -> slow.complete(request)).answering("quick", "q");
        final CompletableFuture<JsonNode> first = async(() -> ask("slow"));
        slow.join();

        assertThat(ask("quick").asText()).isEqualTo("q");
        assertThat(first).isNotDone();
        FakeHost.answer(host.process(0), slow.join(), "s");

        assertThat(first.join().asText()).isEqualTo("s");
    }

    @Test
    void shouldFailWhileSshCannotBeStartedAndTryAgain()
    {
        host.failStart(new IOException("No such file or directory"));
        assertThatThrownBy(() -> ask("pid")).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("host alpha (ssh alpha.example)").hasMessageContaining("No such file or directory");

        host.failStart(null);
        host.answering("pid", 7);
        assertThat(ask("pid").asInt()).isEqualTo(7);
    }

    @Test
    void shouldReportTheOutputOfSshWhenItCannotConnect()
    {
        host.on("hello", (process, request) ->
        {
            process.sayError("Warning: permanently added");
            process.sayError("ssh: connect to host alpha.example port 22: Connection refused");
            process.end(255);
        });

        assertThatThrownBy(() -> ask("pid")).isInstanceOf(ControlFailure.class).hasMessageContaining("Connection refused");
        assertThat(host.requests()).isEmpty();
    }

    @Test
    void shouldFailWhatWasAskedWhenTheProcessEndsAndConnectAgain()
    {
        host.on("start", (process, request) -> process.end(255)).answering("pid", 7);
        assertThatThrownBy(() -> ask("start")).isInstanceOf(ControlFailure.class).hasMessageContaining("the connection ended");

        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isEqualTo(2);
        assertThat(host.greetingCount()).isEqualTo(2);
    }

    @Test
    void shouldConnectAgainWhenTheProcessEndedWhileNobodyAsked() throws Exception
    {
        host.answering("pid", 7);
        ask("pid");
        host.process(0).end(255);
        host.process(0).awaitReaderEnd();

        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldEndTheProcessWhoseOutputEnded() throws Exception
    {
        host.answering("pid", 7);
        ask("pid");
        host.process(0).endOutput();
        host.process(0).awaitReaderEnd();

        assertThat(host.process(0).isAlive()).isFalse();
        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldNotTakeALateAnswerForThatOfTheNextRequest()
    {
        final CompletableFuture<JsonNode> late = new CompletableFuture<>();
        host.on("late", (process, request) ->
        {
            late.complete(request);
            clock.advance(HostLink.SHORT_TIMEOUT_NS);
        });
        host.on("next", (process, request) ->
        {
            FakeHost.answer(process, late.join(), "late");
            FakeHost.answer(process, request, "next");
        });

        assertThatThrownBy(() -> ask("late")).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("'late'").hasMessageContaining("10000 ms");
        assertThat(ask("next").asText()).isEqualTo("next");
        assertThat(host.connectionCount()).isOne();
    }

    @Test
    void shouldNotWaitForAHostThatIsKnownToBeSilentUntilItAnswers()
    {
        host.on("sample", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS)).answering("pid", 7);
        assertThatThrownBy(() -> sample("sample")).isInstanceOf(ControlFailure.class);
        assertThatThrownBy(() -> sample("pid")).isInstanceOf(ControlFailure.class).hasMessageContaining("no answer to 'sample'");
        assertThat(host.requests()).hasSize(1);

        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(sample("pid").asInt()).isEqualTo(7);
    }

    @Test
    void shouldAskASilentHostAgainAfterAWhile()
    {
        host.on("sample", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS)).answering("pid", 7);
        assertThatThrownBy(() -> sample("sample")).isInstanceOf(ControlFailure.class);

        clock.advance(HostLink.SILENCE_NS - 1);
        assertThatThrownBy(() -> sample("pid")).isInstanceOf(ControlFailure.class);
        clock.advance(1);
        assertThat(sample("pid").asInt()).isEqualTo(7);
    }

    @Test
    void shouldNotStartSshForEachSampleOfAHostThatRefuses()
    {
        host.on("hello", (process, request) ->
        {
            process.sayError("Connection refused");
            process.end(255);
        });
        for (int i = 0; i < 3; i++)
        {
            assertThatThrownBy(() -> sample("pid")).isInstanceOf(ControlFailure.class).hasMessageContaining("Connection refused");
        }
        assertThat(host.connectionCount()).isOne();

        host.answering("hello", FakeHost.hello(BuildFacts.versions())).answering("pid", 7);
        clock.advance(HostLink.SILENCE_NS);
        assertThat(sample("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldNotKeepASamplingThreadWhileTheProcessTakesNoRequests() throws Exception
    {
        final CompletableFuture<FakeProcess> blocked = new CompletableFuture<>();
        final CompletableFuture<Void> unblocked = new CompletableFuture<>();
        host.on("blocks", (process, request) ->
        {
            blocked.complete(process);
            unblocked.join();
        });
        host.answering("last", "l");
        final CompletableFuture<JsonNode> other = async(() -> ask("blocks"));
        blocked.join();

        final CompletableFuture<JsonNode> sample = async(() -> sample("kill"));
        clock.awaitWaiters(2);
        clock.advance(FakeHost.SAMPLE_TIMEOUT_NS);
        assertThatThrownBy(sample::join).hasCauseInstanceOf(ControlFailure.class);
        assertThat(other).isNotDone();

        // A request that nobody waits for is not executed later.
        unblocked.complete(null);
        assertThat(ask("last").asText()).isEqualTo("l");
        assertThat(host.requests()).extracting((request) -> request.path("do").asText()).containsExactly("blocks", "last");
    }

    @Test
    void shouldIgnoreOutputOfALoginShell()
    {
        host.on("pid", (process, request) ->
        {
            process.say("Welcome to alpha");
            process.say("");
            FakeHost.answer(process, request, 7);
        });

        assertThat(ask("pid").asInt()).isEqualTo(7);
    }

    @Test
    void shouldCloseAConnectionThatAnswersGarbage()
    {
        host.on("garbage", (process, request) -> process.say("{\"id\":" + request.path("id") + ",\"answer\":"))
            .answering("pid", 7);

        assertThatThrownBy(() -> ask("garbage")).isInstanceOf(ControlFailure.class).hasMessageContaining("is not JSON");
        assertThat(host.process(0).isAlive()).isFalse();
        assertThat(ask("pid").asInt()).isEqualTo(7);
        assertThat(host.connectionCount()).isEqualTo(2);
    }

    @Test
    void shouldRejectAHostWithoutABuild()
    {
        host.answering("hello", "hi");

        assertThatThrownBy(() -> ask("pid")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("alpha:/opt/cluster-echo").hasMessageContaining("unknown");
        assertThatThrownBy(() -> sample("pid")).isInstanceOf(InvalidSettingException.class);
        assertThat(host.process(0).isAlive()).isFalse();
        assertThat(host.connectionCount()).isOne();
    }

    @Test
    void shouldReportWhatTheHostCouldNotDo()
    {
        host.failing("start", "no room", ControlFailure.NOT_READY).failing("configure", "echo.mtu=7", ControlFailure.UNUSABLE);

        assertThatThrownBy(() -> ask("start")).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("host alpha").hasMessageContaining("no room");
        assertThatThrownBy(() -> ask("configure")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("host alpha").hasMessageContaining("echo.mtu=7");
        assertThat(host.process(0).isAlive()).isTrue();
    }

    @Test
    void shouldKeepAnInterruptForLater() throws Exception
    {
        final CompletableFuture<JsonNode> asked = new CompletableFuture<>();
        host.answering("pid", 7).on("stop", (process, request) -> asked.complete(request));
        ask("pid");
        final CompletableFuture<Thread> thread = new CompletableFuture<>();
        final CompletableFuture<Boolean> isInterrupted = CompletableFuture.supplyAsync(
            () ->
            {
                thread.complete(Thread.currentThread());
                ask("stop");
                return Thread.currentThread().isInterrupted();
            },
            (task) -> new Thread(task).start());
        asked.join();
        thread.join().interrupt();

        FakeHost.answer(host.process(0), asked.join(), "stopped");

        assertThat(isInterrupted.join()).isTrue();
    }

    @Test
    void shouldUseTheClockOffsetOfTheFastestRoundTrip()
    {
        final long[] durationsNs = { 900, 300, 200, 700, 400, 500, 600, 800 };
        final AtomicInteger exchange = new AtomicInteger();
        host.on("ping", (process, request) ->
        {
            final long durationNs = durationsNs[exchange.getAndIncrement()];
            clock.advance(durationNs / 2);
            final long thereNs = clock.nanoTime() - 1_000_000;
            clock.advance(durationNs / 2);
            FakeHost.answer(process, request, Map.of("nanoTime", thereNs, "epochNs", thereNs));
        });

        assertThat(link.clockOffset()).isEqualTo(new ClockOffset(-1_000_000, 100, -1_000_000));
        assertThat(exchange).hasValue(durationsNs.length);
    }

    private JsonNode ask(final String what)
    {
        return link.ask(request(what), HostLink.SHORT_TIMEOUT_NS);
    }

    private JsonNode sample(final String what)
    {
        return link.askAtOnce(request(what), FakeHost.SAMPLE_TIMEOUT_NS);
    }

    private static Map<String, String> otherCommit()
    {
        final Map<String, String> versions = new HashMap<>(BuildFacts.versions());
        versions.put("commit", "0badcafe");
        return versions;
    }

    private static CompletableFuture<JsonNode> async(final Supplier<JsonNode> action)
    {
        return CompletableFuture.supplyAsync(action, (task) -> new Thread(task).start());
    }

    private static ObjectNode request(final String what)
    {
        return CallProtocol.MAPPER.createObjectNode().put("do", what);
    }
}
