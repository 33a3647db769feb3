package io.clusterecho.control.cluster;

import java.util.List;

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
    static RetentionPlan of(final List<Found> found, final int snapshotCount)
    {
        final long ofRunning = found.stream().filter(Found::isRunning).map(Found::storage)
            .mapToLong((storage) -> null == storage ? 0 : storage.positionOfNewest(snapshotCount)).min().orElse(0);
        final List<Holder> holders = found.stream()
            .filter((member) -> !member.isRunning())
            .map(RetentionPlan::holder).filter((holder) -> isHolding(holder, ofRunning, found)).toList();
        final long ofDown = holders.stream().mapToLong(Holder::position).min().orElse(ofRunning);
        return new RetentionPlan(Math.min(ofRunning, ofDown), holders);
    }

    private static Holder holder(final Found member)
    {
        final MemberStorage storage = member.storage();
        return null == storage ? new Holder(member.memberId(), 0, "what it has cannot be read") :
            !storage.hasLog() ? new Holder(member.memberId(), 0, "it has no log") : new Holder(
            member.memberId(), storage.positionOfNewest(1),
            storage.snapshots().isEmpty() ? "it has no snapshot" : "its newest snapshot");
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
