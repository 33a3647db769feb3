package io.clusterecho.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

import io.clusterecho.host.CLibrary;
import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.settings.IllegalArgument;

/**
 * Pins the threads of this process that carry messages. Each thread enters when it starts; once all have, a short-lived thread
 * makes the system calls, so that none of them waits.
 */
public final class AgentThreads
{
    /** The threads of this process as the kernel knows them, by their ids. Not for threads that carry messages. */
    static final class KernelThreads
    {
        private static final String TASKS = "proc/self/task";
        private static final String CURRENT = "proc/thread-self";

        /** Id of the calling thread; an {@link IOException} if it is unknown. */
        static long current() throws IOException
        {
            return HostFiles.ofThisMachine().target(CURRENT).map(Long::valueOf)
                .orElseThrow(() -> new IOException("/" + CURRENT + " does not exist"));
        }

        /** Ids of all threads, including those of the JVM itself; an {@link IOException} if the system does not list them. */
        static List<Long> all() throws IOException
        {
            final List<Long> ids = HostFiles.ofThisMachine().names(TASKS).stream().map(Long::valueOf).toList();
            if (ids.isEmpty())
            {
                throw new IOException("/" + TASKS + " cannot be listed");
            }
            return ids;
        }

        /** Pin a thread to one or more processors; fails for those that this process may not use. */
        static void pin(final long threadId, final Collection<Integer> cpus) throws IOException
        {
            final BitSet bits = new BitSet();
            cpus.forEach(bits::set);
            final byte[] bytes = bits.toByteArray();
            // The kernel reads whole words.
            final byte[] mask = Arrays.copyOf(bytes, (bytes.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
            CLibrary.call("sched_setaffinity", (int)threadId, (long)mask.length, mask);
        }
    }

    private static final String FAILED = "not all threads could be pinned: ";

    private final List<String> agents;
    private final List<Integer> cpus;
    private final SortedSet<Integer> reserved;
    private final Consumer<String> log;
    private final SortedMap<Integer, Long> threadIds = new TreeMap<>();
    /** Processors that threads could run on before they were pinned. */
    private final SortedSet<Integer> before = new TreeSet<>();
    private boolean arePlaced;
    private boolean isReleased;
    private volatile String outcome = "";

    /**
     * Agents whose threads have not started.
     *
     * @param agents   their names, for messages.
     * @param cpus     processor of each, possibly shared; empty for no pinning.
     * @param reserved processors that all other threads of this process must not use, such as those that compile or watch, if
     *                 there are more processors; empty for no restriction.
     * @param log      receives the outcome.
     */
    public AgentThreads(
        final List<String> agents, final List<Integer> cpus, final SortedSet<Integer> reserved, final Consumer<String> log)
    {
        IllegalArgument.throwIf(
            !cpus.isEmpty() && cpus.size() != agents.size(), cpus.size() + " processors for " + agents.size() + " agents");
        this.agents = List.copyOf(agents);
        this.cpus = new ArrayList<>(cpus);
        this.reserved = new TreeSet<>(reserved);
        this.log = log;
    }

    public static AgentThreads anywhere()
    {
        return new AgentThreads(List.of(), List.of(), new TreeSet<>(), (line) -> { });
    }

    /** A factory for the one thread of an agent. */
    public ThreadFactory factory(final int index)
    {
        return (runnable) -> new Thread(() ->
        {
            enter(index);
            runnable.run();
        });
    }

    /** Register the calling thread as that of an agent. */
    public void enter(final int index)
    {
        if (cpus.isEmpty())
        {
            return;
        }

        try
        {
            final long threadId = KernelThreads.current();
            synchronized (threadIds)
            {
                threadIds.put(index, threadId);
                if (threadIds.size() < agents.size())
                {
                    return;
                }
            }
            final Thread thread = new Thread(() -> report(place()), "thread-placement");
            thread.setDaemon(true);
            thread.start();
        }
        catch (final IOException ex)
        {
            report(FAILED + ex.getMessage());
        }
    }

    /** Move the only agent to another processor; false if pinning failed before, or is not done yet. */
    public boolean move(final int cpu) throws IOException
    {
        synchronized (threadIds)
        {
            cpus.set(0, cpu);
            if (arePlaced)
            {
                KernelThreads.pin(threadIds.get(0), List.of(cpu));
            }
            return arePlaced;
        }
    }

    /** Outcome of pinning, a line of text; empty until there is one. */
    public String outcome()
    {
        return outcome;
    }

    private void report(final String newOutcome)
    {
        outcome = newOutcome;
        log.accept(newOutcome);
    }

    /** Let all threads run anywhere again. Processes and threads inherit the restriction if they are started before this call. */
    public void release()
    {
        synchronized (threadIds)
        {
            isReleased = true;
            if (!before.isEmpty())
            {
                threadIds.clear();
                try
                {
                    pinOthers(before);
                }
                catch (final IOException ex)
                {
                    log.accept("threads stay pinned: " + ex.getMessage());
                }
            }
        }
    }

    private String place()
    {
        synchronized (threadIds)
        {
            try
            {
                if (isReleased)
                {
                    return outcome;
                }
                before.addAll(allowed(HostFiles.ofThisMachine()));
                final List<String> words = new ArrayList<>();
                for (int i = 0; i < agents.size(); i++)
                {
                    KernelThreads.pin(threadIds.get(i), List.of(cpus.get(i)));
                    words.add(agents.get(i) + " on processor " + cpus.get(i));
                }
                arePlaced = true;
                final SortedSet<Integer> left = new TreeSet<>(before);
                left.removeAll(reserved);
                if (!reserved.isEmpty() && !left.isEmpty())
                {
                    pinOthers(left);
                    words.add("all others on " + CpuList.format(left));
                }

                return String.join(", ", words);
            }
            catch (final IOException | RuntimeException ex)
            {
                return FAILED + ex.getMessage();
            }
        }
    }

    private void pinOthers(final SortedSet<Integer> left) throws IOException
    {
        for (final long threadId : KernelThreads.all())
        {
            if (!threadIds.containsValue(threadId))
            {
                try
                {
                    KernelThreads.pin(threadId, left);
                }
                catch (final IOException ex)
                {
                    // It ended after they were listed.
                    continue;
                }
            }
        }
    }

    /** Processors that this process may use; none if unknown. */
    public static SortedSet<Integer> allowed(final HostFiles files)
    {
        return ContainerLimits.of(files).cpusAllowed().map(CpuList::parse).orElseGet(TreeSet::new);
    }
}
