package io.clusterecho.control.cluster;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.Endings;
import io.clusterecho.node.member.ExitStatus;

/**
 * Decides whether and when a member that ended is started again. Waits longer after each quick end, and gives up after
 * {@link #MAX_QUICK_ENDS} of them. One thread; times are of a monotonic clock.
 */
final class Restarts
{
    static final int MAX_QUICK_ENDS = 5;
    static final long QUICK_NS = TimeUnit.SECONDS.toNanos(60);
    static final long FIRST_DELAY_NS = TimeUnit.SECONDS.toNanos(1);

    /** A new start cannot help, or is not wanted. */
    private static final List<ExitStatus> FINAL = List.of(ExitStatus.OK, ExitStatus.CONFIGURATION, ExitStatus.DATA_CORRUPT);
    private static final double NS_PER_S = 1e9;

    private boolean wasAlive;
    private long aliveSinceNs;
    private int quickEndCount;
    private int restartCount;
    private boolean isDue;
    private long dueNs;

    /**
     * The member runs, started by whomever.
     *
     * @return whether that is new.
     */
    boolean onAlive(final long nowNs)
    {
        final boolean isNew = !wasAlive;
        if (isNew)
        {
            wasAlive = true;
            isDue = false;
            aliveSinceNs = nowNs;
        }
        else if (nowNs - aliveSinceNs >= QUICK_NS)
        {
            quickEndCount = 0;
        }

        return isNew;
    }

    /**
     * The member does not run.
     *
     * @param exitCode of the process, empty if it was killed.
     * @return what follows, as text, if it ran until now; else null.
     */
    String onEnded(final OptionalInt exitCode, final long nowNs)
    {
        if (!wasAlive)
        {
            return null;
        }

        wasAlive = false;
        final String ended = Endings.how(exitCode);
        if (FINAL.stream().anyMatch((status) -> exitCode.isPresent() && status.code() == exitCode.getAsInt()))
        {
            return ended + ", is not started again";
        }

        quickEndCount++;
        if (quickEndCount > MAX_QUICK_ENDS)
        {
            return ended + ", is not started again: it ended " + quickEndCount + " times within " +
                TimeUnit.NANOSECONDS.toSeconds(QUICK_NS) + " s of a start";
        }

        final long delayNs = FIRST_DELAY_NS << quickEndCount - 1;
        isDue = true;
        dueNs = nowNs + delayNs;
        return String.format(Locale.ROOT, "%s, starts again in %.0f s", ended, delayNs / NS_PER_S);
    }

    /**
     * Whether the member is to be started now.
     */
    boolean isDue(final long nowNs)
    {
        return isDue && nowNs - dueNs >= 0;
    }

    /**
     * Whether the member runs or will be started.
     */
    boolean isOpen()
    {
        return wasAlive || isDue;
    }

    /**
     * The member is being started.
     *
     * @return number of starts so far, including this one.
     */
    int onStart(final long nowNs)
    {
        isDue = false;
        wasAlive = true;
        aliveSinceNs = nowNs;
        return ++restartCount;
    }
}
