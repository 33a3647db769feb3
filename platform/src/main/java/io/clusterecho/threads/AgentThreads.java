package io.clusterecho.threads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;

/**
 * The threads of this process that carry messages, and where they run. Each enters when it begins; once all have, a thread
 * that ends soon tells the kernel, so that none of them waits for that.
 */
public final class AgentThreads
{
    private static final String FAILED = "not all threads run where they should: ";

    private final List<String> agents;
    private final List<Integer> cpus;
    private final SortedSet<Integer> reserved;
    private final Consumer<String> log;
    private final SortedMap<Integer, Long> threadIds = new TreeMap<>();
    /** Where threads could run when they were placed. */
    private final SortedSet<Integer> before = new TreeSet<>();
    private boolean arePlaced;
    private boolean isReleased;
    private volatile String outcome = "";

    /**
     * Agents of which none has begun.
     *
     * @param agents   what to call each in what is told.
     * @param cpus     processor of each, which may be that of another too; empty to leave that to the system.
     * @param reserved processors that all other threads of this process are kept off, such as those that compile or watch, if
     *                 there are more; empty to let these run anywhere.
     * @param log      told what became of it, once.
     */
    public AgentThreads(
        final List<String> agents, final List<Integer> cpus, final SortedSet<Integer> reserved, final Consumer<String> log)
    {
        if (!cpus.isEmpty() && cpus.size() != agents.size())
        {
            throw new IllegalArgumentException(cpus.size() + " processors for " + agents.size() + " agents");
        }
        this.agents = List.copyOf(agents);
        this.cpus = new ArrayList<>(cpus);
        this.reserved = new TreeSet<>(reserved);
        this.log = log;
    }

    /**
     * Agents that the system may put where it likes.
     *
     * @return such as nobody needs to tell apart.
     */
    public static AgentThreads anywhere()
    {
        return new AgentThreads(List.of(), List.of(), new TreeSet<>(), (line) ->
        {
        });
    }

    /**
     * Makes the thread of an agent.
     *
     * @param index of the agent.
     * @return a factory for one thread.
     */
    public ThreadFactory factory(final int index)
    {
        return (runnable) -> new Thread(() ->
        {
            enter(index);
            runnable.run();
        });
    }

    /**
     * The calling thread is that of an agent.
     *
     * @param index of the agent.
     */
    public void enter(final int index)
    {
        if (cpus.isEmpty())
        {
            return;
        }

        try
        {
            final long threadId = ThreadIds.current();
            synchronized (threadIds)
            {
                threadIds.put(index, threadId);
                if (threadIds.size() < agents.size())
                {
                    return;
                }
            }
            final Thread thread = new Thread(() -> tell(place()), "thread-placement");
            thread.setDaemon(true);
            thread.start();
        }
        catch (final IOException ex)
        {
            synchronized (threadIds)
            {
                if (outcome.isEmpty())
                {
                    tell(FAILED + ex.getMessage());
                }
            }
        }
    }

    /**
     * Have the one agent that there is run on another processor from now on.
     *
     * @param cpu processor.
     * @return whether it does; not if it could not be placed before, and not yet if that is still to come.
     * @throws IOException if the system refuses.
     */
    public boolean move(final int cpu) throws IOException
    {
        synchronized (threadIds)
        {
            cpus.set(0, cpu);
            if (arePlaced)
            {
                KernelScheduler.open().pin(threadIds.get(0), new TreeSet<>(List.of(cpu)));
            }
            return arePlaced;
        }
    }

    /**
     * What became of it.
     *
     * @return a line for people, empty as long as nothing did.
     */
    public String outcome()
    {
        return outcome;
    }

    private void tell(final String newOutcome)
    {
        outcome = newOutcome;
        log.accept(newOutcome);
    }

    /**
     * Let all threads run anywhere again. Processes and threads that are started while these are kept off some processors are
     * kept off them as well.
     */
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
                    pinOthers(KernelScheduler.open(), before);
                }
                catch (final IOException ex)
                {
                    log.accept("threads stay where they are: " + ex.getMessage());
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
                final KernelScheduler kernel = KernelScheduler.open();
                before.addAll(allowed(HostFiles.ofThisMachine()));
                final List<String> words = new ArrayList<>();
                for (int i = 0; i < agents.size(); i++)
                {
                    kernel.pin(threadIds.get(i), new TreeSet<>(List.of(cpus.get(i))));
                    words.add(agents.get(i) + " on processor " + cpus.get(i));
                }
                arePlaced = true;
                final SortedSet<Integer> left = new TreeSet<>(before);
                left.removeAll(reserved);
                if (!reserved.isEmpty() && !left.isEmpty())
                {
                    pinOthers(kernel, left);
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

    private void pinOthers(final KernelScheduler kernel, final SortedSet<Integer> left) throws IOException
    {
        for (final long threadId : ThreadIds.all(ThreadIds.TASKS).keySet())
        {
            if (!threadIds.containsValue(threadId))
            {
                try
                {
                    kernel.pin(threadId, left);
                }
                catch (final IOException ex)
                {
                    // It ended since they were listed.
                    continue;
                }
            }
        }
    }

    /**
     * Processors that this process may use.
     *
     * @param files of the machine.
     * @return empty if the system does not tell.
     */
    public static SortedSet<Integer> allowed(final HostFiles files)
    {
        return ContainerLimits.of(files).cpusAllowed().map(CpuList::parse).orElseGet(TreeSet::new);
    }
}
