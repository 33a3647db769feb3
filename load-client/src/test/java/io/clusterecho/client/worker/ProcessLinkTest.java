package io.clusterecho.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.platform.WaitClock;

/** Shells replace workers. */
@Timeout(60)
class ProcessLinkTest
{
    @TempDir
    private Path folder;

    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();
    private WorkerLink link;

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
    void shouldSayThatAProgramIsNotThere()
    {
        assertThatThrownBy(() -> start("/no/such/program")).isInstanceOf(UncheckedIOException.class)
            .hasRootCauseMessage("no such program: /no/such/program");
    }

    @Test
    void shouldTellMessagesFromOtherLines()
    {
        link = start(
            "sh", "-c", "echo Welcome; echo '{\"kind\":\"hello\",\"version\":3}'; echo '{\"kind\":'; echo '{}'; exit 7");
        final WorkerLink.Heard hello = next();
        assertThat(hello.is(Protocol.HELLO)).isTrue();
        assertThat(hello.message().path("version").asInt()).isEqualTo(3);
        assertThat(hello.timeNs()).isLessThanOrEqualTo(WaitClock.SYSTEM.nanoTime());
        assertThat(next().isEnd()).isTrue();
        assertThat(remarks).containsExactly("Welcome", "{\"kind\":", "{}");
        assertThat(link.fate()).isEqualTo(
            "its process ended, exit status 7; last output: Welcome / {\"kind\": / {}");
    }

    @Test
    void shouldSendLinesToTheWorker()
    {
        link = start("cat");
        link.send(Protocol.message(Protocol.PING).put("id", 5));
        assertThat(next().message().path("id").asInt()).isEqualTo(5);
        link.endInput();
        assertThat(next().isEnd()).isTrue();
        link.send(Protocol.message(Protocol.END));
        assertThat(link.fate()).startsWith("its process ended, exit status 0");
    }

    @Test
    void shouldGiveAWorkerItsTimeToEndThoughItIsInterrupted()
    {
        final Path file = folder.resolve("ended");
        link = start("sh", "-c", "echo '{\"kind\":\"hello\"}'; cat; echo > " + file);
        assertThat(next().is(Protocol.HELLO)).isTrue();
        Thread.currentThread().interrupt();
        link.close();
        assertThat(Thread.interrupted()).as("restored").isTrue();
        assertThat(file).exists();
    }

    private WorkerLink start(final String... command)
    {
        return new ProcessLink("client-0", List.of(command), remarks::add);
    }

    private WorkerLink.Heard next()
    {
        WorkerLink.Heard heard = link.poll();
        while (null == heard)
        {
            WaitClock.SYSTEM.park(Duration.ofSeconds(1).toNanos());
            heard = link.poll();
        }
        return heard;
    }
}
