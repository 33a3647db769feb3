package io.clusterecho.failover.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes the logs of all members forward together, frame by frame, and gives out what a majority holds: the committed prefix.
 * <p>
 * Frames are compared byte by byte at the same position. A frame whose checksum fails is left out of the vote. A member that
 * ends earlier is behind, which is legal; one that goes on alone has a tail that was never committed, which is legal too; one
 * that differs from the others within the same leadership term is a finding. A member whose log begins later, because it was
 * trimmed behind a snapshot, has what is before that.
 */
final class LogComparison
{
    /**
     * Takes what the majority holds.
     */
    @FunctionalInterface
    interface CommittedHandler
    {
        /**
         * The next frame of the committed prefix.
         *
         * @param reader that stands at it.
         */
        void onFrame(LogReader reader);
    }

    private final List<MemberWalk> walks;
    private final int majority;
    private final Findings findings;
    private final List<MemberWalk> present = new ArrayList<>();
    private long position;

    /**
     * Begin in front of the first frame that any member has.
     *
     * @param walks       of the members that can be read.
     * @param memberCount of the cluster, those that cannot be read or have nothing included.
     * @param findings    to add to.
     */
    LogComparison(final List<MemberWalk> walks, final int memberCount, final Findings findings)
    {
        this.walks = walks;
        this.findings = findings;
        majority = memberCount / 2 + 1;
        position = walks.stream().mapToLong((walk) -> walk.reader().startPosition()).min().orElse(0);
    }

    /**
     * Position behind the last frame given out.
     */
    long committedPosition()
    {
        return position;
    }

    /**
     * Go as far as a majority agrees.
     *
     * @param handler of each frame.
     */
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
        for (int i = 0; i < walks.size(); i++)
        {
            final MemberWalk walk = walks.get(i);
            if (MemberWalk.State.IN_STEP == walk.state())
            {
                if (walk.reader().position() == position)
                {
                    present.add(walk);
                }
                else if (walk.reader().position() > position)
                {
                    trimmedCount++;
                }
                else
                {
                    findings.add(
                        FindingKind.DIVERGED, walk.memberId(), walk.reader().position(),
                        "the log of member " + walk.memberId() + " begins at position " + walk.reader().position() +
                        ", where the majority has no frame begin");
                    walk.state(MemberWalk.State.ASTRAY);
                }
            }
        }

        MemberWalk leading = agreed(trimmedCount, true);
        if (null == leading)
        {
            leading = agreed(trimmedCount, false);
        }
        if (null == leading)
        {
            return false;
        }

        handler.onFrame(leading.reader());
        for (int i = 0; i < present.size(); i++)
        {
            final MemberWalk walk = present.get(i);
            if (walk != leading && !walk.isSame(leading))
            {
                onDifference(walk, leading);
            }
        }

        position = leading.reader().endPosition();
        for (int i = 0; i < present.size(); i++)
        {
            if (MemberWalk.State.IN_STEP == present.get(i).state())
            {
                present.get(i).advance();
            }
        }

        return true;
    }

    /**
     * One of those who hold what a majority holds here, or null.
     */
    private MemberWalk agreed(final int trimmedCount, final boolean isIntactOnly)
    {
        for (int i = 0; i < present.size(); i++)
        {
            final MemberWalk candidate = present.get(i);
            if (isIntactOnly && !candidate.reader().isIntact())
            {
                continue;
            }

            int count = trimmedCount + 1;
            for (int j = 0; j < present.size(); j++)
            {
                final MemberWalk other = present.get(j);
                if (j != i && (!isIntactOnly || other.reader().isIntact()) && candidate.isSame(other))
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
        // Against a majority of damaged frames nobody is blamed: each of them is a finding already.
        if (walk.reader().isIntact() && leading.reader().isIntact())
        {
            if (walk.mayDifferFrom(leading))
            {
                walk.beginTail();
                return;
            }

            if (0 == walk.divergedFrameCount())
            {
                findings.add(
                    FindingKind.DIVERGED, walk.memberId(), position,
                    "member " + walk.memberId() + " holds something else at position " + position +
                    " than the majority does");
            }
            else
            {
                findings.count(FindingKind.DIVERGED);
            }
            walk.countDivergedFrame();
        }

        if (!walk.isSameRoom(leading))
        {
            walk.state(MemberWalk.State.ASTRAY);
        }
    }

    /**
     * Nothing more is held by a majority. What single members hold beyond is legal unless it contradicts another's of the
     * same term.
     */
    private void endInDisagreement()
    {
        present.removeIf((walk) -> !walk.hasFrame());
        for (int i = 0; i < present.size(); i++)
        {
            for (int j = i + 1; j < present.size(); j++)
            {
                final MemberWalk one = present.get(i);
                final MemberWalk other = present.get(j);
                if (!one.isSame(other) && !one.mayDifferFrom(other))
                {
                    findings.add(
                        FindingKind.DIVERGED, AuditFinding.ALL_MEMBERS, position,
                        "members " + one.memberId() + " and " + other.memberId() + " hold different things at position " +
                        position + ", and no majority agrees");
                }
            }
        }
        present.forEach(MemberWalk::beginTail);
    }
}
