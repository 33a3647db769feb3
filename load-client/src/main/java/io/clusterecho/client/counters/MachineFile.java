package io.clusterecho.client.counters;

import java.io.PrintStream;
import java.util.function.Supplier;

import io.clusterecho.node.counters.DriverSample;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;

/**
 * Writes what one machine did in each interval. One thread.
 */
final class MachineFile implements AutoCloseable
{
    private final PrintStream file;
    private final Supplier<MachineUse> machine;
    private MachineUse before;

    /**
     * Write the head, and take the first sample.
     *
     * @param file    open, to be closed with this.
     * @param machine asked for what it has done so far.
     */
    MachineFile(final PrintStream file, final Supplier<MachineUse> machine)
    {
        this.file = file;
        this.machine = machine;
        final StringBuilder header = new StringBuilder("begin_s,end_s");
        for (final MachineColumn column : MachineColumn.values())
        {
            header.append(',').append(column.label());
        }
        file.println(header);
        before = machine.get();
    }

    /**
     * Write a row.
     *
     * @param times the first two fields.
     */
    void add(final String times)
    {
        final MachineUse use = machine.get();
        final StringBuilder row = new StringBuilder(times);
        for (final MachineColumn column : MachineColumn.values())
        {
            final boolean isKnown =
                ProcessUse.UNKNOWN != column.of(use) && ProcessUse.UNKNOWN != column.of(before);
            CounterFiles.append(row, isKnown ? column.of(use) - column.of(before) : DriverSample.MISSING, 1);
        }
        before = use;
        file.println(row);
        file.flush();
    }

    @Override
    public void close()
    {
        file.close();
    }
}
