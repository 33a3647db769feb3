package io.clusterecho.host;

import java.util.BitSet;
import java.util.Collections;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.clusterecho.settings.IllegalArgument;

/** Sets of processors in Linux's format: {@code 0-3,8}. */
public final class CpuList
{
    private static final int MAX_CPU = 65_535;

    /** Parse a list as above, blank for none; an {@link IllegalArgumentException} has any other text. */
    public static SortedSet<Integer> parse(final String text)
    {
        final SortedSet<Integer> cpus = new TreeSet<>();
        for (final String range : text.isBlank() ? new String[0] : text.trim().split(","))
        {
            IllegalArgument.throwIf(!range.matches("[0-9]{1,5}(-[0-9]{1,5})?"), text + " is not a list of processors");
            final String[] ends = range.split("-");
            final int first = Integer.parseInt(ends[0]);
            final int last = Integer.parseInt(ends[ends.length - 1]);
            IllegalArgument.throwIf(last < first || last > MAX_CPU, text + " is not a list of processors");
            IntStream.rangeClosed(first, last).forEach(cpus::add);
        }

        return Collections.unmodifiableSortedSet(cpus);
    }

    /** Format a list as above, empty for none. */
    public static String format(final SortedSet<Integer> cpus)
    {
        final BitSet bits = new BitSet();
        cpus.forEach(bits::set);
        final StringJoiner ranges = new StringJoiner(",");
        for (int first = bits.nextSetBit(0); first >= 0; first = bits.nextSetBit(bits.nextClearBit(first)))
        {
            final int last = bits.nextClearBit(first) - 1;
            ranges.add(first == last ? String.valueOf(first) : first + "-" + last);
        }

        return ranges.toString();
    }
}
