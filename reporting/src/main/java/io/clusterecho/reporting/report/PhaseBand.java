package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.results.Cycle;

/**
 * A named part of a failover cycle. Bands of one lane do not overlap.
 *
 * @param lane   that it is drawn in: {@code phase}, {@code silence} or {@code victim}.
 * @param name   of the band, for which the page has a colour and a text.
 * @param fromNs after the fault, in ns.
 * @param toNs   after the fault, in ns; more than {@code fromNs}.
 */
record PhaseBand(String lane, String name, long fromNs, long toNs)
{
    private static final String PHASE = "phase";
    private static final String SILENCE = "silence";
    private static final String VICTIM = "victim";
    private static final long ABSENT = -1;

    /**
     * The bands between the moments of a cycle. A moment that is absent, or before the one that it should follow, starts no
     * band.
     *
     * @return its bands, lane by lane, each lane in order of time.
     */
    static List<PhaseBand> of(final Cycle cycle)
    {
        final Cycle.Moments phases = cycle.moments();
        final long detectedNs = momentNs(phases.failureDetectedNs());
        final long startNs = momentNs(phases.electionStartNs());
        final long endNs = momentNs(phases.electionEndNs());
        final long usableNs = momentNs(phases.sessionUsableNs());
        final long firstEchoNs = momentNs(phases.firstEchoNs());
        final long returnedNs = momentNs(phases.victimReturnedNs());
        final Long lastEchoNs = phases.lastEchoNs();

        final List<PhaseBand> bands = new ArrayList<>();
        long atNs = 0;
        if (cycle.isQuorumLost() && returnedNs > 0)
        {
            atNs = add(bands, PHASE, "no-quorum", atNs, returnedNs);
        }
        else
        {
            atNs = add(bands, PHASE, "undetected", atNs, detectedNs);
        }
        if (atNs > 0)
        {
            atNs = add(bands, PHASE, "canvass", atNs, startNs);
            atNs = add(bands, PHASE, "election", atNs, endNs);
        }
        if (endNs > 0)
        {
            // A longest silence that begins later has another cause than the recovery of the session.
            final boolean isOfElection = null != lastEchoNs && lastEchoNs < endNs;
            atNs = add(bands, PHASE, "session", atNs, isOfElection ? Math.max(firstEchoNs, usableNs) : usableNs);
        }
        if (firstEchoNs > 0)
        {
            add(bands, PHASE, "backlog", Math.max(atNs, firstEchoNs), momentNs(phases.backlogDrainedNs()));
        }
        if (null != lastEchoNs)
        {
            add(bands, SILENCE, "silence", lastEchoNs, firstEchoNs);
        }
        add(bands, VICTIM, "away", 0, returnedNs);
        if (returnedNs >= 0)
        {
            add(bands, VICTIM, "catching-up", returnedNs, momentNs(phases.victimCaughtUpNs()));
        }

        return bands;
    }

    private static long momentNs(final Long phaseNs)
    {
        return null == phaseNs ? ABSENT : phaseNs;
    }

    private static long add(
        final List<PhaseBand> bands, final String lane, final String name, final long fromNs, final long toNs)
    {
        if (toNs <= fromNs)
        {
            return fromNs;
        }

        bands.add(new PhaseBand(lane, name, fromNs, toNs));
        return toNs;
    }
}
