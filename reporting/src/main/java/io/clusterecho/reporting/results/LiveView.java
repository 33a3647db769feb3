package io.clusterecho.reporting.results;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

import io.clusterecho.host.CLibrary;
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
    private static final String ERASE_LINE = "\r\u001b[2K";
    private static final String SEPARATOR = " | ";
    private static final int DEFAULT_WIDTH = 80;
    private static final int STDERR = 2;
    private static final long TIOCGWINSZ = 0x5413L;
    /** struct winsize: rows, columns, width and height in pixels, each an unsigned short. */
    private static final int WINSIZE_LENGTH = 8;
    private static final int COLUMNS_OFFSET = 2;
    /** Share of the target from which the line names it: intervals end a little early or late. */
    private static final double TOLERANCE = 0.02;

    private final PrintStream out;
    private final boolean isRedrawing;
    private final IntSupplier width;
    private boolean isLineOpen;

    /** With one line that is redrawn or not, and the width of a redrawn line, in columns. */
    LiveView(final PrintStream out, final boolean isRedrawing, final IntSupplier width)
    {
        this.out = out;
        this.isRedrawing = isRedrawing;
        this.width = width;
    }

    /** A view on stderr, redrawn if that is a terminal. */
    public static LiveView onStderr()
    {
        return new LiveView(System.err, isRedrawable(), LiveView::columns);
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

        final List<String> parts = parts(interval, answered / seconds);
        if (isRedrawing)
        {
            out.print(ERASE_LINE + fitting(parts, width.getAsInt()));
            isLineOpen = true;
        }
        else
        {
            out.println(String.join(SEPARATOR, parts));
        }
        out.flush();
    }

    /** The most important part first: when there is no room for all, those from the end are left out. */
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

    private static String fitting(final List<String> parts, final int columns)
    {
        // The last column stays empty: some terminals wrap when it is written to.
        final int room = Math.max(1, columns - 1);
        String line = parts.get(0);
        for (final String part : parts.subList(1, parts.size()))
        {
            if (line.length() + SEPARATOR.length() + part.length() > room)
            {
                break;
            }
            line += SEPARATOR + part;
        }

        return line.length() <= room ? line : line.substring(0, room);
    }

    /** Columns of the terminal behind stderr, which the JDK does not know. */
    private static int columns()
    {
        final byte[] size = new byte[WINSIZE_LENGTH];
        Io.orElse(0, () -> CLibrary.call("ioctl", STDERR, TIOCGWINSZ, size));
        final int columns = Short.toUnsignedInt(ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getShort(COLUMNS_OFFSET));
        return columns > 0 ? columns : DEFAULT_WIDTH;
    }
}
