package io.clusterecho.attribution;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.attribution.Cause.State;
import io.clusterecho.host.HostFiles;
import io.clusterecho.settings.Io;
import io.clusterecho.text.Lines;

import org.agrona.CloseHelper;

/**
 * Records which thread has which core, and which thread is woken when, by the kernel's scheduler events, and says afterwards
 * what held up slow messages. The kernel keeps the last events in memory, in an instance of tracefs that no other tracer sees;
 * they are read once, after the load. If this process is killed the kernel ends the recording; the next removes the instance.
 */
public final class SchedulerTrace implements AutoCloseable
{
    private static final String INSTANCES = "sys/kernel/tracing/instances/";
    private static final String PREFIX = "cluster-echo-";
    private static final String FIRST_PID_NAMESPACE = "pid:[4026531836]";
    /** Of all cores: events of a minute where threads on two cores yield to each other, of longer elsewhere. */
    private static final long MAX_KIB = 1 << 19;
    private static final int SHARE_OF_MEMORY = 8;
    private static final Pattern EVENT = Pattern.compile(
        ".*?-\\d+ +\\[(\\d+)] \\S+ +(\\d+)\\.(\\d{6}): sched_(?:switch: prev_comm=.*? prev_pid=(\\d+) prev_prio=\\S+ " +
        "prev_state=(\\S+) ==> next_comm=(.*?) next_pid=(\\d+) .*|(waking|migrate_task): .* pid=(\\d+) .*_cpu=(\\d+)\\s*)");

    private final Map<Integer, String> threads = new HashMap<>();
    private final Set<Integer> leaders = new TreeSet<>();
    private final HostFiles files;
    private final Path instance;
    /** Ends the recording and frees its memory when it is closed, also by the end of the process; null if nothing is recorded. */
    private OutputStream buffers;
    /** Like the failure null if there is none. */
    private String cost;
    private String failure;

    private SchedulerTrace(final HostFiles files)
    {
        this.files = files;
        instance = files.path(INSTANCES + PREFIX + ProcessHandle.current().pid());
    }

    /** Record from now on if asked to, else nothing; {@link #warnings()} say if that fails. */
    public static SchedulerTrace start(final boolean isAsked)
    {
        final HostFiles files = HostFiles.ofThisMachine();
        return !isAsked ? new SchedulerTrace(files) : start(
            files, Math.min(MAX_KIB, HostFiles.number(files.content("proc/meminfo"), "MemAvailable:") / SHARE_OF_MEMORY));
    }

    static SchedulerTrace start(final HostFiles files, final long bufferKib)
    {
        final SchedulerTrace trace = new SchedulerTrace(files);
        try
        {
            if (!files.target("proc/self/ns/pid").orElse("").equals(FIRST_PID_NAMESPACE))
            {
                throw new IOException("threads have other numbers here than in the kernel's events (a PID namespace)");
            }
            trace.removeEnded();
            Files.createDirectory(trace.instance);
            trace.buffers = Files.newOutputStream(trace.instance.resolve("free_buffer"));
            trace.set("options/disable_on_free", 1);
            trace.set("options/overwrite", 1);
            trace.set("options/annotate", 1);
            trace.set("trace_clock", "mono");
            trace.set("buffer_size_kb", bufferKib / Io.list(trace.instance.resolve("per_cpu")).size());
            // The switches last: without the other events a thread that waits would seem to sleep.
            trace.set("set_event", "sched:sched_migrate_task sched:sched_waking sched:sched_switch");
        }
        catch (final IOException | RuntimeException ex)
        {
            trace.failure = "it needs root and tracefs (mount -t tracefs nodev /sys/kernel/tracing): " + ex;
            trace.close();
        }
        return trace;
    }

    /**
     * Note who leads, and the new threads that processes have: at least at the begin and at the end of the load.
     *
     * @param leaderMemberId -1 if it is not known.
     * @param pids           of client and members on this machine, as in {@code member-1}; a media driver in a process of its
     *                       own has the name of its user and {@code -driver}.
     */
    public void look(final int leaderMemberId, final Map<String, Long> pids)
    {
        leaders.add(leaderMemberId);
        pids.forEach((process, pid) -> files.names("proc/" + pid + "/task").forEach((id) -> threads.computeIfAbsent(
            Integer.valueOf(id), (number) ->
            process + " " + files.text("proc/" + pid + "/task/" + id + "/comm").orElse(""))));
    }

    /**
     * End the recording, and add their causes to messages; without a recording they have none.
     *
     * @param startNs begin of the schedule, as {@link System#nanoTime()}.
     */
    public void explain(final List<SlowMessage> messages, final long startNs)
    {
        if (null == buffers)
        {
            return;
        }
        leaders.remove(-1);
        try
        {
            // If another one became the leader, it is not known which of them a message had.
            final Causes causes = new Causes(
                threads, 1 == leaders.size() ? "member-" + leaders.iterator().next() : "", messages, startNs);
            set("tracing_on", 0);
            final long beginNs = System.nanoTime();
            final String events = read(instance.resolve("trace"), causes);
            cost = Lines.text("%s, read in %.1f s after the load", events, (System.nanoTime() - beginNs) / 1e9);
            causes.explain();
        }
        catch (final IOException | RuntimeException ex)
        {
            failure = ex.toString();
        }
        finally
        {
            close();
        }
    }

    /** Report events in the kernel's words; returns how many there are, and of which time all are, as a phrase. */
    static String read(final Path trace, final Causes causes) throws IOException
    {
        long count = 0;
        long firstNs = Long.MAX_VALUE;
        long nowNs = 0;
        try (BufferedReader lines = Files.newBufferedReader(trace, StandardCharsets.ISO_8859_1))
        {
            for (String line = lines.readLine(); null != line; line = lines.readLine())
            {
                final Matcher event = EVENT.matcher(line);
                if (event.matches())
                {
                    count++;
                    nowNs = 1_000 * Long.parseLong(event.group(2) + event.group(3));
                    firstNs = Math.min(firstNs, nowNs);
                    causes.until(nowNs);
                    report(event, causes);
                }
                else if (line.startsWith("####") || line.endsWith("EVENTS]"))
                {
                    // Older events of this core were overwritten.
                    causes.forget();
                    firstNs = Long.MAX_VALUE;
                }
                else if (!line.isEmpty() && '#' != line.charAt(0))
                {
                    throw new IOException("not an event of the scheduler: " + line);
                }
            }
        }
        return Lines.text("events of the scheduler: %,d, all of the last %.1f s", count, Math.max(0, nowNs - firstNs) / 1e9);
    }

    private static void report(final Matcher event, final Causes causes)
    {
        if (null != event.group(8))
        {
            causes.onRunnable(
                Integer.parseInt(event.group(10)), Integer.parseInt(event.group(9)), "migrate_task".equals(event.group(8)));
            return;
        }
        final State state = switch (event.group(5).charAt(0))
        {
            case 'R' -> State.WAITING;
            case 'D' -> State.BLOCKED;
            case 'T', 't' -> State.STOPPED;
            case 'X', 'Z' -> State.UNKNOWN;
            default -> State.SLEEPING;
        };
        causes.onSwitch(
            Integer.parseInt(event.group(1)), Integer.parseInt(event.group(4)), state, Integer.parseInt(event.group(7)),
            event.group(6));
    }

    /** What was recorded and how long reading took, as a phrase, or none. What the kernel adds to each switch is not in it. */
    public Stream<String> cost()
    {
        return Stream.ofNullable(cost);
    }

    /** Why messages have no causes, as a sentence; none if they have. */
    public Stream<String> warnings()
    {
        return Stream.ofNullable(failure).map((why) -> "what held up the slowest messages is not known: " + why);
    }

    /** End the recording. Idempotent. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(buffers);
        buffers = null;
        removeEnded();
    }

    /** Remove the instances of this process and of others that have ended; the kernel keeps one that is in use. */
    private void removeEnded()
    {
        files.names(INSTANCES).stream().filter((name) -> name.startsWith(PREFIX))
            .forEach((name) -> Io.orElse(false, () -> Files.deleteIfExists(files.path(INSTANCES + name))));
    }

    private void set(final String name, final Object value) throws IOException
    {
        Files.writeString(instance.resolve(name), String.valueOf(value));
    }
}
