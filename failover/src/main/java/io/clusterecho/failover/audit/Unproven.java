package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * States beyond the committed prefix that prove nothing against their member, because its own log is intact and has these
 * positions: the prefix ends early because the logs of others are damaged.
 */
final class Unproven
{
    private final long committedPosition;
    private final List<Integer> damaged;
    private final Map<Integer, Long> intactEnds;
    private final Map<Integer, Integer> stateCounts = new TreeMap<>();

    /** The end of the committed prefix, the members with damaged logs, and the end of each intact log by member id. */
    Unproven(final long committedPosition, final List<Integer> damaged, final Map<Integer, Long> intactEnds)
    {
        this.committedPosition = committedPosition;
        this.damaged = damaged;
        this.intactEnds = intactEnds;
    }

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
