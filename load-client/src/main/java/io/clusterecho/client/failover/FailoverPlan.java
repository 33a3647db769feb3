package io.clusterecho.client.failover;

import java.util.List;

/**
 * What a failover test does.
 *
 * @param cycleCount    faults, one after the other.
 * @param faults        taken in turn, or at random with a seed.
 * @param victims       taken in turn, or at random with a seed: leader, follower, followers, all, each, or a member id.
 * @param isRandom      whether fault and victim of each cycle are drawn.
 * @param seed          of what is drawn.
 * @param gapNs         between a recovery and the next fault.
 * @param returnAfterNs between a fault and the return of its victims; -1 for never.
 * @param limitNs       for a cycle to recover.
 * @param isSnapshotting whether a snapshot is taken before each fault.
 */
public record FailoverPlan(
    int cycleCount,
    List<Fault> faults,
    List<String> victims,
    boolean isRandom,
    long seed,
    long gapNs,
    long returnAfterNs,
    long limitNs,
    boolean isSnapshotting)
{
}
