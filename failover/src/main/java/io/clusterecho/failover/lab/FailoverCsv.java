package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.Cycle;

/** A failover test as CSV: cycles and timelines. */
final class FailoverCsv
{
    private FailoverCsv()
    {
    }

    /** A header and a row for each cycle, times in ms after the fault. */
    static String cycles(final FailoverResult result)
    {
        final StringBuilder text = new StringBuilder(
            "cycle,fault,victims,valid,recovered,start_s,outage_ms,outage_resolution_ms");
        for (final Cycle.OutagePhase phase : Cycle.OutagePhase.values())
        {
            text.append(',').append(phase.label().replace(' ', '_')).append("_ms");
        }
        text.append(",choice,expectation\n");
        for (final Cycle cycle : result.cycles())
        {
            text.append(String.format(
                Locale.ROOT, "%d,%s,%s,%b,%b,%.3f,%.3f,%.3f", cycle.number(), cycle.hit().fault(),
                String.join("+", cycle.victims().stream().map(String::valueOf).toList()), cycle.isValid(),
                cycle.isRecovered(), cycle.startNs() / 1e9, cycle.outageNs() / 1e6, cycle.outageResolutionNs() / 1e6));
            for (final Cycle.OutagePhase phase : Cycle.OutagePhase.values())
            {
                text.append(',');
                if (cycle.phases().containsKey(phase))
                {
                    text.append(String.format(Locale.ROOT, "%.3f", cycle.phaseNs(phase) / 1e6));
                }
            }
            text.append(',').append(cycle.hit().choice()).append(',').append(cycle.expectation()).append('\n');
        }

        return text.toString();
    }

    /** A header and a row for each slice of each timeline, times in ms after the fault. */
    static String timelines(final List<CycleTimeline> timelines)
    {
        final StringBuilder text = new StringBuilder(
            "cycle,begin_ms,end_ms,due,answered,unanswered,response_p50_us,response_p99_us,response_max_us\n");
        for (final CycleTimeline timeline : timelines)
        {
            for (final CycleTimeline.Slice slice : timeline.slices())
            {
                text.append(String.format(
                    Locale.ROOT, "%d,%.3f,%.3f,%d,%d,%d", timeline.cycle().number(), slice.beginNs() / 1e6,
                    slice.endNs() / 1e6, slice.due(), slice.answered(), slice.unanswered()));
                for (final long timeNs : new long[]{ slice.p50Ns(), slice.p99Ns(), slice.maxNs() })
                {
                    text.append(timeNs < 0 ? "," : String.format(Locale.ROOT, ",%.1f", timeNs / 1e3));
                }
                text.append('\n');
            }
        }

        return text.toString();
    }
}
