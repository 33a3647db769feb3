package io.clusterecho.threads;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Has the compilers of this JVM give way to all other threads, once what is hot is compiled: for processes whose threads share
 * few cores with those that they answer. A thread that compiles does not yield, and those that yield to one another wait for
 * it for milliseconds at a time. Linux runs threads of the policy {@code SCHED_IDLE} where nothing else wants the core, and
 * needs no privilege to make them so; there is no way back without one. Does nothing on other systems.
 */
public final class Compilers
{
    /** As much of their names as the system keeps. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");
    private static final long POLL_MS = 1_000;
    private static final AtomicBoolean IS_WATCHED = new AtomicBoolean();
    private static volatile String outcome = "";

    private final LongSupplier cpuTimeNs;
    private final LongSupplier compileTimeMs;
    private final Settling settling = new Settling();

    private Compilers(final LongSupplier cpuTimeNs, final LongSupplier compileTimeMs)
    {
        this.cpuTimeNs = cpuTimeNs;
        this.compileTimeMs = compileTimeMs;
    }

    /**
     * Watch on a thread of its own until they have given way. Later calls do nothing.
     *
     * @param log told what was done, once.
     */
    public static void demoteAfterWarmUp(final Consumer<String> log)
    {
        final CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        if (!Files.isDirectory(ThreadIds.TASKS) || null == compilation || !compilation.isCompilationTimeMonitoringSupported() ||
            !(ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) ||
            !IS_WATCHED.compareAndSet(false, true))
        {
            return;
        }

        final Compilers compilers = new Compilers(system::getProcessCpuTime, compilation::getTotalCompilationTime);
        final Thread thread = new Thread(() -> compilers.watch(log), "compilers-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * What was done.
     *
     * @return a line for people, empty as long as nothing was.
     */
    public static String outcome()
    {
        return outcome;
    }

    private void watch(final Consumer<String> log)
    {
        try
        {
            do
            {
                Thread.sleep(POLL_MS);
            }
            while (!settling.isSettled(
                System.nanoTime(), cpuTimeNs.getAsLong(), TimeUnit.MILLISECONDS.toNanos(compileTimeMs.getAsLong())));
            outcome = giveWay();
            log.accept(outcome);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether so little is compiled under load that it may take its time. A process without work compiles little too, so
     * that time does not count.
     */
    static final class Settling
    {
        private static final double LEAST_LOAD = 0.25;
        private static final double MOST_COMPILATION = 0.1;
        private static final int LEAST_POLLS = 3;

        private long lastNs = -1;
        private long lastCpuNs;
        private long lastCompileNs;
        private int calmPolls;

        /**
         * Look at the time since the last call.
         *
         * @param nowNs     on any clock.
         * @param cpuNs     time on cores of all threads so far.
         * @param compileNs time of all compilations that have ended so far.
         * @return true if little was compiled in each of the last intervals with load.
         */
        boolean isSettled(final long nowNs, final long cpuNs, final long compileNs)
        {
            final long passedNs = nowNs - lastNs;
            final boolean isLoaded = lastNs >= 0 && cpuNs - lastCpuNs >= LEAST_LOAD * passedNs;
            if (isLoaded)
            {
                calmPolls = compileNs - lastCompileNs <= MOST_COMPILATION * passedNs ? calmPolls + 1 : 0;
            }
            lastNs = nowNs;
            lastCpuNs = cpuNs;
            lastCompileNs = compileNs;

            return calmPolls >= LEAST_POLLS;
        }
    }

    private static String giveWay()
    {
        try
        {
            final List<Long> ids = threads(ThreadIds.TASKS);
            if (ids.isEmpty())
            {
                return "no thread compiles";
            }

            final KernelScheduler kernel = KernelScheduler.open();
            for (final long id : ids)
            {
                kernel.idle(id);
            }
            return "compilers give way to all other threads (SCHED_IDLE)";
        }
        catch (final IOException ex)
        {
            return "compilers do not give way: " + ex.getMessage();
        }
    }

    /**
     * The threads that compile.
     *
     * @param tasks folder of the threads of a process.
     * @throws IOException if it cannot be read.
     */
    static List<Long> threads(final Path tasks) throws IOException
    {
        return ThreadIds.all(tasks).entrySet().stream()
            .filter((thread) -> NAMES.contains(thread.getValue())).map(Map.Entry::getKey).toList();
    }
}
