package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.results.Cycle;

import org.agrona.collections.LongLongConsumer;

/**
 * Outages and timelines of a failover test from the client's journal, after the load has ended. The journal contains the receive
 * time of each reply, so outages are as exact as the interval between messages. Methods take cycles in order of time, and throw
 * an {@link io.clusterecho.settings.InvalidSettingException} if the journal cannot be read.
 *
 * @param journalFile closed.
 * @param schedule    equal to that of the load; not used by another thread.
 * @param startNs     start of the schedule, on the clock of the journal.
 * @param loadEndNs   in ns since the start of the schedule.
 */
public record FailoverHistory(
    Path journalFile, Schedule schedule, LoadPlan plan, long firstClientId, long startNs, long loadEndNs)
{
    private static final long MIN_GAP_NS = 5_000_000L;
    private static final int INTERVALS_PER_GAP = 10;
    private static final long FLOW_WINDOW_NS = 1_000_000_000L;
    private static final long NONE = -1;

    /** Minimum gap for an interval between two intended send times, in ns. */
    static long thresholdNs(final long intervalNs)
    {
        return Math.max(MIN_GAP_NS, INTERVALS_PER_GAP * intervalNs);
    }

    /** Whether there was an echo shortly before a fault; the last one, in ns after the fault, so negative. */
    static boolean isFlowing(final long lastEchoNs)
    {
        return lastEchoNs >= -FLOW_WINDOW_NS;
    }

    /**
     * Cycles with the outages and echo phases that the journal has; those without a fault are unchanged. A journal that is
     * incomplete is rejected: missing records would look like an outage.
     */
    public List<Cycle> measured(final List<Cycle> cycles)
    {
        final EchoGaps gaps = new EchoGaps(schedule, cycles.stream().filter(Cycle::isInjected).toList());
        readFirstReplies(gaps::onEcho);
        gaps.onEnd(loadEndNs);
        final Iterator<Gap> inOrder = gaps.gaps.iterator();
        return cycles.stream()
            .map((cycle) -> cycle.isInjected() ? inOrder.next().measured(schedule.distanceNs()) : cycle).toList();
    }

    /** Timelines of the faults that were injected; the cycles have their outages already. */
    public List<CycleTimeline> timelines(final List<Cycle> cycles)
    {
        // None has messages of the next, so that their sums are those of different messages.
        final List<CycleTimeline> timelines = IntStream.range(0, cycles.size()).filter((i) -> cycles.get(i).isInjected())
            .mapToObj((i) -> new CycleTimeline(cycles.get(i), i + 1 < cycles.size() ?
            cycles.get(i + 1).startNs() - CycleTimeline.BEFORE_NS : loadEndNs, schedule, plan)).toList();
        readFirstReplies((index, receiveNs) ->
        {
            final long dueNs = schedule.timeNs(index);
            timelines.forEach((timeline) -> timeline.onAnswered(index, dueNs, receiveNs));
        });
        return timelines;
    }

    private void readFirstReplies(final LongLongConsumer handler)
    {
        JournalReader.readFirstReplies(
            journalFile, plan.stride(), firstClientId, plan.messageCount(),
            (index, receiveTimeNs) -> handler.accept(index, receiveTimeNs - startNs));
    }

    /** The longest gap of a fault. All times are in ns since the start of the schedule. */
    private static final class Gap
    {
        private final Cycle cycle;
        private final long lastBeginNs;
        private long beginNs = NONE;
        private long endNs = NONE;
        private long drainedNs = NONE;
        private boolean isAfterEcho;
        private boolean isOpen;

        private Gap(final Cycle cycle)
        {
            this.cycle = cycle;
            // After a cycle that has recovered, the next fault may be far away: what happens until then is not the fault's.
            lastBeginNs = cycle.isRecovered() && cycle.phases().containsKey(Cycle.OutagePhase.VICTIM_CAUGHT_UP) ?
                cycle.startNs() + cycle.lastPhaseNs() + FLOW_WINDOW_NS : Long.MAX_VALUE;
        }

        private long lengthNs()
        {
            return NONE == beginNs ? 0 : endNs - beginNs;
        }

        private Cycle measured(final long intervalNs)
        {
            final Map<Cycle.OutagePhase, Long> phases = cycle.phases();
            phases.keySet().removeAll(Set.of(
                Cycle.OutagePhase.LAST_ECHO, Cycle.OutagePhase.FIRST_ECHO, Cycle.OutagePhase.BACKLOG_DRAINED));
            if (NONE != beginNs && isAfterEcho)
            {
                phases.put(Cycle.OutagePhase.LAST_ECHO, beginNs - cycle.startNs());
            }
            if (NONE != beginNs && !isOpen)
            {
                phases.put(Cycle.OutagePhase.FIRST_ECHO, endNs - cycle.startNs());
            }
            if (NONE != drainedNs)
            {
                phases.put(Cycle.OutagePhase.BACKLOG_DRAINED, drainedNs - cycle.startNs());
            }
            return cycle.with(lengthNs(), intervalNs, phases);
        }
    }

    /**
     * The longest time without an echo after each fault. A gap belongs to the last fault before its end, unless it begins later
     * than a second after all that the fault did was over. If no echo came for a second before a fault, the gap of the previous
     * fault ends there, still open, and a new gap begins at the fault; such a cycle is invalid.
     * <pre>
     *                 fault
     *    e  e  e  e  e  |                      e e e e  e  e  e
     *                ^--|----------------------^
     *            last echo      outage     first echo
     * </pre>
     */
    private static final class EchoGaps
    {
        private final Schedule schedule;
        private final long thresholdNs;
        private final List<Gap> gaps;
        private int fault = -1;
        /** The last echo, or the fault if there was none shortly before it; {@link #NONE} before either. */
        private long silentSinceNs = NONE;
        private boolean isSinceEcho;

        private EchoGaps(final Schedule schedule, final List<Cycle> injected)
        {
            this.schedule = schedule;
            thresholdNs = thresholdNs(schedule.distanceNs());
            gaps = injected.stream().map(Gap::new).toList();
        }

        private void onEcho(final long index, final long echoNs)
        {
            advance(echoNs);
            if (fault >= 0)
            {
                final Gap gap = gaps.get(fault);
                onSilence(echoNs, false);
                if (NONE != gap.endNs && NONE == gap.drainedNs && schedule.timeNs(index) >= gap.endNs)
                {
                    gap.drainedNs = echoNs;
                }
            }
            silentSinceNs = echoNs;
            isSinceEcho = true;
        }

        /** A gap that is still open ends with the load. */
        private void onEnd(final long loadEndNs)
        {
            advance(loadEndNs);
            if (fault >= 0)
            {
                onSilence(loadEndNs, true);
            }
        }

        private void onSilence(final long endNs, final boolean isOpen)
        {
            final Gap gap = gaps.get(fault);
            final long lengthNs = endNs - silentSinceNs;
            if (lengthNs >= thresholdNs && lengthNs > gap.lengthNs() && silentSinceNs <= gap.lastBeginNs)
            {
                gap.beginNs = silentSinceNs;
                gap.isAfterEcho = isSinceEcho;
                gap.endNs = endNs;
                gap.isOpen = isOpen;
                gap.drainedNs = NONE;
            }
        }

        private void advance(final long timeNs)
        {
            while (fault + 1 < gaps.size() && gaps.get(fault + 1).cycle.startNs() < timeNs)
            {
                final long faultNs = gaps.get(fault + 1).cycle.startNs();
                if (NONE == silentSinceNs || !isFlowing(silentSinceNs - faultNs))
                {
                    if (fault >= 0)
                    {
                        onSilence(faultNs, true);
                    }
                    silentSinceNs = faultNs;
                    isSinceEcho = false;
                }
                fault++;
            }
        }
    }
}
