package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Cycle.OutagePhase;

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
    private static final String VICTIM = "victim";

    /**
     * The bands between the moments of a cycle. A moment that is absent, or before the one that it should follow, starts no
     * band.
     *
     * @return its bands, lane by lane, each lane in order of time.
     */
    static List<PhaseBand> of(final Cycle cycle)
    {
        final long endNs = cycle.phaseNs(OutagePhase.ELECTION_END);
        final long usableNs = cycle.phaseNs(OutagePhase.SESSION_USABLE);
        final long firstEchoNs = cycle.phaseNs(OutagePhase.FIRST_ECHO);
        final long returnedNs = cycle.phaseNs(OutagePhase.VICTIM_RETURNED);
        // It may lie before the fault.
        final Long lastEchoNs = cycle.moments().lastEchoNs();

        final List<PhaseBand> bands = new ArrayList<>();
        long atNs = cycle.isQuorumLost() && returnedNs > 0 ? add(bands, PHASE, "no-quorum", 0, returnedNs) :
            add(bands, PHASE, "undetected", 0, cycle.phaseNs(OutagePhase.FAILURE_DETECTED));
        if (atNs > 0)
        {
            atNs = add(bands, PHASE, "canvass", atNs, cycle.phaseNs(OutagePhase.ELECTION_START));
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
            add(bands, PHASE, "backlog", Math.max(atNs, firstEchoNs), cycle.phaseNs(OutagePhase.BACKLOG_DRAINED));
        }
        if (null != lastEchoNs)
        {
            add(bands, "silence", "silence", lastEchoNs, firstEchoNs);
        }
        add(bands, VICTIM, "away", 0, returnedNs);
        if (returnedNs >= 0)
        {
            add(bands, VICTIM, "catching-up", returnedNs, cycle.phaseNs(OutagePhase.VICTIM_CAUGHT_UP));
        }

        return bands;
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
