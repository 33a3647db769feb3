package io.clusterecho.failover.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the logs of all members in lockstep, frame by frame, and passes on the frames that a majority agrees on: the committed
 * prefix.
 * <p>
 * Frames at the same position are compared byte by byte. A frame whose checksum fails has no vote. A log that ends earlier than
 * the others is behind, which is legal. A log that continues beyond the majority has an uncommitted tail, which is legal too. A
 * log that differs from the others within the same leadership term is a finding. A log that begins later, because it was
 * trimmed after a snapshot, counts as agreeing with everything before its first frame. If a majority of the logs begins after
 * the others have ended, the comparison continues where the first of them begins.
 */
final class LogComparison
{
    interface CommittedHandler
    {
        void onFrame(LogReader reader);

        /** No log has the entries between two positions: those that begin later were purged, and the others end before. */
        void onGap(long endPosition, long startPosition);
    }

    private final List<MemberWalk> walks;
    private final int majority;
    private final Findings findings;
    private final List<MemberWalk> present = new ArrayList<>();
    private long position;

    /** Starts at the lowest position of a log; the members include those whose log is empty or cannot be read. */
    LogComparison(final List<MemberWalk> walks, final int memberCount, final Findings findings)
    {
        this.walks = walks;
        this.findings = findings;
        majority = memberCount / 2 + 1;
        position = walks.stream().mapToLong((walk) -> walk.reader.startPosition()).min().orElse(0);
    }

    /** End position of the last committed frame. */
    long committedPosition()
    {
        return position;
    }

    /** Pass on frames as long as a majority agrees. */
    void run(final CommittedHandler handler)
    {
        while (step(handler))
        {
            Thread.onSpinWait();
        }
        endInDisagreement();
    }

    private boolean step(final CommittedHandler handler)
    {
        present.clear();
        int trimmedCount = 0;
        for (final MemberWalk walk : walks)
        {
            if (MemberWalk.State.IN_STEP == walk.state)
            {
                if (walk.reader.position() == position)
                {
                    present.add(walk);
                }
                else if (walk.reader.position() > position)
                {
                    trimmedCount++;
                }
                else
                {
                    findings.add(
                        FindingKind.DIVERGED, walk.memberId, walk.reader.position(),
                        "the log of member " + walk.memberId + " begins at position " + walk.reader.position() +
                        ", which is within a frame of the majority");
                    walk.state = MemberWalk.State.INCOMPARABLE;
                }
            }
        }
        if (present.isEmpty() && trimmedCount >= majority)
        {
            skipPurged(handler);
            return true;
        }

        final MemberWalk intact = agreed(trimmedCount, true);
        final MemberWalk leading = null == intact ? agreed(trimmedCount, false) : intact;
        if (null == leading)
        {
            return false;
        }

        handler.onFrame(leading.reader);
        for (final MemberWalk walk : present)
        {
            if (walk != leading && !walk.isSame(leading))
            {
                onDifference(walk, leading);
            }
        }

        position = leading.reader.endPosition();
        for (final MemberWalk walk : present)
        {
            if (MemberWalk.State.IN_STEP == walk.state)
            {
                walk.advance();
            }
        }

        return true;
    }

    private void skipPurged(final CommittedHandler handler)
    {
        final long startPosition = walks.stream().filter((walk) -> MemberWalk.State.IN_STEP == walk.state)
            .mapToLong((walk) -> walk.reader.position()).min().orElseThrow();
        handler.onGap(position, startPosition);
        position = startPosition;
    }

    /** One of the members whose frame at this position is that of a majority, or null. */
    private MemberWalk agreed(final int trimmedCount, final boolean isIntactOnly)
    {
        for (final MemberWalk candidate : present)
        {
            if (isIntactOnly && !candidate.reader.isIntact())
            {
                continue;
            }

            int count = trimmedCount + 1;
            for (final MemberWalk other : present)
            {
                if (other != candidate && (!isIntactOnly || other.reader.isIntact()) && candidate.isSame(other))
                {
                    count++;
                }
            }
            if (count >= majority)
            {
                return candidate;
            }
        }

        return null;
    }

    private void onDifference(final MemberWalk walk, final MemberWalk leading)
    {
        // A member that differs from damaged frames is not a finding: each damaged frame already is one.
        if (walk.reader.isIntact() && leading.reader.isIntact())
        {
            if (walk.mayDifferFrom(leading))
            {
                walk.beginTail();
                return;
            }

            if (0 == walk.divergedFrameCount)
            {
                findings.add(
                    FindingKind.DIVERGED, walk.memberId, position,
                    "the log of member " + walk.memberId + " differs from that of the majority at position " + position);
            }
            else
            {
                findings.count(FindingKind.DIVERGED);
            }
            walk.divergedFrameCount++;
        }

        if (!walk.hasSameLength(leading))
        {
            walk.state = MemberWalk.State.INCOMPARABLE;
        }
    }

    /** No majority agrees any more. Uncommitted tails are legal unless two of them differ within the same term. */
    private void endInDisagreement()
    {
        present.removeIf((walk) -> !walk.hasFrame);
        for (int i = 0; i < present.size(); i++)
        {
            for (int j = i + 1; j < present.size(); j++)
            {
                final MemberWalk one = present.get(i);
                final MemberWalk other = present.get(j);
                // A damaged frame is a finding already, and no proof against the other member.
                final boolean isIntact = one.reader.isIntact() && other.reader.isIntact();
                if (isIntact && !one.isSame(other) && !one.mayDifferFrom(other))
                {
                    findings.add(
                        FindingKind.DIVERGED, AuditFinding.ALL_MEMBERS, position,
                        "the logs of members " + one.memberId + " and " + other.memberId + " differ at position " +
                        position + ", and no majority agrees");
                }
            }
        }
        present.forEach(MemberWalk::beginTail);
    }
}
