package io.clusterecho.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.attribution.Cause.State;
import io.clusterecho.host.HostFiles;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerTraceTest
{
    private static final HostFiles MACHINE = HostFiles.ofThisMachine();
    private static final Path INSTANCES = Path.of("/sys/kernel/tracing/instances");
    private static final Path OWN = INSTANCES.resolve("cluster-echo-" + ProcessHandle.current().pid());
    private static final long BUFFER_KIB = 65_536;
    private static final long MS = 1_000_000;
    /** As the kernel writes it: of several cores, with names that have blanks and brackets, and states of two letters. */
    private static final String TRACE = """
        # tracer: nop
        #
        # entries-in-buffer/entries-written: 6/6   #P:2
        #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
                  <idle>-0       [001] d..2.     1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 \
        prev_state=R ==> next_comm=duty-cycle next_pid=20 next_prio=120
              duty-cycle-20      [001] d..2.     1.000100: sched_switch: prev_comm=duty-cycle prev_pid=20 prev_prio=120 \
        prev_state=R+ ==> next_comm=GC [x] prev_pid next_pid=70 next_prio=-51
              duty-cycle-20      [001] dN.4.     1.000200: sched_migrate_task: comm=duty-cycle pid=20 prio=120 orig_cpu=1 \
        dest_cpu=0
                  sh (x)-8       [000] d..2.     1.000250: sched_switch: prev_comm=sh (x) prev_pid=8 prev_prio=120 \
        prev_state=S ==> next_comm=duty-cycle next_pid=20 next_prio=120
              duty-cycle-20      [000] d..2.     1.000300: sched_switch: prev_comm=duty-cycle prev_pid=20 prev_prio=120 \
        prev_state=D|K ==> next_comm=swapper/0 next_pid=0 next_prio=120
                  <idle>-0       [000] dNh4.     1.000400: sched_waking: comm=duty-cycle pid=20 prio=120 target_cpu=000
        """;

    @TempDir
    private Path folder;

    @Test
    void shouldReadEventsInTheWordsOfTheKernel() throws IOException
    {
        final SlowMessage message = message(Part.LOG, 500_000);
        final Causes causes = causes(message);

        assertThat(SchedulerTrace.read(written(TRACE), causes))
            .isEqualTo("events of the scheduler: 6, all of the last 0.0 s");
        causes.explain();
        assertThat(message.causes()).extracting(Cause::state, Cause::holder, Cause::timeNs)
            .containsExactlyInAnyOrder(
                tuple(State.RUNNING, null, 150_000L),
                tuple(State.WAITING, "GC [x] prev_pid", 100_000L),
                tuple(State.WAITING, "unknown", 50_000L),
                tuple(State.BLOCKED, null, 100_000L),
                tuple(State.WAITING, null, 100_000L));
    }

    @Test
    void shouldForgetWhatWasBeforeEventsWereLost() throws IOException
    {
        for (final String lost : List.of("##### CPU 0 buffer started ####", "CPU:0 [LOST 17 EVENTS]"))
        {
            final SlowMessage message = message(Part.LOG, 500_000);
            final Causes causes = causes(message);
            SchedulerTrace.read(written(TRACE.replaceFirst("(?m)^ *sh", lost + "\n$0")), causes);
            causes.explain();

            assertThat(message.causes()).extracting(Cause::state, Cause::timeNs).containsExactlyInAnyOrder(
                tuple(State.UNKNOWN, 200_000L), tuple(State.UNKNOWN, 50_000L), tuple(State.RUNNING, 50_000L),
                tuple(State.BLOCKED, 100_000L), tuple(State.WAITING, 100_000L));
        }
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand()
    {
        assertThatThrownBy(() -> SchedulerTrace.read(written(TRACE.replace("target_cpu=", "cpu ")), causes(message(Part.LOG, 1))))
            .isInstanceOf(IOException.class).hasMessageContaining("not an event of the scheduler: ")
            .hasMessageContaining("sched_waking: comm=duty-cycle pid=20 prio=120 cpu 000");
    }

    @Test
    void shouldTellAStopAndLeaveNothing() throws Exception
    {
        Need.tracefs();
        final Path left = Files.createDirectory(INSTANCES.resolve("cluster-echo-999999999"));
        final SchedulerTrace trace = SchedulerTrace.start(MACHINE, BUFFER_KIB);

        assertThat(left).doesNotExist();
        assertThat(OWN).exists();
        final List<Cause> causes = causesOfAStop(trace);

        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.cost()).singleElement().asString().matches(
            "events of the scheduler: [0-9,]+, all of the last [0-9.]+ s, read in [0-9.]+ s after the load");
        assertThat(OWN).doesNotExist();
        assertThat(causes).as("%s", causes).filteredOn((cause) -> State.STOPPED == cause.state()).singleElement()
            .satisfies((stop) -> assertThat(stop.timeNs()).isBetween(150 * MS, 200 * MS));
        assertThat(causes).noneMatch((cause) -> State.UNKNOWN == cause.state());
    }

    /** The kernel overwrites the stop in a buffer that is too short for all events. */
    @Test
    void shouldNotKnowWhatTheKernelHasOverwritten() throws Exception
    {
        Need.tracefs();
        final List<Cause> causes = causesOfAStop(SchedulerTrace.start(MACHINE, 8));

        assertThat(causes).filteredOn((cause) -> State.UNKNOWN == cause.state()).singleElement()
            .satisfies((unknown) -> assertThat(unknown.timeNs()).isGreaterThan(190 * MS));
    }

    @Test
    void shouldSayThatThereIsNoTracefs() throws IOException
    {
        pidNamespace("pid:[4026531836]");
        assertFails(SchedulerTrace.start(new HostFiles(folder), BUFFER_KIB), "NoSuchFileException");
    }

    /** Root too may not make a folder where the kernel does not allow any. */
    @Test
    void shouldSayThatItMayNotRecord() throws IOException
    {
        pidNamespace("pid:[4026531836]");
        final Path instances = Files.createSymbolicLink(
            Files.createDirectories(folder.resolve("sys/kernel/tracing")).resolve("instances"), Path.of("/sys/kernel"));
        assertFails(SchedulerTrace.start(new HostFiles(folder), BUFFER_KIB), "cluster-echo-" + ProcessHandle.current().pid());
        Files.delete(instances);
    }

    @Test
    void shouldSayThatEventsCannotBeRead() throws IOException
    {
        pidNamespace("pid:[4026531836]");
        // A folder in place of tracefs, without its files.
        Files.createDirectories(folder.resolve("sys/kernel/tracing/instances"));
        assertFails(SchedulerTrace.start(new HostFiles(folder), BUFFER_KIB), "NoSuchFileException");
    }

    /** A container sees other numbers of threads than the kernel's events have. */
    @Test
    void shouldRefuseAPidNamespaceOfItsOwn() throws IOException
    {
        pidNamespace("pid:[4026532178]");
        assertFails(SchedulerTrace.start(new HostFiles(folder), BUFFER_KIB), "a PID namespace");
    }

    private void pidNamespace(final String name) throws IOException
    {
        Files.createSymbolicLink(Files.createDirectories(folder.resolve("proc/self/ns")).resolve("pid"), Path.of(name));
    }

    private static void assertFails(final SchedulerTrace trace, final String why)
    {
        final SlowMessage message = message(Part.LOG, 1);
        trace.explain(List.of(message), 0);
        assertThat(message.causes()).isEmpty();
        assertThat(trace.cost()).isEmpty();
        assertThat(trace.warnings()).singleElement().asString().startsWith(
            "what held up the slowest messages is not known: it needs root and tracefs " +
            "(mount -t tracefs nodev /sys/kernel/tracing): ").contains(why);
        assertThat(OWN).doesNotExist();
    }

    /** Of a message that a thread carried which was stopped for 200 ms; it runs before and after that. */
    private static List<Cause> causesOfAStop(final SchedulerTrace trace) throws Exception
    {
        // The shell becomes the program, whose only thread has the name.
        final Process victim = new ProcessBuilder(
            "bash", "-c", "printf load-agent > /proc/$$/comm; while :; do read -t 0.0001 <> <(:); done").start();
        final long stopNs;
        try
        {
            await("comm", "load-agent.*", victim);
            trace.look(0, Map.of("client", victim.pid()));
            signal("STOP", victim);
            await("stat", "\\d+ \\(load-agent\\) T.*", victim);
            stopNs = System.nanoTime();
            Thread.sleep(200);
            signal("CONT", victim);
            Thread.sleep(100);
        }
        finally
        {
            victim.destroyForcibly().waitFor();
        }
        final SlowMessage message = message(Part.SEND_DELAY, 200 * MS);
        trace.explain(List.of(message), stopNs);
        return message.causes();
    }

    private static void await(final String file, final String pattern, final Process process) throws Exception
    {
        final long deadlineNs = System.nanoTime() + 60_000 * MS;
        String text;
        do
        {
            Thread.sleep(5);
            text = MACHINE.content("proc/" + process.pid() + "/" + file);
            assertThat(System.nanoTime()).as("%s is %s", file, text).isLessThan(deadlineNs);
        }
        while (!text.trim().matches(pattern));
    }

    private static void signal(final String name, final Process process) throws Exception
    {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    private static Causes causes(final SlowMessage message)
    {
        return new Causes(new HashMap<>(Map.of(20, "member-0 duty-cycle")), "member-0", List.of(message), 1_000 * MS);
    }

    private Path written(final String trace) throws IOException
    {
        return Files.writeString(folder.resolve("trace"), trace);
    }

    private static SlowMessage message(final Part part, final long timeNs)
    {
        return new SlowMessage(1, 0, timeNs, true, Map.of(part, timeNs), null);
    }
}
