package io.clusterecho.failover.lab;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.statistics.NearestRank;

import org.HdrHistogram.Histogram;

/**
 * What the client saw around one fault, from 1 s before it to 2 s after the last phase, or to the next fault: in stretches
 * of one length, and by the stages of the cycle. One thread gives it the first reply to each message; then it is read.
 * <pre>
 *        before       |     during      |   catch-up    |   after
 *   ------------------+-----------------+---------------+-----------
 *   -1 s            fault         backlog drained   last phase    + 2 s
 * </pre>
 * A response time stands where its message was <b>due</b>: so it shows what somebody who asked at that moment had to wait.
 * Throughput stands where the replies came.
 */
public final class CycleTimeline
{
    /**
     * From the begin of a timeline to its fault, in ns.
     */
    public static final long BEFORE_NS = 1_000_000_000L;

    /**
     * From the last phase to the end of a timeline, in ns.
     */
    public static final long AFTER_NS = 2_000_000_000L;

    private static final long[] STRETCHES_NS = {
        10_000_000L, 20_000_000L, 50_000_000L, 100_000_000L, 200_000_000L, 500_000_000L, 1_000_000_000L };
    private static final int MAX_STRETCH_COUNT = 1000;
    private static final int MESSAGES_PER_STRETCH = 5;
    private static final int UNANSWERED = -1;

    /**
     * A part of a cycle, by the time at which a message was due.
     */
    public enum Part
    {
        /** Until the fault. */
        BEFORE("before", "before the fault"),
        /** From the fault until the backlog was drained; without an outage until the last phase. */
        DURING("during", "during the outage"),
        /** From then on to the last phase, in which a victim catches up. */
        CATCH_UP("catchUp", "until all are back"),
        /** From the last phase on. */
        AFTER("after", "after that");

        private final String key;
        private final String label;

        Part(final String key, final String label)
        {
            this.key = key;
            this.label = label;
        }

        /**
         * Name in JSON.
         *
         * @return for instance {@code catchUp}.
         */
        public String key()
        {
            return key;
        }

        /**
         * Name for a person.
         *
         * @return for instance {@code before the fault}.
         */
        public String label()
        {
            return label;
        }
    }

    /**
     * Messages that were due in a stage.
     *
     * @param responseTimes of those that were answered, in ns.
     * @param unanswered    that never were.
     */
    public record PartTimes(Histogram responseTimes, long unanswered)
    {
        PartTimes plus(final PartTimes other)
        {
            final Histogram sum = responseTimes.copy();
            sum.add(other.responseTimes);
            return new PartTimes(sum, unanswered + other.unanswered);
        }
    }

    /**
     * One stretch.
     *
     * @param beginNs    after the fault, in ns; before it, negative.
     * @param endNs      after the fault, in ns.
     * @param due        messages that were due in it.
     * @param answered   first replies that came in it.
     * @param unanswered messages that were due in it and were never answered.
     * @param p50Ns      median response time of the messages that were due in it, in ns; -1 when none was answered.
     * @param p99Ns      the same, 99%.
     * @param maxNs      the same, the longest.
     */
    public record Stretch(
        long beginNs, long endNs, long due, long answered, long unanswered, long p50Ns, long p99Ns, long maxNs)
    {
    }

    private final Cycle cycle;
    private final Schedule schedule;
    private final long beginNs;
    private final long endNs;
    private final long stretchNs;
    private final long firstIndex;
    private final long[] responseTimesNs;
    private final int[] answered;

    /**
     * @param cycle         which had a victim.
     * @param endNs         of the cycle: of the load or the next fault, in ns since the start of the schedule.
     * @param schedule      of the load; used by this timeline's thread only.
     * @param messageCount  of the schedule.
     * @param ratePerSecond of the schedule.
     */
    CycleTimeline(
        final Cycle cycle, final long endNs, final Schedule schedule, final long messageCount, final long ratePerSecond)
    {
        this.cycle = cycle;
        this.schedule = schedule;
        final long wantedEndNs = cycle.startNs() + Math.max(cycle.lastPhaseNs(), cycle.outageNs()) + AFTER_NS;
        beginNs = Math.max(0, cycle.startNs() - BEFORE_NS);
        this.endNs = Math.max(cycle.startNs(), Math.min(endNs, wantedEndNs));
        stretchNs = stretchNs(this.endNs - beginNs, ratePerSecond);
        firstIndex = firstDueFrom(beginNs, messageCount);
        responseTimesNs = new long[Math.toIntExact(firstDueFrom(this.endNs, messageCount) - firstIndex)];
        Arrays.fill(responseTimesNs, UNANSWERED);
        answered = new int[stretchIndex(this.endNs - 1) + 1];
    }

    /**
     * The cycle that this is about.
     */
    public Cycle cycle()
    {
        return cycle;
    }

    /**
     * All stretches, without gaps; the first and the last may be shorter, for the fault lies between two.
     *
     * @return in order of time.
     */
    public Stretch[] stretches()
    {
        final Stretch[] stretches = new Stretch[answered.length];
        int place = 0;
        for (int i = 0; i < stretches.length; i++)
        {
            final long stretchEndNs = Math.min(endNs, stretchBeginNs(i) + stretchNs);
            int end = place;
            while (end < responseTimesNs.length && schedule.timeNs(firstIndex + end) < stretchEndNs)
            {
                end++;
            }
            final long[] sorted =
                Arrays.stream(responseTimesNs, place, end).filter((timeNs) -> UNANSWERED != timeNs).sorted().toArray();
            stretches[i] = new Stretch(
                Math.max(beginNs, stretchBeginNs(i)) - cycle.startNs(), stretchEndNs - cycle.startNs(), end - place,
                answered[i], end - place - sorted.length, percentile(sorted, 50), percentile(sorted, 99),
                percentile(sorted, 100));
            place = end;
        }

        return stretches;
    }

    /**
     * Response times by stage.
     *
     * @return those stages in which a message was due.
     */
    public Map<Part, PartTimes> stages()
    {
        final long lastPhaseNs = cycle.lastPhaseNs();
        final long drainedNs =
            Math.max(cycle.phaseNs(Cycle.OutagePhase.BACKLOG_DRAINED), cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO));
        final long duringEndNs = !cycle.isRecovered() ? Long.MAX_VALUE : drainedNs > 0 ? drainedNs : lastPhaseNs;
        final Map<Part, Histogram> histograms = new EnumMap<>(Part.class);
        final long[] unanswered = new long[Part.values().length];
        for (int place = 0; place < responseTimesNs.length; place++)
        {
            final long dueNs = schedule.timeNs(firstIndex + place) - cycle.startNs();
            final Part stage = dueNs < 0 ? Part.BEFORE : dueNs < duringEndNs ? Part.DURING :
                dueNs < lastPhaseNs ? Part.CATCH_UP : Part.AFTER;
            final Histogram histogram = histograms.computeIfAbsent(stage, (newStage) -> TimeRecorder.newHistogram());
            if (UNANSWERED == responseTimesNs[place])
            {
                unanswered[stage.ordinal()]++;
            }
            else
            {
                histogram.recordValue(Math.min(responseTimesNs[place], TimeRecorder.MAX_TIME_NS));
            }
        }

        final Map<Part, PartTimes> stages = new EnumMap<>(Part.class);
        histograms.forEach(
            (stage, histogram) -> stages.put(stage, new PartTimes(histogram, unanswered[stage.ordinal()])));
        return stages;
    }

    /**
     * A first reply came.
     *
     * @param index     of its message.
     * @param dueNs     of its message, in ns since the start of the schedule.
     * @param receiveNs of the reply, in ns since the start of the schedule.
     */
    void onAnswered(final long index, final long dueNs, final long receiveNs)
    {
        if (index >= firstIndex && index - firstIndex < responseTimesNs.length)
        {
            responseTimesNs[(int)(index - firstIndex)] = Math.max(0, receiveNs - dueNs);
        }
        if (receiveNs >= beginNs && receiveNs < endNs)
        {
            answered[stretchIndex(receiveNs)]++;
        }
    }

    private static long stretchNs(final long lengthNs, final long ratePerSecond)
    {
        for (final long stretchNs : STRETCHES_NS)
        {
            if (lengthNs <= MAX_STRETCH_COUNT * stretchNs && stretchNs * ratePerSecond >= MESSAGES_PER_STRETCH * 1e9)
            {
                return stretchNs;
            }
        }

        return STRETCHES_NS[STRETCHES_NS.length - 1];
    }

    /**
     * The fault lies where one stretch ends and the next begins.
     */
    private int stretchIndex(final long timeNs)
    {
        return (int)(Math.floorDiv(timeNs - cycle.startNs(), stretchNs) -
            Math.floorDiv(beginNs - cycle.startNs(), stretchNs));
    }

    private long stretchBeginNs(final int index)
    {
        return cycle.startNs() + (Math.floorDiv(beginNs - cycle.startNs(), stretchNs) + index) * stretchNs;
    }

    private long firstDueFrom(final long timeNs, final long messageCount)
    {
        long low = 0;
        long high = messageCount;
        while (low < high)
        {
            final long middle = (low + high) >>> 1;
            if (schedule.timeNs(middle) < timeNs)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private static long percentile(final long[] sorted, final double percent)
    {
        return 0 == sorted.length ? UNANSWERED : sorted[NearestRank.index(sorted.length, percent)];
    }
}
