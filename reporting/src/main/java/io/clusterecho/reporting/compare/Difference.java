package io.clusterecho.reporting.compare;

import java.util.SortedSet;

/**
 * A condition that differs between runs.
 *
 * @param key  under which the difference may be allowed. Several conditions may share a key; a condition without a shared key
 *             has its path as key.
 * @param path of the condition in the manifest, with dots.
 */
record Difference(String key, String path, SortedSet<String> a, SortedSet<String> b)
{
    boolean isWithinASet()
    {
        return a.size() > 1 || b.size() > 1;
    }

    /** Whether the sets differ. A set without the condition does not count as different. */
    boolean isBetweenTheSets()
    {
        return !a.isEmpty() && !b.isEmpty() && !a.equals(b);
    }
}
