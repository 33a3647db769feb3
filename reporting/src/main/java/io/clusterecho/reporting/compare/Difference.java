package io.clusterecho.reporting.compare;

import java.util.SortedSet;

/**
 * A condition that is not the same in all runs.
 *
 * @param key  under which a difference may be allowed, several conditions may share one; equal to path where the condition
 *             stands for itself.
 * @param path of the condition in the manifest, with dots.
 * @param inA  values in the first set.
 * @param inB  values in the second set.
 */
record Difference(String key, String path, SortedSet<String> inA, SortedSet<String> inB)
{
    /**
     * Whether one set is not of one kind.
     */
    boolean isWithinASet()
    {
        return inA.size() > 1 || inB.size() > 1;
    }

    /**
     * Whether the sets differ; one that says nothing about the condition does not.
     */
    boolean isBetweenTheSets()
    {
        return !inA.isEmpty() && !inB.isEmpty() && !inA.equals(inB);
    }
}
