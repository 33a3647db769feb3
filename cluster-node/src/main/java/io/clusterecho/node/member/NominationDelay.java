package io.clusterecho.node.member;

import java.util.Random;

/**
 * The source of the random delay after which a member nominates itself in an election: Aeron multiplies the next double by half
 * of the election timeout ({@code io.aeron.cluster.Election.canvass}, its only use). A preferred member waits for 0 of it, and
 * the others for at least half of it, so that the preferred member is elected unless it is down or its log is shorter than that
 * of another. Without a preference all wait for a random time, as by default.
 * <p>
 * Used by the thread of the consensus module, once in an election.
 */
final class NominationDelay extends Random
{
    private static final long serialVersionUID = 1L;
    private static final double LEAST_OF_OTHERS = 0.5;
    private static final int NONE = -1;

    private final double least;
    private final double span;

    /** A source for one member; the preferred one leads if it can, -1 for none. */
    NominationDelay(final int memberId, final int preferredId)
    {
        least = NONE == preferredId || memberId == preferredId ? 0 : LEAST_OF_OTHERS;
        span = memberId == preferredId ? 0 : 1 - least;
    }

    /** Share of the longest delay, from 0 to 1. */
    @Override
    public double nextDouble()
    {
        return least + super.nextDouble() * span;
    }
}
