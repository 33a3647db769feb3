package io.clusterecho.reporting.diagnosis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.MemberLoad;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.settings.Quantity;

/**
 * Applies the diagnosis rules to a run.
 */
public final class Examination
{
    private static final double LONG_FACTOR = 5;
    /** Longer than any path of a message: from here on replies waited, however slow the median is. */
    private static final long LONG_NS = 1_000_000_000L;

    private Examination()
    {
    }

    /**
     * Diagnose a run from its stored series.
     *
     * @param p50Ns  median response time of the whole run.
     * @param p99Ns  response time of the whole run.
     * @return what the rules found, or that the series cannot be read.
     */
    public static Diagnosis of(final Path folder, final long p50Ns, final long p99Ns)
    {
        try
        {
            return of(Observation.read(folder), p50Ns, p99Ns);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            return new Diagnosis("the series in " + folder + " cannot be read: " + ex.getMessage(), false, List.of());
        }
    }

    /**
     * Core time that a stored run used.
     *
     * @return core time, unknown where it was not counted.
     */
    public static CpuCost cpuCost(final Path folder)
    {
        try
        {
            return cpuCost(Observation.read(folder));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            // The diagnosis reports it.
            return CpuCost.UNKNOWN;
        }
    }

    /**
     * What each member did in a stored run.
     *
     * @return none where no counters of members were read.
     */
    public static List<MemberLoad> members(final Path folder)
    {
        try
        {
            return MemberLoads.of(Observation.read(folder));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            // The diagnosis reports it.
            return List.of();
        }
    }

    /**
     * Core time of the measured rows, for the replies in them: where the warm-up did not end with a row, these are not quite the
     * replies to measured messages.
     */
    static CpuCost cpuCost(final Observation seen)
    {
        double answered = 0;
        for (int row = 0; row < seen.rowCount(); row++)
        {
            answered += seen.interval(row, "answered");
        }
        double clientMs = 0;
        double membersMs = 0;
        boolean hasClient = false;
        boolean hasMembers = false;
        for (final String process : seen.processes())
        {
            if (process.startsWith(ProcessName.BACKUP))
            {
                continue;
            }
            // Including its driver, if that is a process of its own: same name with a suffix.
            final boolean isClient = process.startsWith(ProcessName.CLIENT);
            final double cpuMs = cpuMs(seen, process);
            hasClient |= isClient;
            hasMembers |= !isClient;
            clientMs += isClient ? cpuMs : 0;
            membersMs += isClient ? 0 : cpuMs;
        }

        // Milliseconds for each thousand messages are seconds for each million.
        final double thousands = answered / 1e3;
        return 0 == answered ? CpuCost.UNKNOWN : new CpuCost(
            hasClient ? clientMs / thousands : Double.NaN, hasMembers ? membersMs / thousands : Double.NaN);
    }

    /**
     * Core time of a process in all measured rows. Rows in which it was not read count as the others do: a process that used
     * nothing has a number.
     *
     * @return in ms; NaN if no row has it.
     */
    private static double cpuMs(final Observation seen, final String process)
    {
        double cpuMs = 0;
        double seenMs = 0;
        double allMs = 0;
        for (int row = 0; row < seen.rowCount(); row++)
        {
            allMs += seen.lengthMs(row);
            if (seen.isKnown(process, row, "cpu_ms"))
            {
                cpuMs += seen.of(process, row, "cpu_ms");
                seenMs += seen.lengthMs(row);
            }
        }
        return 0 == seenMs ? Double.NaN : cpuMs * allMs / seenMs;
    }

    static Diagnosis of(final Observation seen, final long p50Ns, final long p99Ns)
    {
        final boolean isStretched = p99Ns >= LONG_FACTOR * p50Ns;
        final boolean isLong = p50Ns > 0 && (isStretched || p99Ns >= LONG_NS);
        final List<TailCause> findings = Rules.ALL.stream().map((rule) -> rule.look(seen)).flatMap(Optional::stream)
            .sorted(Comparator.comparingDouble(TailCause::share).thenComparingDouble(TailCause::present).reversed()).toList();
        final String tail = 0 == p50Ns ? "no response times" : String.format(
            Locale.ROOT, "p99 is %.1f times the median (%s, %s)%s%s", (double)p99Ns / p50Ns, Quantity.formatNs(p99Ns),
            Quantity.formatNs(p50Ns), isLong && !isStretched ? ": most replies were slow" : "",
            !seen.hasCounters() ? "; no counters were recorded" :
            findings.isEmpty() ? "; no rule explains it" : "");
        return new Diagnosis(tail, isLong, findings);
    }
}
