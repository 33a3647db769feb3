package io.clusterecho.reporting.results;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Io;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * Shows the progress of a run on a stream: one line of a terminal, redrawn, or a line per interval elsewhere.
 * Numbers of the last interval come first, those of the whole measured window follow after {@code total}.
 */
public final class LiveView implements IntervalListener
{
    /** Erase the line, and let the terminal cut the next one off at its width instead of wrapping it. */
    private static final String BEGIN_LINE = "\r\u001b[2K\u001b[?7l";
    private static final String END_LINE = "\u001b[?7h";
    private static final String SEPARATOR = " | ";
    /** Share of the target from which the line names it: intervals end a little early or late. */
    private static final double TOLERANCE = 0.02;

    private final PrintStream out;
    private final boolean isRedrawing;
    private boolean isLineOpen;

    LiveView(final PrintStream out, final boolean isRedrawing)
    {
        this.out = out;
        this.isRedrawing = isRedrawing;
    }

    /** A view on stderr, redrawn if that is a terminal. */
    public static LiveView onStderr()
    {
        return new LiveView(System.err, isRedrawable());
    }

    /** Whether stderr is a terminal whose last line can be redrawn. */
    public static boolean isRedrawable()
    {
        final String term = System.getenv("TERM");
        // System.console() only knows stdin and stdout, and from JDK 22 on not even these.
        final Path target = Io.orElse(null, () -> Files.readSymbolicLink(Path.of("/proc/self/fd/2")));
        return null == System.getenv("NO_COLOR") && null != term && !"dumb".equals(term) &&
            (null == target ? null != System.console() : target.toString().matches("/dev/(pts/|tty).*"));
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        final double seconds = Math.max(1e-9, (interval.endNs() - interval.beginNs()) / 1e9);
        final long answered = interval.counts().of(Counter.ANSWERED_ALL);
        final boolean isIdle = 0 == answered && 0 == interval.inFlight();
        if (interval.isLast() || RunPhase.DRAIN == interval.phase() && isIdle)
        {
            if (interval.isLast() && isLineOpen)
            {
                out.println();
                out.flush();
                isLineOpen = false;
            }
            return;
        }

        final String line = String.join(SEPARATOR, parts(interval, answered / seconds));
        if (isRedrawing)
        {
            out.print(BEGIN_LINE + line + END_LINE);
            isLineOpen = true;
        }
        else
        {
            out.println(line);
        }
        out.flush();
    }

    /** The most important part first, since a narrow terminal cuts off the end. */
    private static List<String> parts(final RunInterval interval, final double achievedPerSecond)
    {
        final boolean isWarmUp = RunPhase.WARM_UP == interval.phase();
        final Histogram now = isWarmUp ? interval.warmUpResponseTimes() : interval.times().of(Time.RESPONSE);
        final Histogram total = interval.total();
        final List<String> parts = new ArrayList<>();
        parts.add(Lines.text("%.1f s %s", interval.endNs() / 1e9, interval.phase().label().replace('_', '-')));
        final long targetPerSecond = interval.ratePerSecondAsked();
        parts.add(Math.abs(achievedPerSecond - targetPerSecond) <= TOLERANCE * targetPerSecond ?
            Lines.text("%,.0f/s", achievedPerSecond) :
            Lines.text("%,.0f of %,d/s", achievedPerSecond, targetPerSecond));
        if (now.getTotalCount() > 0)
        {
            parts.add("p50 " + Percentile.P50.text(now) + " p99 " + Percentile.P99.text(now));
        }
        if (total.getTotalCount() > 0)
        {
            parts.add("total p99 " + Percentile.P99.text(total));
            parts.add("max " + Percentile.MAX.text(total));
        }
        parts.add(Lines.text("in flight %,d", interval.inFlight()));
        parts.add("leader " + (interval.leaderMemberId() < 0 ? "-" : interval.leaderMemberId()));
        return parts;
    }
}
