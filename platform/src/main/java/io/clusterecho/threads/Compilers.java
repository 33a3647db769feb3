package io.clusterecho.threads;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import com.sun.management.HotSpotDiagnosticMXBean;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Restricts the compilers of this JVM, or demotes their threads below all others once the hot code is compiled: for processes
 * whose threads share few cores. A compiler thread does not yield, and threads that yield to one another wait for it for
 * milliseconds at a time. Linux runs threads of the policy {@code SCHED_IDLE} only where no other thread wants the core; setting
 * it needs no privilege, undoing it does. On other systems threads are not demoted.
 */
public final class Compilers
{
    /**
     * Flag of a JVM that compiles with the first compiler alone. With it no code is compiled with counters for the second, which
     * {@link #useFirstAlone()} cannot avoid.
     */
    public static final String FIRST_ALONE_FLAG = "-XX:TieredStopAtLevel=1";

    private static final long POLL_MS = 1_000;
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final String LEVEL_OF_FIRST = "1";
    private static final String LEVEL_OF_SECOND = "4";
    private static final String DIRECTIVE_ADDED = "1 compiler directive";
    private static final String FIRST_ALONE = "compiled by the first compiler alone";
    private static final AtomicBoolean IS_WATCHED = new AtomicBoolean();
    private static volatile String firstAlone = "";
    private static volatile String outcome = "";

    private final LongSupplier cpuTimeNs;
    private final CompilerTimes compilerTimes = CompilerTimes.ofThisProcess();
    private final Settling settling = new Settling();

    private Compilers(final LongSupplier cpuTimeNs)
    {
        this.cpuTimeNs = cpuTimeNs;
    }

    /**
     * Compile with the first compiler (C1) alone from now on; what is compiled already stays. For processes with few cores and so
     * little load that its code is fast enough: the second takes many times as long, from threads that wait for the core. It
     * cannot be undone. A JVM without these two compilers stays as it is, and the outcome says so. Later calls do nothing.
     *
     * @return the outcome, a line of text.
     */
    public static synchronized String useFirstAlone()
    {
        if (firstAlone.isEmpty())
        {
            firstAlone = restrict(flag("TieredCompilation"), flag("TieredStopAtLevel"));
        }
        return firstAlone;
    }

    static String restrict(final String isTiered, final String level)
    {
        if ("true".equals(isTiered) && LEVEL_OF_FIRST.equals(level))
        {
            return FIRST_ALONE;
        }
        if (!"true".equals(isTiered) || !LEVEL_OF_SECOND.equals(level))
        {
            return "compilers not restricted: TieredCompilation=" + isTiered + ", TieredStopAtLevel=" + level;
        }

        try
        {
            final Path file = Files.createTempFile("cluster-echo-compilers", ".json");
            try
            {
                Files.writeString(file, "[{match: \"*.*\", c2: {Exclude: true}}]");
                final Object answer = ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName(DIAGNOSTICS), "compilerDirectivesAdd",
                    new Object[]{ new String[]{ "\"" + file + "\"" } }, new String[]{ String[].class.getName() });
                return String.valueOf(answer).startsWith(DIRECTIVE_ADDED) ? FIRST_ALONE : "compilers not restricted: " + answer;
            }
            finally
            {
                file.toFile().delete();
            }
        }
        catch (final IOException | JMException | RuntimeException ex)
        {
            return "compilers not restricted: " + ex.getMessage();
        }
    }

    /** The value of a flag of HotSpot; other JVMs have none of these flags. */
    private static String flag(final String name)
    {
        try
        {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
        }
        catch (final RuntimeException ex)
        {
            return "unknown";
        }
    }

    /**
     * Let the compilers run in short slices, and poll on a separate thread until they are demoted. Later calls do nothing.
     *
     * @param log receives the outcome, once.
     */
    public static void demoteAfterWarmUp(final Consumer<String> log)
    {
        if (!Files.isDirectory(ThreadIds.TASKS) ||
            !(ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) ||
            !IS_WATCHED.compareAndSet(false, true))
        {
            return;
        }

        final Compilers compilers = new Compilers(system::getProcessCpuTime);
        final Thread thread = new Thread(() -> compilers.watch(log), "compilers-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Outcomes of the restriction and of the demotion.
     *
     * @return a line of text for each that has an outcome.
     */
    public static List<String> outcomes()
    {
        return Stream.of(firstAlone, outcome).filter((line) -> !line.isEmpty()).toList();
    }

    private void watch(final Consumer<String> log)
    {
        try
        {
            final KernelScheduler kernel = KernelScheduler.open();
            final Set<Long> shortened = new HashSet<>();
            boolean isSettled = false;
            while (!isSettled)
            {
                // Each time: the JVM starts further compiler threads when there is much to compile.
                final List<Long> ids = CompilerTimes.ids(ThreadIds.TASKS);
                apply(ids.stream().filter(shortened::add).toList(), kernel::shortSlices);
                isSettled = settling.isSettled(System.nanoTime(), cpuTimeNs.getAsLong(), compilerTimes.totalNs(ids));
                if (!isSettled)
                {
                    Thread.sleep(POLL_MS);
                }
            }
            outcome = demote(kernel);
            log.accept(outcome);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        catch (final IOException ex)
        {
            outcome = "compilers not demoted: " + ex.getMessage();
            log.accept(outcome);
        }
    }

    /**
     * Detects that little is compiled under load, so that compilation may be slow. A process without load also compiles little,
     * so such intervals do not count.
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
         * Evaluate the time since the last call.
         *
         * @param nowNs     on any clock.
         * @param cpuNs     total time on cores of all threads.
         * @param compileNs total time on cores of the compiler threads.
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

    private static String demote(final KernelScheduler kernel) throws IOException
    {
        final List<Long> ids = CompilerTimes.ids(ThreadIds.TASKS);
        apply(ids, kernel::idle);
        return ids.isEmpty() ? "no compiler threads" : "compilers demoted below all other threads (SCHED_IDLE)";
    }

    private static void apply(final List<Long> ids, final SystemCall call) throws IOException
    {
        for (final long id : ids)
        {
            try
            {
                call.on(id);
            }
            catch (final IOException ex)
            {
                // The JVM ends compiler threads that it does not need.
                if (Files.isDirectory(ThreadIds.TASKS.resolve(String.valueOf(id))))
                {
                    throw ex;
                }
            }
        }
    }

    /** A system call on a thread. */
    private interface SystemCall
    {
        void on(long threadId) throws IOException;
    }
}
