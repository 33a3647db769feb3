package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * One interval of a run. Its histograms are valid only during the call that passes it: times of later intervals are recorded
 * into them again.
 *
 * @param phase               in which most of the interval lay.
 * @param isLast              whether the run ended with this interval.
 * @param startEpochMs        start of the schedule.
 * @param beginNs             since the start of the schedule; also {@code endNs}.
 * @param measuredNs          how much of the interval lay after the warm-up.
 * @param leaderMemberId      -1 if unknown or if the transport has none.
 * @param totals              since the start.
 * @param counts              of the interval.
 * @param times               of measured messages and stalls in the interval.
 * @param warmUpResponseTimes of messages of the warm-up in the interval, in ns.
 * @param total               response times of all measured messages so far.
 */
public record RunInterval(
    RunPhase phase, boolean isLast, long startEpochMs, long beginNs, long endNs, long measuredNs, long ratePerSecondAsked,
    int leaderMemberId, Counts totals, Counts counts, Histograms times, Histogram warmUpResponseTimes, Histogram total)
{
    /** Shortest stall that a result warns of. */
    public static final long SHORTEST_STALL_NS = 10_000_000L;

    /** A copy with what a worker does not know. */
    public RunInterval with(final long newStartEpochMs, final long newRatePerSecondAsked, final Histogram newTotal)
    {
        return new RunInterval(
            phase, isLast, newStartEpochMs, beginNs, endNs, measuredNs, newRatePerSecondAsked, leaderMemberId, totals, counts,
            times, warmUpResponseTimes, newTotal);
    }

    /** Messages sent and not answered, warm-up included. */
    public long inFlight()
    {
        return totals.of(Counter.SENT_ALL) - totals.of(Counter.ANSWERED_ALL);
    }

    /**
     * Whether its stalls count: not those of the warm-up. An interval that is mostly warm-up counts if {@link #SHORTEST_STALL_NS}
     * or more of it lay after that; with less it only ended a little late.
     */
    public boolean isMeasured()
    {
        return RunPhase.WARM_UP != phase || measuredNs >= SHORTEST_STALL_NS;
    }

    /** Add its times to those of the run. */
    public void addTo(final Histograms run)
    {
        Time.OF_MESSAGES.forEach((time) -> run.add(time, times.of(time)));
        run.add(Time.CLIENT_PART, times.of(Time.CLIENT_PART));
        if (isMeasured())
        {
            run.add(Time.STALL, times.of(Time.STALL));
        }
    }
}
