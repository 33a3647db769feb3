package io.clusterecho.client.counters;

import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;

/** Samples a machine repeatedly. A row contains the change since the previous row, and levels as they are. One thread. */
final class MachineSampler
{
    private final Supplier<MachineUse> machine;
    private MachineUse before;

    /** Take the first sample of the machine's totals so far. */
    MachineSampler(final Supplier<MachineUse> machine)
    {
        this.machine = machine;
        before = machine.get();
    }

    /** Names of the columns, each preceded by a comma. */
    static String header()
    {
        return Stream.of(MachineColumn.values()).map((column) -> "," + column.label()).collect(Collectors.joining());
    }

    /** Change since the previous sample; empty fields if either sample is missing. */
    String row()
    {
        final MachineUse use = machine.get();
        final StringBuilder row = new StringBuilder();
        for (final MachineColumn column : MachineColumn.values())
        {
            final boolean isKnown =
                ProcessUse.UNKNOWN != column.of(use) && (column.isLevel() || ProcessUse.UNKNOWN != column.of(before));
            final long value = column.of(use) - (column.isLevel() ? 0 : column.of(before));
            CounterSampler.append(row, isKnown ? value : DriverSample.MISSING, column.divisor());
        }
        before = use;
        return row.substring(1);
    }
}
