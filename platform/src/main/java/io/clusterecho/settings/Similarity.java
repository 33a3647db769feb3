package io.clusterecho.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody meant who mistyped it. */
public final class Similarity
{
    /** One edit for so many characters, and one more. */
    private static final int CHARACTERS_PER_EDIT = 5;

    private Similarity()
    {
    }

    /**
     * The known name that the fewest edits turn an unknown one into, unless there are too many for a slip. One that only lacks
     * its prefix is as good as equal.
     */
    public static Optional<String> closest(final String name, final Collection<String> known)
    {
        return known.stream()
            .filter((candidate) -> distance(name, candidate) <= 1 + candidate.length() / CHARACTERS_PER_EDIT)
            .min(Comparator.comparingInt((candidate) -> distance(name, candidate)));
    }

    private static int distance(final String name, final String candidate)
    {
        return candidate.endsWith("." + name) ? 0 : edits(name, candidate);
    }

    /** Levenshtein distance: insertions, deletions and replacements of single characters. */
    private static int edits(final String from, final String to)
    {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++)
        {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++)
        {
            final int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++)
            {
                final int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
