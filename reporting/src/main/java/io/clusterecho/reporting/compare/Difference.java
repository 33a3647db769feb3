package io.clusterecho.reporting.compare;

import java.util.SortedSet;

/**
 * A condition that differs between runs.
 *
 * @param key  under which the difference may be allowed. Several conditions may share a key; a condition without a shared key
 *             has its path as key.
 * @param path of the condition in the manifest, with dots.
 * @param inA  values in the first set.
 * @param inB  values in the second set.
 */
record Difference(String key, String path, SortedSet<String> inA, SortedSet<String> inB)
{
    /** Whether the runs of one set differ. */
    boolean isWithinASet()
    {
        return inA.size() > 1 || inB.size() > 1;
    }

    /** Whether the sets differ. A set without the condition does not count as different. */
    boolean isBetweenTheSets()
    {
        return !inA.isEmpty() && !inB.isEmpty() && !inA.equals(inB);
    }
}
