package io.clusterecho.failover.audit;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the states that members said they were in against what the log yields at the same positions.
 * <p>
 * A state is a function of all that was applied before, so one that went wrong stays wrong: the first position at which it
 * shows, and the last one at which all was well, enclose the place where it happened.
 */
final class StateCheck
{
    private final List<MemberState> states;
    private final Findings findings;
    private final Map<Integer, Integer> checkedCounts = new HashMap<>();
    private final Map<Integer, Long> rightPositions = new HashMap<>();
    private final Map<Integer, Long> wrongPositions = new HashMap<>();
    private int next;

    StateCheck(final List<MemberState> states, final Findings findings)
    {
        this.states = states.stream().sorted(Comparator.comparingLong(MemberState::position)).toList();
        this.findings = findings;
    }

    /**
     * The log was applied up to a position.
     *
     * @param position     behind an entry.
     * @param isKnown      false if the state at that position is not known, as what was before is gone.
     * @param appliedCount at that position.
     * @param checksum     at that position.
     */
    void onPosition(final long position, final boolean isKnown, final long appliedCount, final long checksum)
    {
        while (next < states.size() && states.get(next).position() <= position)
        {
            final MemberState state = states.get(next++);
            if (isKnown)
            {
                check(state, position, appliedCount, checksum);
            }
        }
    }

    /**
     * The log was applied as far as a majority holds it.
     *
     * @param committedPosition up to there.
     */
    void onEnd(final long committedPosition)
    {
        while (next < states.size())
        {
            final MemberState state = states.get(next++);
            onWrong(state, "a majority holds the log only up to position " + committedPosition);
        }
    }

    /**
     * States of a member that were held against the log.
     */
    int checkedCount(final int memberId)
    {
        return checkedCounts.getOrDefault(memberId, 0);
    }

    private void check(final MemberState state, final long position, final long appliedCount, final long checksum)
    {
        checkedCounts.merge(state.memberId(), 1, Integer::sum);
        if (state.position() != position)
        {
            onWrong(state, "that lies within an entry");
        }
        else if (state.appliedCount() != appliedCount || state.checksum() != checksum)
        {
            onWrong(
                state, "the log yields " + appliedCount +
                (state.appliedCount() == appliedCount ? " others, or elsewhere" : ""));
        }
        else if (!wrongPositions.containsKey(state.memberId()))
        {
            rightPositions.put(state.memberId(), position);
        }
    }

    private void onWrong(final MemberState state, final String reason)
    {
        if (null != wrongPositions.putIfAbsent(state.memberId(), state.position()))
        {
            findings.count(FindingKind.STATE_DIFFERS);
            return;
        }

        final Long rightPosition = rightPositions.get(state.memberId());
        findings.add(
            FindingKind.STATE_DIFFERS, state.memberId(), state.position(),
            "member " + state.memberId() + " had applied " + state.appliedCount() + " messages at position " +
            state.position() + ", but " + reason +
            (null == rightPosition ? "" : "; its state was still right at position " + rightPosition));
    }
}
