package io.clusterecho.client.counters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.node.counters.CounterColumn;

/**
 * Writes what members, client and machine counted in each interval of a run, as it ends: {@code counters.csv} with a row for
 * each process, and {@code machine.csv}. The rows are those of {@code intervals.csv}. Everything is read from the side, on the
 * thread that watches the run: where there is a core for it, neither the load's thread nor the members notice.
 */
public final class CounterFiles implements IntervalListener, AutoCloseable
{
    /**
     * Name of the file about processes.
     */
    public static final String COUNTERS = "counters.csv";

    /**
     * Name of the file about the machine.
     */
    public static final String MACHINE = "machine.csv";

    /**
     * Name of the client's process in the file, with a dash and its number behind it where there are several; members are
     * {@code member-0} and so on. A media driver that is a process of its own has that name with {@code -driver} behind it.
     */
    public static final String CLIENT = "client";

    private final CounterSource source;
    private final PrintStream counters;
    private final PrintStream machine;

    /**
     * Open the files.
     *
     * @param folder of the run.
     * @param source of the rows, closed with the files.
     */
    public CounterFiles(final ResultFolder folder, final CounterSource source)
    {
        this.source = source;
        try
        {
            counters = new PrintStream(folder.path().resolve(COUNTERS).toFile(), StandardCharsets.UTF_8);
            machine = new PrintStream(folder.path().resolve(MACHINE).toFile(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write to " + folder.path(), ex);
        }

        final StringBuilder header = new StringBuilder("begin_s,end_s,process,pid");
        for (final CounterColumn column : CounterColumn.values())
        {
            header.append(',').append(column.label());
        }
        counters.println(header);
        machine.println("begin_s,end_s" + MachineSampler.header());
    }

    /**
     * Whether a process is a load client itself.
     *
     * @param process name in the file.
     * @return false for a member, and for a media driver that is a process of its own.
     */
    public static boolean isClient(final String process)
    {
        return process.matches(CLIENT + "(-[0-9]+)?");
    }

    @Override
    public void onInterval(final LoadInterval interval)
    {
        final String times = String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        source.processRows().forEach((row) -> counters.println(times + row));
        counters.flush();
        final String row = source.machineRow();
        if (null != row)
        {
            machine.println(times + row);
            machine.flush();
        }
    }

    @Override
    public void close()
    {
        source.close();
        counters.close();
        machine.close();
    }
}
