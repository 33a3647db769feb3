package io.clusterecho.client.sweep;

import java.util.Locale;

/**
 * Estimates the remaining time of a sweep from the time its parts took so far. One thread.
 */
public final class SweepProgress
{
    private static final double FIRST_GUESS_OF_A_START_S = 15;
    private static final double FIRST_GUESS_OF_OVERHEAD_S = 2;
    private static final double NS_PER_S = 1e9;

    private double startsS;
    private double overheadsS;
    private int startCount;
    private int runCount;

    public void onStart(final long timeNs)
    {
        startsS += timeNs / NS_PER_S;
        startCount++;
    }

    /**
     * @param timeNs     time that a run took.
     * @param scheduleNs its warm-up and measured window.
     */
    public void onRun(final long timeNs, final long scheduleNs)
    {
        overheadsS += Math.max(0, timeNs - scheduleNs) / NS_PER_S;
        runCount++;
    }

    /**
     * @param startsLeft   clusters still to be started.
     * @param runsLeft     runs still to be made.
     * @return for instance {@code about 4 min left}.
     */
    public String left(final int startsLeft, final int runsLeft, final long schedulesNs)
    {
        final double startS = 0 == startCount ? FIRST_GUESS_OF_A_START_S : startsS / startCount;
        final double overheadS = 0 == runCount ? FIRST_GUESS_OF_OVERHEAD_S : overheadsS / runCount;
        final double leftS = startsLeft * startS + runsLeft * overheadS + schedulesNs / NS_PER_S;
        return leftS < 90 ? String.format(Locale.ROOT, "about %.0f s left", leftS) :
            leftS < 5400 ? String.format(Locale.ROOT, "about %.0f min left", leftS / 60) :
            String.format(Locale.ROOT, "about %.1f h left", leftS / 3600);
    }
}
