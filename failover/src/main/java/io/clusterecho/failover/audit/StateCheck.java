package io.clusterecho.failover.audit;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Compares the members' state digests with the state that results from replaying the log up to the same positions.
 * <p>
 * State depends on everything applied before, so once wrong it stays wrong: the error happened between the last correct and the
 * first wrong position.
 */
final class StateCheck
{
    /**
     * States beyond the committed prefix that prove nothing against their member, because its own log is intact and has these
     * positions: the prefix ends early because the logs of others are damaged.
     *
     * @param damaged     members with damaged logs.
     * @param intactEnds  end of each intact log, by member id.
     * @param stateCounts states that were taken, by member id.
     */
    record Unproven(
        long committedPosition, List<Integer> damaged, Map<Integer, Long> intactEnds, SortedMap<Integer, Integer> stateCounts)
    {
        /** Take a state beyond the committed prefix; true if it proves nothing. */
        boolean take(final int memberId, final long position)
        {
            final boolean isUnproven = !damaged.isEmpty() && intactEnds.getOrDefault(memberId, -1L) >= position;
            if (isUnproven)
            {
                stateCounts.merge(memberId, 1, Integer::sum);
            }

            return isUnproven;
        }

        void report(final Findings findings)
        {
            stateCounts.forEach((memberId, count) -> findings.note(
                count + " states of member " + memberId + " beyond position " + committedPosition +
                " were not checked: no majority has the log there, because the log of member " + damaged.get(0) + " is damaged"));
        }
    }

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

    /** The log was replayed up to the end of an entry. The state there is not known if the log before it was trimmed. */
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

    void onEnd(final long committedPosition, final Unproven unproven)
    {
        while (next < states.size())
        {
            final MemberState state = states.get(next++);
            if (!unproven.take(state.memberId(), state.position()))
            {
                onWrong(state, "the log is committed only up to position " + committedPosition);
            }
        }
    }

    /** State digests of a member that were compared with the log. */
    int checkedCount(final int memberId)
    {
        return checkedCounts.getOrDefault(memberId, 0);
    }

    private void check(final MemberState state, final long position, final long appliedCount, final long checksum)
    {
        checkedCounts.merge(state.memberId(), 1, Integer::sum);
        if (state.position() != position)
        {
            onWrong(state, "that is within an entry");
        }
        else if (state.appliedCount() != appliedCount || state.checksum() != checksum)
        {
            onWrong(
                state, state.appliedCount() == appliedCount ?
                    "its checksum differs from that of the log" : "the log has " + appliedCount);
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
            (null == rightPosition ? "" : "; its state was last correct at position " + rightPosition));
    }
}
