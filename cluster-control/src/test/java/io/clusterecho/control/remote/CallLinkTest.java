package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.Launch;

/** Shells replace the called process. */
@Timeout(60)
class CallLinkTest
{
    @TempDir
    private Path folder;

    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();
    private CallLink link;

    /** What the shells answer. */
    public interface Counting
    {
        /** Listens to the numbers on the way. */
        interface Numbers
        {
            @Asked
            void passed(int number);
        }

        @Asked
        CompletableFuture<Integer> count(int limit, Numbers numbers);
    }

    @AfterEach
    void after()
    {
        Thread.interrupted();
        if (null != link)
        {
            link.close();
        }
    }

    @Test
    void shouldPassEventsToTheListenerBeforeTheAnswer()
    {
        final List<Integer> numbers = new ArrayList<>();
        start("""
            read -r call; echo Welcome; echo '{}'; echo '{"id":99,"answer":7}'
            echo '{"id":1,"do":"passed","arguments":[1]}'; echo '{"id":1,"do":"passed","arguments":[2]}'
            echo "$call" > %s/call; echo '{"id":1,"answer":3}'; cat""");
        assertThat(count(numbers).join()).isEqualTo(3);
        assertThat(numbers).containsExactly(1, 2);
        assertThat(folder.resolve("call")).hasContent("{\"do\":\"count\",\"arguments\":[3,null],\"id\":1}");
        assertThat(remarks).containsExactly("Welcome", "{}");
    }

    @Test
    void shouldFailACallThatFailedThere()
    {
        start("read -r call; echo '{\"id\":1,\"error\":\"no room\",\"exitCode\":2}'; cat");
        assertThatThrownBy(count(new ArrayList<>())::join).hasCauseInstanceOf(ControlFailure.class)
            .hasRootCauseMessage("no room");
    }

    @Test
    void shouldFailACallOfWhichAnEventOrTheAnswerIsUnknown()
    {
        start("read -r call; echo '{\"id\":1,\"do\":\"dance\"}'; read -r call; echo '{\"id\":2,\"answer\":\"three\"}'; cat");
        assertThatThrownBy(count(new ArrayList<>())::join).isInstanceOf(CompletionException.class)
            .cause().isInstanceOf(IOException.class).hasMessage("it sent an unexpected message: dance");
        assertThatThrownBy(count(new ArrayList<>())::join).hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldReportTheEndWithTheLastOutput()
    {
        start("read -r call; echo Welcome; exit 7");
        assertThatThrownBy(count(new ArrayList<>())::join).hasCauseInstanceOf(IOException.class)
            .hasRootCauseMessage("its process ended, exit status 7; last output: Welcome");
        assertThatThrownBy(count(new ArrayList<>())::join).as("a later call").hasCauseInstanceOf(IOException.class);
        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void shouldEndAtAMessageThatIsBroken()
    {
        start("read -r call; echo '{\"id\":'; cat");
        assertThatThrownBy(count(new ArrayList<>())::join).hasRootCauseMessage("its answer is not JSON: {\"id\":");
    }

    @Test
    void shouldBoundTheErrorOfAClockOffset()
    {
        start("read -r call; echo '{\"id\":1,\"answer\":{\"nanoTime\":0,\"epochNs\":0}}'; cat");
        final long beginNs = System.nanoTime();
        final long errorNs = link.exchangeClocks().join().errorNs();
        assertThat(errorNs).isBetween(0L, (System.nanoTime() - beginNs) / 2 + 1);
    }

    @Test
    void shouldGiveAProcessItsTimeToEndThoughItIsInterrupted()
    {
        start("read -r call; echo '{\"id\":1,\"answer\":3}'; cat; echo > %s/ended");
        assertThat(count(new ArrayList<>()).join()).isEqualTo(3);
        Thread.currentThread().interrupt();
        link.close();
        assertThat(Thread.interrupted()).as("restored").isTrue();
        assertThat(folder.resolve("ended")).exists();
    }

    private void start(final String script)
    {
        link = new CallLink(
            new Launch("its process", List.of("sh", "-c", script.replace("%s", folder.toString())))
                .pipedInput().pipedOutput().errors((line) -> {}).stopTimeoutNs(TimeUnit.SECONDS.toNanos(3)).start(),
            "client-0", null, remarks::add, WaitClock.SYSTEM);
    }

    private CompletableFuture<Integer> count(final List<Integer> numbers)
    {
        return link.as(Counting.class).count(3, numbers::add);
    }
}
