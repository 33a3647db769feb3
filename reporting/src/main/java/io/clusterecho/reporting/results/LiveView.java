package io.clusterecho.reporting.results;

import java.io.PrintStream;
import java.util.Locale;

import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.RunInterval;

import org.HdrHistogram.Histogram;

/**
 * Shows the progress of a run on a stream: one line, redrawn, on a terminal; a line per interval elsewhere.
 */
public final class LiveView implements IntervalListener
{
    private static final String ERASE_LINE = "\r\u001b[2K";

    private final PrintStream out;
    private final boolean isRedrawing;
    private long answeredBefore;

    /**
     * @param isRedrawing whether to redraw one line.
     */
    public LiveView(final PrintStream out, final boolean isRedrawing)
    {
        this.out = out;
        this.isRedrawing = isRedrawing;
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        final double seconds = Math.max(1e-9, (interval.endNs() - interval.beginNs()) / 1e9);
        final boolean isWarmUp = RunPhase.WARM_UP == interval.phase();
        final Histogram shown = isWarmUp ? interval.warmUpResponseTimes() : interval.total();
        final String line = String.format(
            Locale.ROOT,
            "%6.1f s %-8s target %,d/s achieved %,.0f/s  p50 %s  p99 %s  max %s  in flight %,d  leader %s",
            interval.endNs() / 1e9,
            interval.phase().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            interval.ratePerSecondAsked(),
            (interval.answeredAll() - answeredBefore) / seconds,
            Percentile.P50.text(shown),
            Percentile.P99.text(shown),
            Percentile.MAX.text(shown),
            interval.sentAll() - interval.answeredAll(),
            interval.leaderMemberId() < 0 ? "-" : String.valueOf(interval.leaderMemberId()));
        answeredBefore = interval.answeredAll();

        if (!isRedrawing)
        {
            out.println(line);
        }
        else if (RunPhase.DONE == interval.phase())
        {
            out.print(ERASE_LINE);
            out.println(line);
        }
        else
        {
            out.print(ERASE_LINE + line);
        }
        out.flush();
    }
}
