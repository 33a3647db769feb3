package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * What sessions that come and go cost while a load was measured: their accounts, the time to connect, and the response time of
 * measured messages in the intervals of the run with churn, of which a tenth or more lay in a turn with sessions, and in the
 * others.
 *
 * @param windows       stretches of intervals with churn, in the order of time.
 * @param sessions      at the end of the run, by {@link ChurnCounter#key()}: sums since its start, and present numbers.
 * @param mostOpen      largest number of sessions open at the end of an interval.
 * @param connectTimeNs from when a session was due until it was open.
 * @param cores         core time of the thread that opens the sessions, per time, in intervals with churn.
 * @param intervals     all of the run.
 * @param messages      the first of each reason for which sessions were not opened, after the reason.
 */
public record ChurnCost(
    List<Window> windows, Map<String, Long> sessions, long mostOpen, Times connectTimeNs, Times responseTimeDuringNs,
    Times responseTimeApartNs, double cores, ClusterCount cluster, List<Point> intervals, List<String> messages)
{
    /** Name of the file with a row for each interval. */
    public static final String FILE = "churn.csv";
    /** Name of the file with the histograms of the time to connect, one for each interval, in ns. */
    public static final String CONNECT_TIMES = "connect-time.hlog";
    /** Name of the file with the first message of each reason for which sessions were not opened. */
    public static final String FAILURES_FILE = "churn-failures.txt";

    /** Column with how much of a row, in s, lay in a turn with sessions. */
    private static final String TURN = "turn_s";
    /** Least share of an interval with churn that lies in a turn with sessions. */
    private static final double MIN_SHARE = 0.1;
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;
    private static final List<ChurnCounter> FAILURES = List.of(
        ChurnCounter.REFUSED_LIMIT, ChurnCounter.REFUSED_OTHER, ChurnCounter.TIMED_OUT_UNREACHED,
        ChurnCounter.TIMED_OUT_UNANSWERED, ChurnCounter.FAILED, ChurnCounter.NOT_ATTEMPTED, ChurnCounter.LOST,
        ChurnCounter.UNANSWERED);

    /** A stretch of time in ns since the start of the schedule. */
    public record Window(long beginNs, long endNs)
    {
    }

    /**
     * Sessions by the service of the cluster, from the first sample of its counters until the end of the load: the largest count
     * of a member, because members that were away missed some. Other clients count too.
     *
     * @param opened   sessions that it opened; -1 if unknown.
     * @param timedOut sessions that it closed because their clients were silent; -1 if unknown.
     */
    public record ClusterCount(long opened, long timedOut)
    {
        public static final ClusterCount UNKNOWN = new ClusterCount(-1, -1);
    }

    /**
     * An interval of the run.
     *
     * @param beginNs      since the start of the schedule.
     * @param open         sessions open at its end.
     * @param failed       sessions that failed in it, for any reason.
     * @param connectP50Ns median time to connect; null if none connected.
     * @param connectMaxNs longest time to connect; null if none connected.
     */
    public record Point(long beginNs, long open, long connected, long failed, Long connectP50Ns, Long connectMaxNs)
    {
    }

    /** First line of {@link #FILE}. */
    public static String header()
    {
        return "begin_s,end_s," + Stream.of(ChurnCounter.values()).map(ChurnCounter::label).collect(Collectors.joining(",")) +
            ",cpu_ms," + TURN + "\n";
    }

    /** Cost of the churn of a run; null if there was none. */
    public static ChurnCost of(final IntervalTable run)
    {
        if (!run.has(FILE))
        {
            return null;
        }

        final CsvTable churn = run.table(FILE);
        final Map<String, Long> sessions = new LinkedHashMap<>();
        Stream.of(ChurnCounter.values()).forEach((counter) -> sessions.put(counter.key(), 0L));
        final List<Window> windows = new ArrayList<>();
        final List<Point> points = new ArrayList<>();
        final Histogram connect = TimeRecorder.newHistogram();
        long mostOpen = 0;
        double coreMs = 0;
        double lengthS = 0;
        try (HistogramLog connects = run.log(CONNECT_TIMES))
        {
            for (int row = 0; row < churn.rowCount(); row++)
            {
                final double beginS = churn.number(row, "begin_s");
                final double endS = churn.number(row, "end_s");
                for (final ChurnCounter counter : ChurnCounter.values())
                {
                    final long value = Math.round(churn.number(row, counter.label()));
                    sessions.merge(counter.key(), value, counter.isLevel() ? (before, now) -> now : Long::sum);
                }
                final long open = sessions.get(ChurnCounter.OPEN.key());
                mostOpen = Math.max(mostOpen, open);
                final Histogram connectsOf = connects.next();
                points.add(point(churn, row, beginS, open, connectsOf));
                if (null != connectsOf)
                {
                    connect.add(connectsOf);
                }
                if (run.isInWindow(row) && isChurn(churn, row))
                {
                    extend(windows, Math.round(beginS * NS_PER_S), Math.round(endS * NS_PER_S));
                    coreMs += churn.number(row, "cpu_ms");
                    lengthS += endS - beginS;
                }
            }
        }
        // Both files have a row for each interval; a last row of the churn may follow.
        final Map<Boolean, Times> times = run.responseTimes(
            churn.rowCount(), (row) -> isChurn(churn, Math.min(row, churn.rowCount() - 1)));
        return new ChurnCost(
            List.copyOf(windows), sessions, mostOpen, Times.of(connect), times.get(true), times.get(false),
            lengthS > 0 ? Math.round(1e3 * coreMs / MS_PER_S / lengthS) / 1e3 : 0,
            new ClusterCount(most(run.counters(), "sessions_opened"), most(run.counters(), "sessions_timed_out")),
            List.copyOf(points), run.lines(FAILURES_FILE));
    }

    private static boolean isChurn(final CsvTable churn, final int row)
    {
        // An interval beside a turn may end or begin a little late.
        return churn.number(row, TURN) >= MIN_SHARE * (churn.number(row, "end_s") - churn.number(row, "begin_s"));
    }

    private static Point point(
        final CsvTable churn, final int row, final double beginS, final long open, final Histogram connects)
    {
        final boolean isAny = null != connects && connects.getTotalCount() > 0;
        return new Point(
            Math.round(beginS * NS_PER_S), open, Math.round(churn.number(row, ChurnCounter.CONNECTED.label())),
            FAILURES.stream().mapToLong((counter) -> Math.round(churn.number(row, counter.label()))).sum(),
            isAny ? Percentile.P50.of(connects) : null, isAny ? Percentile.MAX.of(connects) : null);
    }

    private static void extend(final List<Window> windows, final long beginNs, final long endNs)
    {
        final int last = windows.size() - 1;
        if (last >= 0 && windows.get(last).endNs() == beginNs)
        {
            windows.set(last, new Window(windows.get(last).beginNs(), endNs));
        }
        else
        {
            windows.add(new Window(beginNs, endNs));
        }
    }

    /** The largest sum of a process; -1 if none has the column. */
    private static long most(final CsvTable counters, final String column)
    {
        return IntStream.range(0, counters.rowCount()).filter((row) -> !Double.isNaN(counters.number(row, column))).boxed()
            .collect(Collectors.groupingBy(
            (row) -> counters.text(row, "process"),
            Collectors.summingLong((row) -> Math.round(counters.number(row, column)))))
            .values().stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    /** Sessions that failed, by reason; only reasons that occurred. */
    private String failures()
    {
        final String text = FAILURES.stream().filter((counter) -> of(counter) > 0)
            .map((counter) -> Lines.text("%s %,d", counter.label().replace('_', ' '), of(counter)))
            .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none failed" : text;
    }

    private long of(final ChurnCounter counter)
    {
        return sessions.get(counter.key());
    }

    List<String> text()
    {
        final long notBegun = of(ChurnCounter.NOT_BEGUN);
        final List<String> lines = new ArrayList<>();
        lines.add(Lines.text(
            "churn      %,d sessions due, %,d connected, %s, in progress at the end %,d%s; connect p50 %s, p99 %s, max %s",
            of(ChurnCounter.DUE), of(ChurnCounter.CONNECTED), failures(), of(ChurnCounter.IN_PROGRESS),
            0 == notBegun ? "" : Lines.text(", not begun by this client, which was late, %,d", notBegun),
            connectTimeNs.text(Percentile.P50), connectTimeNs.text(Percentile.P99), connectTimeNs.text(Percentile.MAX)));
        lines.add(0 == responseTimeDuringNs.count() || 0 == responseTimeApartNs.count() ?
            "           no interval " + (0 == responseTimeDuringNs.count() ? "with churn" : "without churn to compare with") :
            Lines.text(
            "           p50, p99, p99.9 of the load %s in intervals with churn, %s without",
            responseTimeDuringNs.text(Percentile.P50, Percentile.P99, Percentile.P99_9),
            responseTimeApartNs.text(Percentile.P50, Percentile.P99, Percentile.P99_9)));
        lines.add(Lines.text(
            "           closed %,d, open at most %,d; its thread used %.2f cores%s", of(ChurnCounter.CLOSED), mostOpen, cores,
            cluster.opened() < 0 ? "" : Lines.text(
            "; until the end of the load the cluster opened %,d, timed out %,d", cluster.opened(), cluster.timedOut())));
        messages.stream().map((message) -> "           first " + message).forEach(lines::add);
        return lines;
    }
}
