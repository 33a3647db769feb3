package io.clusterecho.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small programs that exist everywhere. */
@Timeout(60)
class ChildProcessTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String DEAF = "trap '' TERM; echo $$; while true; do sleep 0.05; done";

    @TempDir
    private Path folder;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<ChildProcess> children = new ArrayList<>();

    @AfterEach
    void endAll()
    {
        Thread.interrupted();
        children.forEach(ChildProcess::kill);
    }

    @Test
    void shouldReadWhatItWritesAndDescribeItsEnd()
    {
        final ChildProcess child = start(shell("echo one; echo two >&2; echo $GREETING; exit 7")
            .environment(Map.of("GREETING", "good day")));

        assertThat(child.describeEnd()).isEqualTo("the child ended, exit status 7; last output: one / two / good day");
        assertThat(lines).containsExactly("one", "two", "good day");
        assertThat(child.exitStatus()).isEqualTo(7);
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void shouldKeepTheLastLinesOnly()
    {
        assertThat(start(shell("for i in 1 2 3 4 5 6 7; do echo \"  $i\"; done")).describeEnd())
            .isEqualTo("the child ended, exit status 0; last output: 3 / 4 / 5 / 6 / 7");
    }

    @Test
    void shouldReadErrorsApart()
    {
        final List<String> errors = new ArrayList<>();
        final ChildProcess child = start(shell("echo out; echo error >&2").errors(errors::add));

        assertThat(child.describeEnd()).startsWith("the child ended, exit status 0; last output: ");
        assertThat(lines).containsExactly("out");
        assertThat(errors).containsExactly("error");
    }

    @Test
    void shouldWriteToFiles() throws Exception
    {
        final Path file = folder.resolve("log");
        for (int i = 0; i < 2; i++)
        {
            final ChildProcess child =
                start(shell("echo out; echo error >&2").output(ProcessBuilder.Redirect.appendTo(file.toFile())));
            assertThat(child.awaitEnd(LONG_NS)).isTrue();
        }

        assertThat(file).hasContent("out\nerror\nout\nerror");
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldReadNothingUnlessItHasAPipe()
    {
        assertThat(start(shell("cat; echo end")).describeEnd()).isEqualTo("the child ended, exit status 0; last output: end");
    }

    @Test
    void shouldEndWithItsInput() throws Exception
    {
        final ChildProcess child = start(shell("cat; echo end; exit 3").pipedInput());
        child.input().write("hello\n".getBytes(StandardCharsets.UTF_8));
        child.input().flush();
        assertThat(next()).isEqualTo("hello");
        assertThat(child.exitStatus()).isEqualTo(-1);

        child.close();
        assertThat(child.exitStatus()).isEqualTo(3);
        assertThat(lines).containsExactly("end");
    }

    @Test
    void shouldLeaveTheOutputToItsCaller() throws Exception
    {
        final ChildProcess child = start(shell("echo hello").pipedOutput());
        assertThat(new String(child.output().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("hello\n");
        assertThat(child.lastWords()).isEmpty();
        child.keep("hello");
        assertThat(child.lastWords()).isEqualTo("; last output: hello");
    }

    @Test
    void shouldAskByASignalWhereThereIsNoInput() throws Exception
    {
        final ChildProcess child = start(shell("trap 'echo bye; exit 4' TERM; echo ready; while true; do sleep 0.05; done"));
        assertThat(next()).isEqualTo("ready");

        child.close();
        assertThat(child.exitStatus()).isEqualTo(4);
        assertThat(child.describeEnd()).endsWith("last output: ready / bye");
    }

    @Test
    void shouldTellAnEndBySignal() throws Exception
    {
        final ChildProcess child = start(shell("echo ready; exec sleep 600"));
        assertThat(next()).isEqualTo("ready");
        child.kill();
        assertThat(child.describeEnd()).isEqualTo("the child ended, signal 9; last output: ready");
    }

    @Test
    void shouldKillOneThatIgnoresThatItIsAsked() throws Exception
    {
        for (final Launch builder : List.of(
            shell(DEAF), shell(DEAF).pipedInput(), shell(DEAF).tied()))
        {
            final ChildProcess child = start(builder.stopTimeoutNs(SHORT_NS));
            final long pid = Long.parseLong(next());

            child.close();
            assertThat(child.isAlive()).isFalse();
            assertEnds(pid);
            assertThat(next()).isEqualTo("the child did not end in time, killing it");
            assertThat(child.describeEnd()).contains("signal 9");
        }
    }

    @Test
    void shouldTerminateOneThatOutlivesItsInput() throws Exception
    {
        final ChildProcess child = start(
            shell("trap 'exit 5' TERM; echo ready; while true; do sleep 0.05; done").pipedInput().stopTimeoutNs(SHORT_NS));
        assertThat(next()).isEqualTo("ready");

        child.close();
        assertThat(child.exitStatus()).isEqualTo(5);
    }

    @Test
    void shouldGiveItItsTimeToEndAndRestoreAnInterrupt() throws Exception
    {
        final Path file = folder.resolve("ended");
        final ChildProcess child = start(shell("echo ready; cat; sleep 0.1; echo > " + file).pipedInput());
        assertThat(next()).isEqualTo("ready");
        Thread.currentThread().interrupt();

        child.close();
        assertThat(Thread.interrupted()).as("restored").isTrue();
        assertThat(file).exists();
    }

    @Test
    void shouldAskATiedOneBySignal() throws Exception
    {
        final ChildProcess child =
            start(shell("trap 'echo bye; exit 4' TERM; echo ready; while true; do sleep 0.05; done").tied());
        assertThat(next()).isEqualTo("ready");

        child.close();
        assertThat(child.describeEnd()).isEqualTo("the child ended, exit status 4; last output: ready / bye");
    }

    @Test
    void shouldEndATiedOneWhenItsParentIsKilled() throws Exception
    {
        final ChildProcess parent = start(new Launch("the parent", JavaCommand.ofClass(
            Parent.class.getName(), List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"), List.of())).output(lines::add));
        final long pid = Long.parseLong(next());
        assertThat(ProcessHandle.of(pid)).isPresent();

        parent.kill();
        assertEnds(pid);
    }

    @Test
    void shouldRunATaskAtItsEnd()
    {
        final ChildProcess child = start(shell("cat; exit 6").pipedInput());
        final CompletableFuture<String> end = new CompletableFuture<>();
        child.onEnd(end::complete);
        assertThat(end).isNotDone();

        child.requestEnd();
        assertThat(end.join()).isEqualTo("the child ended, exit status 6");
    }

    @Test
    void shouldNameAMissingProgram()
    {
        for (final String program : new String[]{ "/no/such/program", "no-such-program", folder.toString() })
        {
            assertThatThrownBy(() -> new Launch("the child", List.of(program)).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot start the child: no such program: " + program);
        }
        assertThat(Launch.find("sh")).hasValueSatisfying((path) -> assertThat(path).isExecutable());
        assertThat(Launch.find("/bin/sh")).hasValue(Path.of("/bin/sh"));
    }

    @Test
    void shouldReportWhyAProcessCannotBeStarted()
    {
        assertThatThrownBy(() -> shell("true").start((builder) ->
        {
            throw new IOException("no more processes");
        })).isInstanceOf(UncheckedIOException.class).hasMessage("cannot start the child: no more processes");
    }

    @Test
    void shouldEndATiedChildThatAnotherProgramRuns() throws Exception
    {
        final ChildProcess child = start(
            shell("trap 'echo \"it ends\"; exit 4' TERM; echo ready; while true; do sleep 0.05; done")
            .by((words) -> List.of("sh", "-c", words.stream().map(CommandHint::quoted).collect(Collectors.joining(" "))))
            .tied());
        assertThat(next()).isEqualTo("ready");

        child.close();
        assertThat(child.exitStatus()).isEqualTo(4);
        assertThat(child.describeEnd()).endsWith("last output: ready / it ends");
    }

    /** Starts a tied child, prints its process id, and keeps running. */
    static final class Parent
    {
        private Parent()
        {
        }

        public static void main(final String[] args) throws InterruptedException
        {
            new Launch("the child", List.of("sh", "-c", DEAF)).tied().output(System.out::println).start();
            Thread.sleep(TimeUnit.MINUTES.toMillis(10));
        }
    }

    private Launch shell(final String script)
    {
        return new Launch("the child", List.of("sh", "-c", script)).output(lines::add);
    }

    private ChildProcess start(final Launch builder)
    {
        final ChildProcess child = builder.start();
        children.add(child);
        return child;
    }

    private String next() throws InterruptedException
    {
        return lines.poll(LONG_NS, TimeUnit.NANOSECONDS);
    }

    /** An orphaned process takes a moment to be reaped. */
    private static void assertEnds(final long pid) throws Exception
    {
        final long deadlineNs = System.nanoTime() + LONG_NS;
        final Path stat = Path.of("/proc/" + pid + "/stat");
        while (Files.exists(stat) && !isZombie(stat))
        {
            assertThat(System.nanoTime() - deadlineNs).as("waited for the end of process " + pid).isNegative();
            Thread.sleep(5);
        }
    }

    private static boolean isZombie(final Path stat)
    {
        try
        {
            return Files.readString(stat).matches("(?s).*\\) Z .*");
        }
        catch (final IOException ex)
        {
            return true;
        }
    }
}
