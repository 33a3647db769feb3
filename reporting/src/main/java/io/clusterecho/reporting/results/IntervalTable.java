package io.clusterecho.reporting.results;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.ObjIntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.settings.Io;

import org.HdrHistogram.Histogram;

/**
 * The intervals of a stored run with the counters of processes and machine. Each file is read once, when it is first needed.
 * Messages are measured in the rows of the window, in the last row of a warm-up that ended late, and in rows after the schedule,
 * with the last replies.
 */
public final class IntervalTable
{
    private static final String MEASURE = "measure";
    private static final Set<String> WITH_MEASURED = Set.of(MEASURE, "drain", "done");
    private static final String BEGIN = "begin_s";
    private static final String END = "end_s";
    private static final String PROCESS = "process";
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;
    private static final double US_PER_MS = 1e3;

    private final Path folder;
    private final Map<String, CsvTable> tables = new HashMap<>();
    private final Map<String, Integer> counterRows = new HashMap<>();
    private List<String> processes;
    /** Its first and its last row. */
    private int[] window;
    private IntervalTable measured;

    /** The table of a run, whose files may be unreadable. */
    public IntervalTable(final Path folder)
    {
        this.folder = folder;
    }

    /** A table that is not of a folder. */
    public IntervalTable(final CsvTable intervals, final CsvTable counters, final CsvTable machine)
    {
        folder = null;
        tables.putAll(Map.of(FileNames.INTERVALS, intervals, FileNames.COUNTERS, counters, FileNames.MACHINE, machine));
    }

    /** Examine it; {@code otherwise} receives the reason if a file cannot be read. */
    public <T> T examine(final Function<IntervalTable, T> examiner, final Function<String, T> otherwise)
    {
        try
        {
            return examiner.apply(this);
        }
        catch (final IllegalArgumentException ex)
        {
            return otherwise.apply(String.valueOf(ex.getMessage()));
        }
    }

    /** Examine it; null if it shows nothing, or a file cannot be read. */
    public <T> T orNull(final Function<IntervalTable, T> examiner)
    {
        return examine(examiner, (why) -> null);
    }

    public CsvTable intervals()
    {
        return table(FileNames.INTERVALS);
    }

    /** Rows of processes; without rows in folders that lack the file. */
    public CsvTable counters()
    {
        return table(FileNames.COUNTERS);
    }

    /** Another table, without rows if there is no such file; {@link IllegalArgumentException} if it cannot be read. */
    CsvTable table(final String fileName)
    {
        return tables.computeIfAbsent(fileName, (name) -> new CsvTable(lines(name)));
    }

    /** The rows with measured messages, as a table of their own that has no histograms. */
    public IntervalTable measured()
    {
        if (null == measured)
        {
            final int[] rows = rows(WITH_MEASURED);
            measured = new IntervalTable(intervals().rows(rows), counters(), table(FileNames.MACHINE).rows(rows));
        }
        return measured;
    }

    /** Processes of which there are counters. */
    public List<String> processes()
    {
        if (null == processes)
        {
            processes = IntStream.range(0, counters().rowCount())
                .mapToObj((row) -> counters().text(row, PROCESS)).distinct().toList();
        }
        return processes;
    }

    /** A counter of a process in a row of the intervals; NaN if it is not known. */
    public double counter(final String process, final int row, final String column)
    {
        final Integer counterRow = counterRow(process, row);
        return null == counterRow ? Double.NaN : counters().number(counterRow, column);
    }

    /** The same as text; null if the process is not in the row. */
    public String counterText(final String process, final int row, final String column)
    {
        final Integer counterRow = counterRow(process, row);
        return null == counterRow ? null : counters().text(counterRow, column);
    }

    private Integer counterRow(final String process, final int row)
    {
        if (counterRows.isEmpty())
        {
            for (int i = 0; i < counters().rowCount(); i++)
            {
                counterRows.put(counters().text(i, BEGIN) + " " + counters().text(i, PROCESS), i);
            }
        }
        return counterRows.get(intervals().text(row, BEGIN) + " " + process);
    }

    public boolean isKnown(final String process, final int row, final String column)
    {
        return !Double.isNaN(counter(process, row, column));
    }

    /** A counter of a process; 0 if it is not known. */
    public double of(final String process, final int row, final String column)
    {
        return zeroIfNone(counter(process, row, column));
    }

    public double ofAll(final int row, final String column)
    {
        return processes().stream().mapToDouble((process) -> of(process, row, column)).sum();
    }

    /** The largest amount of any process; 0 if there are none. */
    public double most(final ToDoubleFunction<String> ofProcess)
    {
        return processes().stream().mapToDouble(ofProcess).max().orElse(0);
    }

    /** A number of the machine; 0 if it is not known. */
    public double machine(final int row, final String column)
    {
        return isKnownOfMachine(row, column) ? table(FileNames.MACHINE).number(row, column) : 0;
    }

    public boolean isKnownOfMachine(final int row, final String column)
    {
        final CsvTable machine = table(FileNames.MACHINE);
        return row < machine.rowCount() && !Double.isNaN(machine.number(row, column));
    }

    /** A number of an interval; 0 if it is not known. */
    public double interval(final int row, final String column)
    {
        return zeroIfNone(intervals().number(row, column));
    }

    private static double zeroIfNone(final double value)
    {
        return Double.isNaN(value) ? 0 : value;
    }

    public int rowCount()
    {
        return intervals().rowCount();
    }

    public double sum(final IntToDoubleFunction ofRow)
    {
        return IntStream.range(0, rowCount()).mapToDouble(ofRow).sum();
    }

    double beginNs(final int row)
    {
        return intervals().number(row, BEGIN) * NS_PER_S;
    }

    double endNs(final int row)
    {
        return intervals().number(row, END) * NS_PER_S;
    }

    public double lengthMs(final int row)
    {
        return MS_PER_S * (interval(row, END) - interval(row, BEGIN));
    }

    /** Time between the readings of the machine that a row has, which may be late; in earlier results the length of the row. */
    public double machineMs(final int row)
    {
        return isKnownOfMachine(row, "elapsed_ms") ? machine(row, "elapsed_ms") : lengthMs(row);
    }

    /** The p99 of the response times of a row, in ms. */
    public double tailMs(final int row)
    {
        return interval(row, "response_" + Percentile.P99.label() + "_us") / US_PER_MS;
    }

    /** Whether a row lies in the window, which is all of a run without one. */
    boolean isInWindow(final int row)
    {
        return row == inWindow(row);
    }

    /** The row itself, or the nearest in the window. */
    private int inWindow(final int row)
    {
        if (null == window)
        {
            final int[] rows = rows(Set.of(MEASURE));
            window = 0 == rows.length ? new int[]{ 0, rowCount() - 1 } : new int[]{ rows[0], rows[rows.length - 1] };
        }
        return Math.max(window[0], Math.min(row, window[1]));
    }

    /** Whether a row may have measured messages. */
    boolean isMeasured(final int row)
    {
        return WITH_MEASURED.contains(intervals().text(row, "phase"));
    }

    private int[] rows(final Set<String> phases)
    {
        return IntStream.range(0, rowCount()).filter((row) -> phases.contains(intervals().text(row, "phase"))).toArray();
    }

    boolean has(final String fileName)
    {
        return Files.exists(folder.resolve(fileName));
    }

    /** The lines of a file, none if it does not exist; throws as {@link #table} does. */
    List<String> lines(final String fileName)
    {
        return !has(fileName) ? List.of() : Io.call(
            (ex) -> new IllegalArgumentException(ex.getMessage(), ex), () -> Files.readAllLines(folder.resolve(fileName)));
    }

    /** The histograms of the intervals; throws as {@link #table} does. */
    HistogramLog log(final String fileName)
    {
        return new HistogramLog(folder.resolve(fileName));
    }

    /** Read the response times row by row, up to the last that was stored; throws as {@link #table} does. */
    void forEachRow(final ObjIntConsumer<Histogram> consumer)
    {
        try (HistogramLog times = log(Time.RESPONSE.log()))
        {
            for (int row = 0; row < rowCount(); row++)
            {
                final Histogram histogram = times.next();
                if (null == histogram)
                {
                    return;
                }
                consumer.accept(histogram, row);
            }
        }
    }

    /**
     * Response times of the rows during something, under true, and of the others; throws as {@link #table} does.
     *
     * @param count    of rows from the first.
     * @param isDuring of a row of the window; rows before and after it have late messages of the nearest in it.
     */
    Map<Boolean, Times> responseTimes(final int count, final IntPredicate isDuring)
    {
        final Map<Boolean, Histogram> sums = Map.of(true, TimeRecorder.newHistogram(), false, TimeRecorder.newHistogram());
        forEachRow((times, row) ->
        {
            if (row < count)
            {
                sums.get(isDuring.test(inWindow(row))).add(times);
            }
        });
        return Map.of(true, Times.of(sums.get(true)), false, Times.of(sums.get(false)));
    }
}
