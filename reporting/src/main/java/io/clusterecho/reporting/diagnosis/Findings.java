package io.clusterecho.reporting.diagnosis;

import static io.clusterecho.text.Lines.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.clusterecho.attribution.SlowTail;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.BackupLag;
import io.clusterecho.reporting.results.ChurnCost;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.MemberAbsence;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.RunFindings;
import io.clusterecho.reporting.results.SnapshotCost;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;

/** What a run shows: the diagnosis by its rules, and all else that follows from its files. */
public final class Findings
{
    private static final double LONG_FACTOR = 5;
    /** Longer than any path of a message: from here on replies waited, however slow the median is. */
    private static final long LONG_NS = 1_000_000_000L;

    /**
     * Diagnose a run by the median of its response times and their p99, or null; it says so if the series cannot be read.
     *
     * @param isExplained whether it is known what held up its slowest messages: rules that guess at it are left out.
     */
    public static Diagnosis of(final IntervalTable run, final long p50Ns, final Long p99Ns, final boolean isExplained)
    {
        return run.examine(
            (table) -> diagnosis(table.measured(), p50Ns, p99Ns, isExplained),
            (why) -> new Diagnosis("the series cannot be read: " + why, false, List.of()));
    }

    /** All that a stored run shows. */
    public static RunFindings of(
        final Path folder, final RunEvidence evidence, final RunDescription description, final FloorRatio floor,
        final List<ClientRecord> clients)
    {
        final IntervalTable run = new IntervalTable(folder);
        final LoadMeasurement measurement = evidence.measurement();
        final Histogram times = measurement.times().of(Time.RESPONSE);
        final String unsteady = null != evidence.failover() ? "a failover test is not steady" :
            null == evidence.varyingRate() ? null : evidence.varyingRate().reason();
        final ClientShare.CoreWait wait = run.orNull(Findings::coreWait);
        final SlowTail tail = SlowTail.of(measurement.outcome().slowest(), measurement.outcome().of(Counter.SCHEDULED));
        final List<String> warnings = new ArrayList<>(evidence.warnings());
        final List<MemberAbsence> absences = null != evidence.failover() ? List.of() : run.examine(MemberAbsence::of, (why) ->
        {
            warnings.add("whether all members took part is unknown: " + why);
            return List.of();
        });
        final RunEvidence examined = new RunEvidence(
            measurement, evidence.ratePerSecondAsked(), evidence.thresholds(), evidence.isPartial(), evidence.problems(),
            warnings, absences, evidence.failover(),
            null != evidence.failover() ? null : null == unsteady ? Stationarity.of(run) : SteadyState.unknown(unsteady),
            ClientShare.of(folder, measurement, wait),
            null == evidence.varyingRate() ? null : evidence.varyingRate().examined(run), description.isOwnService());
        return new RunFindings(
            description, examined, times(folder, measurement, unsteady),
            of(run, Percentile.P50.of(times), Percentile.P99.stated(times), null != tail && tail.isExplained()),
            run.orNull(SnapshotCost::of),
            run.orNull(BackupLag::of), run.orNull(ChurnCost::of),
            run.examine(Findings::cpuCost, (why) -> CpuCost.UNKNOWN),
            run.examine(MemberLoads::of, (why) -> List.of()), floor, clients);
    }

    private static Map<Time, Times> times(final Path folder, final LoadMeasurement measurement, final String unsteady)
    {
        return Time.OF_MESSAGES.stream().collect(Collectors.toMap(Function.identity(), (time) -> null != unsteady ?
            Times.unbounded(measurement.times().of(time), unsteady) :
            Times.of(measurement.times().of(time), folder.resolve(time.log()))));
    }

    /**
     * Core time of the measured rows, for the replies in them: where the warm-up did not end with a row, these are not quite the
     * replies to measured messages.
     */
    static CpuCost cpuCost(final IntervalTable run)
    {
        final IntervalTable seen = run.measured();
        final double answered = seen.sum((row) -> seen.interval(row, "answered"));
        // Milliseconds for each thousand messages are seconds for each million.
        final double thousands = answered / 1e3;
        return 0 == answered ? CpuCost.UNKNOWN : CpuCost.of(
            ms(seen, "cpu_ms", true) / thousands, ms(seen, "cpu_ms", false) / thousands);
    }

    static ClientShare.CoreWait coreWait(final IntervalTable run)
    {
        final IntervalTable seen = run.measured();
        final double lengthS = seen.sum(seen::lengthMs) / 1e3;
        return new ClientShare.CoreWait(
            ms(seen, "run_delay_ms", true) / lengthS, ms(seen, "run_delay_ms", false) / lengthS);
    }

    /**
     * A time of all clients or all members, with their drivers if these are processes of their own: same name with a suffix.
     *
     * @return in ms; NaN if it is not known of one of them, or there are none.
     */
    private static double ms(final IntervalTable seen, final String column, final boolean isClient)
    {
        return seen.processes().stream()
            .filter((process) -> !process.startsWith(ProcessName.BACKUP) && process.startsWith(ProcessName.CLIENT) == isClient)
            .mapToDouble((process) -> ms(seen, process, column)).reduce(Double::sum).orElse(Double.NaN);
    }

    /**
     * A time of a process in all measured rows. Rows in which it was not read count as the others do: a process that used
     * nothing has a number.
     *
     * @return in ms; NaN if no row has it.
     */
    private static double ms(final IntervalTable seen, final String process, final String column)
    {
        final double seenMs = seen.sum((row) -> seen.isKnown(process, row, column) ? seen.lengthMs(row) : 0);
        return 0 == seenMs ? Double.NaN :
            seen.sum((row) -> seen.of(process, row, column)) * seen.sum(seen::lengthMs) / seenMs;
    }

    private static Diagnosis diagnosis(
        final IntervalTable seen, final long p50Ns, final Long p99Ns, final boolean isExplained)
    {
        final boolean isStretched = null != p99Ns && p99Ns >= LONG_FACTOR * p50Ns;
        final boolean isLong = p50Ns > 0 && (isStretched || (null == p99Ns ? p50Ns : p99Ns) >= LONG_NS);
        final List<TailCause> findings = Rules.ALL.stream()
            .filter((rule) -> !isExplained || !Rules.OF_THREADS.contains(rule.name()))
            .map((rule) -> rule.look(seen)).flatMap(Optional::stream)
            .sorted(Comparator.comparingDouble(TailCause::share).thenComparingDouble(TailCause::present).reversed()).toList();
        if (0 == p50Ns)
        {
            return new Diagnosis("no response times", false, findings);
        }

        final String median = Quantity.formatNs(p50Ns);
        final String tail = (null == p99Ns ? "too few response times for a p99, their median is " + median :
            text("p99 is %.1f times the median (%s, %s)", (double)p99Ns / p50Ns, Quantity.formatNs(p99Ns), median)) +
            (isLong && !isStretched ? ": most replies were slow" : "") +
            (seen.processes().isEmpty() ? "; no counters were recorded" :
            findings.isEmpty() && !isExplained ? "; no rule explains it" : "");
        return new Diagnosis(tail, isLong, findings);
    }
}
