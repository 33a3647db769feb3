package io.clusterecho.client.counters;

import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.platform.MachineColumn;

/** Samples a machine repeatedly. A row contains the change since the previous row, and levels as they are. One thread. */
final class MachineSampler
{
    private final Supplier<long[]> machine;
    private long[] before;

    /** Take the first sample of the machine's totals so far. */
    MachineSampler(final Supplier<long[]> machine)
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
        final long[] now = machine.get();
        final StringBuilder row = new StringBuilder();
        for (final MachineColumn column : MachineColumn.values())
        {
            final long value = now[column.ordinal()];
            final long origin = column.isLevel() ? 0 : before[column.ordinal()];
            final boolean isKnown = MachineColumn.UNKNOWN != value && MachineColumn.UNKNOWN != origin;
            CounterSampler.append(row, isKnown ? value - origin : DriverSample.MISSING, column.divisor());
        }
        before = now;
        return row.substring(1);
    }
}
