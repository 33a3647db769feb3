package io.clusterecho.platform;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Has the compilers of this JVM give way to all other threads, once what is hot is compiled: for processes whose threads share
 * few cores with those that they answer. A thread that compiles does not yield, and those that yield to one another wait for
 * it for milliseconds at a time. Linux runs threads of the policy {@code SCHED_IDLE} where nothing else wants the core, and
 * needs no privilege to make them so; there is no way back without one. Does nothing on other systems, and where there is no
 * {@code chrt}.
 */
public final class Compilers
{
    private static final Path TASKS = Path.of("/proc/self/task");
    /** As much of their names as the system keeps. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");
    private static final String SCRIPT = "for thread; do chrt --idle --pid 0 \"$thread\" || exit; done";
    private static final long POLL_MS = 1_000;
    private static final AtomicBoolean IS_WATCHED = new AtomicBoolean();

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
    public static void giveWayOnceSettled(final Consumer<String> log)
    {
        final CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        if (!Files.isDirectory(TASKS) || null == compilation || !compilation.isCompilationTimeMonitoringSupported() ||
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
            log.accept(giveWay());
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

    private static String giveWay() throws InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "chrt"));
        try
        {
            final int programWords = command.size();
            command.addAll(threads(TASKS));
            if (command.size() == programWords)
            {
                return "no thread compiles";
            }

            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return 0 == process.waitFor() ? "compilers give way to all other threads (SCHED_IDLE)" :
                "compilers do not give way: " + said;
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
     * @return their ids.
     * @throws IOException if it cannot be read.
     */
    static List<String> threads(final Path tasks) throws IOException
    {
        final List<String> ids = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                try
                {
                    if (NAMES.contains(Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1).trim()))
                    {
                        ids.add(thread.getFileName().toString());
                    }
                }
                catch (final IOException ex)
                {
                    // It ended since the folder was listed.
                    continue;
                }
            }
        }

        return ids;
    }
}
