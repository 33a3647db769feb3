package io.clusterecho.node.member;

import java.io.PrintStream;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

import io.aeron.exceptions.AeronEvent;
import io.aeron.exceptions.AeronException;

/**
 * Prints errors: the first of each kind in full, a repeated one only when its count reaches a power of ten, so that an error in a
 * loop cannot fill a disk. Two errors are of one kind if class and text are the same except for digits. Thread-safe.
 */
final class ErrorReport
{
    private static final int MAX_KINDS = 500;

    private final PrintStream out;
    private final Clock clock;
    private final Map<String, Long> countByKind = new HashMap<>();

    ErrorReport(final PrintStream out, final Clock clock)
    {
        this.out = out;
        this.clock = clock;
    }

    synchronized void report(final String source, final Throwable error)
    {
        final String kind = source + error.getClass().getName() + String.valueOf(error.getMessage()).replaceAll("[0-9]+", "#");
        if (countByKind.size() >= MAX_KINDS && !countByKind.containsKey(kind))
        {
            // Forgetting the counts at worst repeats errors; keeping all of them would be a leak.
            countByKind.clear();
        }

        final long count = countByKind.merge(kind, 1L, Long::sum);
        if (1 == count)
        {
            out.println(clock.instant() + " " + source + ": " + error);
            if (!isEvent(error))
            {
                error.printStackTrace(out);
            }
        }
        else if (String.valueOf(count).matches("10*"))
        {
            out.println(clock.instant() + " " + source + ": seen " + count + " times: " + error);
        }
    }

    /** Whether an error is an event of normal operation, such as a timeout of an election on a busy machine. */
    static boolean isEvent(final Throwable error)
    {
        return error instanceof AeronEvent ||
            error instanceof AeronException ex && AeronException.Category.WARN == ex.category();
    }
}
