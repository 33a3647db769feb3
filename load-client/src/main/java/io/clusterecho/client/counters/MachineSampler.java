package io.clusterecho.client.counters;

import java.util.function.Supplier;

import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;

/**
 * Samples one machine again and again. A row tells what it did since the row before. One thread.
 */
final class MachineSampler
{
    private final Supplier<MachineUse> machine;
    private MachineUse before;

    /**
     * Take the first sample.
     *
     * @param machine asked for what it has done so far.
     */
    MachineSampler(final Supplier<MachineUse> machine)
    {
        this.machine = machine;
        before = machine.get();
    }

    /**
     * Names of the columns, separated by commas, each with a comma before it.
     */
    static String header()
    {
        final StringBuilder header = new StringBuilder();
        for (final MachineColumn column : MachineColumn.values())
        {
            header.append(',').append(column.label());
        }

        return header.toString();
    }

    /**
     * What it did since the sample before; empty fields where either is not known.
     */
    String row()
    {
        final MachineUse use = machine.get();
        final StringBuilder row = new StringBuilder();
        for (final MachineColumn column : MachineColumn.values())
        {
            final boolean isKnown =
                ProcessUse.UNKNOWN != column.of(use) && ProcessUse.UNKNOWN != column.of(before);
            CounterSampler.append(row, isKnown ? column.of(use) - column.of(before) : DriverSample.MISSING, 1);
        }
        before = use;
        return row.substring(1);
    }
}
