package io.clusterecho.reporting.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * The intervals of a stored run with the counters of processes and machine, read once. Messages are measured in the rows of the
 * window, in the last row of a warm-up that ended late, and in rows after the schedule, with the last replies.
 */
public final class IntervalTable
{
    private static final String MEASURE = "measure";
    private static final Set<String> WITH_MEASURED = Set.of(MEASURE, "drain", "done");
    private static final String BEGIN = "begin_s";
    private static final String PROCESS = "process";
    private static final double NS_PER_S = 1e9;

    private final Path folder;
    private final CsvTable intervals;
    private final String failure;
    private final int first;
    private final int last;
    private CsvTable counters;
    private CsvTable machine;
    private Map<String, Integer> counterRows;

    /** A table that is not of a folder. */
    public IntervalTable(final CsvTable intervals, final CsvTable counters, final CsvTable machine)
    {
        this(null, intervals, counters, machine, null);
    }

    private IntervalTable(
        final Path folder, final CsvTable intervals, final CsvTable counters, final CsvTable machine, final String failure)
    {
        this.folder = folder;
        this.intervals = intervals;
        this.counters = counters;
        this.machine = machine;
        this.failure = failure;
        final int[] window = rows(Set.of(MEASURE));
        first = 0 == window.length ? 0 : window[0];
        last = 0 == window.length ? rowCount() - 1 : window[window.length - 1];
    }

    /** The table of a run, which may be unreadable. */
    public static IntervalTable in(final Path folder)
    {
        try
        {
            return new IntervalTable(folder, CsvTable.read(folder.resolve(FileNames.INTERVALS)), null, null, null);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            return new IntervalTable(folder, new CsvTable(List.of()), null, null, String.valueOf(ex.getMessage()));
        }
    }

    /**
     * Examine it.
     *
     * @param otherwise receives the reason if a file cannot be read.
     */
    public <T> T examine(final Function<IntervalTable, T> examiner, final Function<String, T> otherwise)
    {
        try
        {
            return null == failure ? examiner.apply(this) : otherwise.apply(failure);
        }
        catch (final IllegalArgumentException ex)
        {
            return otherwise.apply(ex.getMessage());
        }
    }

    /** Examine it; null if it shows nothing, or a file cannot be read. */
    public <T> T orNull(final Function<IntervalTable, T> examiner)
    {
        return examine(examiner, (why) -> null);
    }

    public CsvTable intervals()
    {
        return intervals;
    }

    /** Rows of processes; without rows in folders that lack the file. */
    public CsvTable counters()
    {
        counters = null == counters ? table(FileNames.COUNTERS) : counters;
        return counters;
    }

    /** Rows of the machine, as those of {@link #counters()}. */
    public CsvTable machine()
    {
        machine = null == machine ? table(FileNames.MACHINE) : machine;
        return machine;
    }

    /** Processes of which there are counters. */
    public List<String> processes()
    {
        return IntStream.range(0, counters().rowCount()).mapToObj((row) -> counters.text(row, PROCESS)).distinct().toList();
    }

    /** A counter of a process in a row of the intervals; NaN if it is not known. */
    public double counter(final String process, final int row, final String column)
    {
        final Integer counterRow = counterRow(process, row);
        return null == counterRow ? Double.NaN : counters.number(counterRow, column);
    }

    /** The same as text; null if the process is not in the row. */
    public String counterText(final String process, final int row, final String column)
    {
        final Integer counterRow = counterRow(process, row);
        return null == counterRow ? null : counters.text(counterRow, column);
    }

    private Integer counterRow(final String process, final int row)
    {
        if (null == counterRows)
        {
            counterRows = new HashMap<>();
            for (int i = 0; i < counters().rowCount(); i++)
            {
                counterRows.put(counters.text(i, BEGIN) + " " + counters.text(i, PROCESS), i);
            }
        }
        return counterRows.get(intervals.text(row, BEGIN) + " " + process);
    }

    int rowCount()
    {
        return intervals.rowCount();
    }

    double beginNs(final int row)
    {
        return intervals.number(row, BEGIN) * NS_PER_S;
    }

    double endNs(final int row)
    {
        return intervals.number(row, "end_s") * NS_PER_S;
    }

    /** Rows of the window and after it. */
    public int[] measuredRows()
    {
        return rows(WITH_MEASURED);
    }

    /** Whether a row lies in the window, which is all of a run without one. */
    boolean isInWindow(final int row)
    {
        return first <= row && row <= last;
    }

    private int[] rows(final Set<String> phases)
    {
        return IntStream.range(0, rowCount()).filter((row) -> phases.contains(intervals.text(row, "phase"))).toArray();
    }

    boolean has(final String fileName)
    {
        return Files.exists(folder.resolve(fileName));
    }

    /**
     * Another table of the run.
     *
     * @throws IllegalArgumentException if it cannot be read.
     */
    CsvTable table(final String fileName)
    {
        return new CsvTable(lines(fileName));
    }

    /** The lines of a file, none if it does not exist; throws as {@link #table(String)} does. */
    List<String> lines(final String fileName)
    {
        try
        {
            return has(fileName) ? Files.readAllLines(folder.resolve(fileName)) : List.of();
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException(ex.getMessage(), ex);
        }
    }

    /** The histograms of the intervals; throws as {@link #table(String)} does. */
    HistogramLog log(final String fileName)
    {
        return new HistogramLog(folder.resolve(fileName));
    }

    /** Read the response times row by row, up to the last that was stored; throws as {@link #table(String)} does. */
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
     * Response times of the rows during something, under true, and of the others; throws as {@link #table(String)} does.
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
                sums.get(isDuring.test(Math.max(first, Math.min(row, last)))).add(times);
            }
        });
        return Map.of(true, Times.of(sums.get(true)), false, Times.of(sums.get(false)));
    }
}
