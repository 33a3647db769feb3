package io.clusterecho.client.failover;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.FirstReplies;
import io.clusterecho.client.schedule.Schedule;

/**
 * The longest time without an echo after each fault, from the receive times in the client's journal. A gap belongs to the
 * last fault before its end. For one thread.
 * <pre>
 *                 fault
 *    e  e  e  e  e  |                      e e e e  e  e  e
 *                ^--|----------------------^
 *            last echo      outage     first echo
 * </pre>
 */
final class EchoGaps
{
    private static final long SHORTEST_GAP_NS = 5_000_000L;
    private static final int DISTANCES_PER_GAP = 10;
    private static final long NONE = -1;

    private final Schedule schedule;
    private final long[] faultsNs;
    private final long thresholdNs;
    private final Gap[] gaps;
    private int fault = -1;
    private long lastEchoNs = NONE;

    /**
     * A gap. All times are in ns since the start of the schedule.
     */
    private static final class Gap
    {
        private long beginNs = NONE;
        private long endNs = NONE;
        private long drainedNs = NONE;
        private boolean isOpen;

        private long lengthNs()
        {
            return NONE == beginNs ? 0 : endNs - beginNs;
        }
    }

    private EchoGaps(final Schedule schedule, final long[] faultsNs, final long distanceNs)
    {
        this.schedule = schedule;
        this.faultsNs = faultsNs;
        thresholdNs = thresholdNs(distanceNs);
        gaps = new Gap[faultsNs.length];
        for (int i = 0; i < gaps.length; i++)
        {
            gaps[i] = new Gap();
        }
    }

    /**
     * Shortest time without an echo that counts as a gap.
     *
     * @param distanceNs between two times at which messages are due, in ns.
     * @return in ns.
     */
    static long thresholdNs(final long distanceNs)
    {
        return Math.max(SHORTEST_GAP_NS, DISTANCES_PER_GAP * distanceNs);
    }

    /**
     * Take outages and the phases of echoes from the journal of a load.
     *
     * @param journalFile   closed.
     * @param cycles        in order.
     * @param schedule      equal to that of the load; no other thread may use it.
     * @param plan          of the load.
     * @param firstClientId of the load.
     * @param startNs       of the schedule, on the clock of the journal.
     * @param loadEndNs     in ns since the start of the schedule.
     * @return the cycles with what the journal says; those without a fault as they were.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read, or is not whole: what is
     *                                                           missing would be taken for an outage.
     */
    static List<Cycle> read(
        final Path journalFile,
        final List<Cycle> cycles,
        final Schedule schedule,
        final LoadPlan plan,
        final long firstClientId,
        final long startNs,
        final long loadEndNs)
    {
        final long distanceNs = schedule.distanceNs();
        final EchoGaps reader =
            new EchoGaps(schedule, cycles.stream().filter(Cycle::isInjected).mapToLong(Cycle::startNs).toArray(), distanceNs);
        FirstReplies.readWhole(
            journalFile, plan.stride(), firstClientId, plan.messageCount(),
            (index, receiveTimeNs) -> reader.onEcho(index, receiveTimeNs - startNs));
        reader.onEnd(loadEndNs);
        return cycles.stream().map((cycle) -> cycle.isInjected() ? reader.measured(cycle, distanceNs) : cycle).toList();
    }

    private void onEcho(final long index, final long echoNs)
    {
        advance(echoNs);
        if (fault >= 0)
        {
            final Gap gap = gaps[fault];
            if (NONE != lastEchoNs && echoNs - lastEchoNs >= thresholdNs && echoNs - lastEchoNs > gap.lengthNs())
            {
                gap.beginNs = lastEchoNs;
                gap.endNs = echoNs;
                gap.drainedNs = NONE;
            }
            if (NONE != gap.endNs && NONE == gap.drainedNs && schedule.timeNs(index) >= gap.endNs)
            {
                gap.drainedNs = echoNs;
            }
        }
        lastEchoNs = echoNs;
    }

    /**
     * What never ended was as long as the load lasted.
     */
    private void onEnd(final long loadEndNs)
    {
        advance(loadEndNs);
        if (fault >= 0 && NONE != lastEchoNs && loadEndNs - lastEchoNs >= thresholdNs)
        {
            final Gap gap = gaps[fault];
            if (loadEndNs - lastEchoNs > gap.lengthNs())
            {
                gap.beginNs = lastEchoNs;
                gap.endNs = loadEndNs;
                gap.drainedNs = NONE;
                gap.isOpen = true;
            }
        }
    }

    private void advance(final long timeNs)
    {
        while (fault + 1 < faultsNs.length && faultsNs[fault + 1] < timeNs)
        {
            fault++;
        }
    }

    private Cycle measured(final Cycle cycle, final long distanceNs)
    {
        for (int i = 0; i < faultsNs.length; i++)
        {
            if (faultsNs[i] == cycle.startNs())
            {
                final Gap gap = gaps[i];
                return cycle.withEchoes(
                    gap.lengthNs(), distanceNs,
                    NONE == gap.beginNs ? NONE : gap.beginNs - cycle.startNs(),
                    NONE == gap.endNs || gap.isOpen ? NONE : gap.endNs - cycle.startNs(),
                    NONE == gap.drainedNs ? NONE : gap.drainedNs - cycle.startNs());
            }
        }

        throw new IllegalStateException("cycle " + cycle.number() + " is none of those that were read");
    }
}
