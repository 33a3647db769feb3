package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

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
