package io.clusterecho.failover.lab;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.statistics.NearestRank;

import org.HdrHistogram.Histogram;

/**
 * Replies and response times around one fault, from 1 s before it to 2 s after the last phase or 1 s before the next fault: in
 * time slices, and by the parts of the cycle. Not thread-safe: add the first reply to each message, then read.
 * <pre>
 *        before       |     during      |   catch-up    |   after
 *   ------------------+-----------------+---------------+-----------
 *   -1 s            fault         backlog drained   last phase    + 2 s
 * </pre>
 * A response time counts in the slice in which its message was <b>due</b>, so it shows how long a request made at that moment
 * had to wait. Throughput counts replies in the slice in which they were received.
 */
public final class CycleTimeline
{
    /** Time from the start of a timeline to its fault, in ns. */
    public static final long BEFORE_NS = 1_000_000_000L;

    /** Time from the last phase to the end of a timeline, in ns. */
    public static final long AFTER_NS = 2_000_000_000L;

    private static final long[] SLICES_NS = {
        10_000_000L, 20_000_000L, 50_000_000L, 100_000_000L, 200_000_000L, 500_000_000L, 1_000_000_000L };
    private static final int MAX_SLICE_COUNT = 1000;
    private static final int MESSAGES_PER_SLICE = 5;
    private static final int UNANSWERED = -1;

    /** A part of a cycle, by the time at which a message was due. */
    public enum Part
    {
        BEFORE("before the fault"),
        /** From the fault until the backlog was drained; without an outage until the last phase. */
        DURING("during the outage"),
        /** From then to the last phase, while a victim catches up. */
        CATCH_UP("until all are back"),
        /** After the last phase. */
        AFTER("after that");

        private final String label;

        Part(final String label)
        {
            this.label = label;
        }

        /** Name in JSON, for instance {@code catchUp}. */
        public String key()
        {
            return Counter.camelCase(name());
        }

        /** Name in text, for instance {@code before the fault}. */
        public String label()
        {
            return label;
        }
    }

    /** Messages that were due in a part: response times of the answered ones, in ns, and the number of others. */
    public record PartTimes(Histogram responseTimes, long unanswered)
    {
        PartTimes plus(final PartTimes other)
        {
            final Histogram sum = responseTimes.copy();
            sum.add(other.responseTimes);
            return new PartTimes(sum, unanswered + other.unanswered);
        }

        Cycle.PartTimes stored()
        {
            return Cycle.PartTimes.of(responseTimes, unanswered);
        }
    }

    /**
     * One time slice, in ns after the fault; it begins before it if negative. Messages count by the time at which they were due,
     * those answered by that of their first reply. Response times are -1 if none was answered.
     */
    public record Slice(
        long beginNs, long endNs, long due, long answered, long unanswered, long p50Ns, long p99Ns, long maxNs)
    {
    }

    private final Cycle cycle;
    private final Schedule schedule;
    private final long beginNs;
    private final long endNs;
    private final long sliceNs;
    private final long firstIndex;
    private final long[] responseTimesNs;
    private final int[] answered;

    /** A timeline up to a time, in ns since the start, of measured messages; no other thread uses the schedule. */
    CycleTimeline(final Cycle cycle, final long endNs, final Schedule schedule, final LoadPlan plan)
    {
        this.cycle = cycle;
        this.schedule = schedule;
        final long wantedEndNs = cycle.startNs() + Math.max(cycle.lastPhaseNs(), cycle.outageNs()) + AFTER_NS;
        beginNs = Math.max(0, cycle.startNs() - BEFORE_NS);
        this.endNs = Math.max(cycle.startNs(), Math.min(endNs, wantedEndNs));
        sliceNs = sliceNs(this.endNs - beginNs, plan.ratePerSecond());
        firstIndex = Math.max(plan.warmUpCount(), schedule.firstDueFrom(beginNs, plan.messageCount()));
        final long count = schedule.firstDueFrom(this.endNs, plan.messageCount()) - firstIndex;
        responseTimesNs = new long[Math.toIntExact(Math.max(0, count))];
        Arrays.fill(responseTimesNs, UNANSWERED);
        answered = new int[sliceIndex(this.endNs - 1) + 1];
    }

    public Cycle cycle()
    {
        return cycle;
    }

    /** All slices in order of time, without gaps. The fault is a boundary, so that the first and the last may be shorter. */
    public Slice[] slices()
    {
        final Slice[] slices = new Slice[answered.length];
        int place = 0;
        for (int i = 0; i < slices.length; i++)
        {
            final long sliceEndNs = Math.min(endNs, sliceBeginNs(i) + sliceNs);
            int end = place;
            while (end < responseTimesNs.length && schedule.timeNs(firstIndex + end) < sliceEndNs)
            {
                end++;
            }
            final long[] sorted =
                Arrays.stream(responseTimesNs, place, end).filter((timeNs) -> UNANSWERED != timeNs).sorted().toArray();
            slices[i] = new Slice(
                Math.max(beginNs, sliceBeginNs(i)) - cycle.startNs(), sliceEndNs - cycle.startNs(), end - place,
                answered[i], end - place - sorted.length, percentile(sorted, 50), percentile(sorted, 99),
                percentile(sorted, 100));
            place = end;
        }

        return slices;
    }

    /** Response times by part; without those parts in which no message was due. */
    public Map<Part, PartTimes> stages()
    {
        final long lastPhaseNs = cycle.lastPhaseNs();
        final long drainedNs =
            Math.max(cycle.phaseNs(Cycle.OutagePhase.BACKLOG_DRAINED), cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO));
        final long duringEndNs = !cycle.isRecovered() ? Long.MAX_VALUE : drainedNs > 0 ? drainedNs : lastPhaseNs;
        final long[] beginsNs =
            { Long.MIN_VALUE, 0, duringEndNs, Math.max(duringEndNs, lastPhaseNs), Long.MAX_VALUE };
        final Map<Part, PartTimes> stages = new EnumMap<>(Part.class);
        for (final Part part : Part.values())
        {
            stages.computeIfAbsent(part, (next) -> times(beginsNs[next.ordinal()], beginsNs[next.ordinal() + 1]));
        }
        return stages;
    }

    /**
     * Response times of the messages due from the return of the victims until they had caught up.
     *
     * @return null if the cycle has none of these phases, or no message was due meanwhile.
     */
    public PartTimes returning()
    {
        final long fromNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
        return fromNs < 0 ? null : times(fromNs, cycle.phaseNs(Cycle.OutagePhase.VICTIM_CAUGHT_UP));
    }

    /** Response times of the messages due from one time to another, in ns after the fault; null if there are none. */
    private PartTimes times(final long fromNs, final long toNs)
    {
        final long[] timesNs = IntStream.range(0, responseTimesNs.length).filter((place) ->
        {
            final long dueNs = schedule.timeNs(firstIndex + place) - cycle.startNs();
            return dueNs >= fromNs && dueNs < toNs;
        }).mapToLong((place) -> responseTimesNs[place]).toArray();
        final Histogram histogram = TimeRecorder.newHistogram();
        LongStream.of(timesNs).filter((timeNs) -> UNANSWERED != timeNs).forEach((timeNs) ->
            histogram.recordValue(TimeRecorder.bounded(timeNs)));
        return 0 == timesNs.length ? null : new PartTimes(histogram, timesNs.length - histogram.getTotalCount());
    }

    /** Add a first reply by intended send time and receive time, in ns since the start of the schedule. */
    void onAnswered(final long index, final long dueNs, final long receiveNs)
    {
        if (index >= firstIndex && index - firstIndex < responseTimesNs.length)
        {
            responseTimesNs[(int)(index - firstIndex)] = Math.max(0, receiveNs - dueNs);
        }
        if (receiveNs >= beginNs && receiveNs < endNs)
        {
            answered[sliceIndex(receiveNs)]++;
        }
    }

    private static long sliceNs(final long lengthNs, final long ratePerSecond)
    {
        return Arrays.stream(SLICES_NS).filter((sliceNs) ->
            lengthNs <= MAX_SLICE_COUNT * sliceNs && sliceNs * ratePerSecond >= MESSAGES_PER_SLICE * 1e9)
            .findFirst().orElse(SLICES_NS[SLICES_NS.length - 1]);
    }

    /** The fault is a slice boundary. */
    private int sliceIndex(final long timeNs)
    {
        return (int)(Math.floorDiv(timeNs - cycle.startNs(), sliceNs) -
            Math.floorDiv(beginNs - cycle.startNs(), sliceNs));
    }

    private long sliceBeginNs(final int index)
    {
        return cycle.startNs() + (Math.floorDiv(beginNs - cycle.startNs(), sliceNs) + index) * sliceNs;
    }

    private static long percentile(final long[] sorted, final double percent)
    {
        return 0 == sorted.length ? UNANSWERED : sorted[NearestRank.index(sorted.length, percent)];
    }
}
