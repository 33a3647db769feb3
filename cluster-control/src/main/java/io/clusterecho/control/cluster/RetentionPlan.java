package io.clusterecho.control.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.clusterecho.control.member.MemberStorage;

/**
 * Which part of the log all members can do without. A member needs the log from a snapshot of its own on: to recover from it,
 * and from the others what follows the end of its own log, which is never before its newest snapshot.
 * <ul>
 *   <li>A running member keeps what it needs to recover from the oldest snapshot that it keeps; with fewer snapshots than it
 *   is to keep, its whole log.
 *   <li>A member that is down needs what follows its newest snapshot, without one everything. It may have more of the log, but
 *   perhaps an uncommitted tail, which it has to replace.
 *   <li>A member whose host does not answer, or whose files cannot be read, may need everything.
 * </ul>
 * A log before that of any other member is gone, so no one can be given it.
 *
 * @param position from which the log is kept, in bytes.
 * @param holders  members that are down, and keep the running members from purging more.
 */
record RetentionPlan(long position, List<Holder> holders)
{
    /** A member as found; its storage is null if that is unknown. */
    record Found(int memberId, boolean isRunning, MemberStorage storage)
    {
    }

    /** A member that is down, and from which position in bytes it may need the log of the others. */
    record Holder(int memberId, long position, String reason)
    {
    }

    /** Plan a purge of all members, of which one runs at least, with so many newest snapshots that each keeps, from 1. */
    static RetentionPlan of(final List<Found> found, final int snapshotCount, final Set<Integer> ignoredIds)
    {
        final long ofRunning = found.stream().filter(Found::isRunning)
            .mapToLong((member) -> neededByRunning(member.storage(), snapshotCount)).min().orElse(0);
        final List<Holder> holders = new ArrayList<>();
        for (final Found member : found)
        {
            if (!member.isRunning() && !ignoredIds.contains(member.memberId()))
            {
                holder(member).filter((holder) -> isHolding(holder, ofRunning, found)).ifPresent(holders::add);
            }
        }

        final long ofDown = holders.stream().mapToLong(Holder::position).min().orElse(ofRunning);
        return new RetentionPlan(Math.min(ofRunning, ofDown), List.copyOf(holders));
    }

    private static long neededByRunning(final MemberStorage storage, final int snapshotCount)
    {
        return null == storage ? 0 : storage.positionOfNewest(snapshotCount);
    }

    private static Optional<Holder> holder(final Found member)
    {
        final MemberStorage storage = member.storage();
        if (null == storage)
        {
            return Optional.of(new Holder(member.memberId(), 0, "what it has cannot be read"));
        }
        if (MemberStorage.NONE == storage.recordingId())
        {
            return Optional.of(new Holder(member.memberId(), 0, "it has no log"));
        }

        return Optional.of(storage.snapshots().isEmpty() ?
            new Holder(member.memberId(), storage.startPosition(), "it has no snapshot") :
            new Holder(member.memberId(), storage.positionOfNewest(1), "its newest snapshot"));
    }

    /** Whether a running member could delete a file of its log if it were not for this one. */
    private static boolean isHolding(final Holder holder, final long position, final List<Found> found)
    {
        return holder.position() < position && found.stream()
            .filter((member) -> member.isRunning() && null != member.storage())
            .anyMatch((member) ->
                member.storage().segmentStart(holder.position()) < member.storage().segmentStart(position));
    }
}
