package io.clusterecho.node.member;

import org.agrona.concurrent.EpochClock;

/**
 * Finds out how far the wall clock is behind the latest time that it has shown. The consensus module does its regular work
 * (heartbeats, elections, sessions; {@code ConsensusModuleAgent.slowTickWork}) only when its clock has passed the time of the
 * last one, and its clock is by default the wall clock: one that is set back by 10 min stops this work for 10 min.
 * <p>
 * Belongs to one thread.
 */
final class WallClock
{
    private final EpochClock clock;
    private long latestMs = Long.MIN_VALUE;

    WallClock(final EpochClock clock)
    {
        this.clock = clock;
    }

    /** Read the clock; returns by how many ms it is behind the latest time that an earlier call read, 0 if it is not. */
    long lagMs()
    {
        final long nowMs = clock.time();
        latestMs = Math.max(latestMs, nowMs);
        return latestMs - nowMs;
    }
}
