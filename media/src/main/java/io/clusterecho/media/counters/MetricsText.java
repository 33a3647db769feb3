package io.clusterecho.media.counters;

import java.util.Locale;

import io.clusterecho.platform.ProcessUse;

import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of a member in the text format that Prometheus reads: {@code cluster_echo_<column>}, with {@code _total} behind
 * what only grows, and the member's id as a label. One thread.
 */
final class MetricsText
{
    private static final CounterColumn[] COLUMNS = CounterColumn.values();

    private final int memberId;
    private final CountersReader counters;
    private final DriverSample driverSample = new DriverSample();
    private final long[] values = DriverSample.newValues();

    MetricsText(final int memberId, final CountersReader counters)
    {
        this.memberId = memberId;
        this.counters = counters;
    }

    /**
     * What is so now.
     *
     * @return a type line and a value for each column that there is.
     */
    String text()
    {
        driverSample.take(counters, values);
        final ProcessUse use = ProcessUse.of(ProcessHandle.current().pid());
        put(CounterColumn.CPU_MS, use.cpuMs());
        put(CounterColumn.RUN_DELAY_MS, use.runDelayNs());
        put(CounterColumn.MAJOR_FAULTS, use.majorFaults());
        put(CounterColumn.MEMORY_MIB, use.memoryKib());
        put(CounterColumn.SHARED_MIB, use.sharedKib());
        put(CounterColumn.OPEN_FILES, use.openFiles());

        final StringBuilder text = new StringBuilder(4096);
        for (final CounterColumn column : COLUMNS)
        {
            final long value = values[column.ordinal()];
            if (DriverSample.MISSING == value)
            {
                continue;
            }
            final boolean isSum = CounterColumn.Kind.SUM == column.kind();
            final String name = "cluster_echo_" + column.label() + (isSum ? "_total" : "");
            text.append("# TYPE ").append(name).append(isSum ? " counter\n" : " gauge\n");
            text.append(name).append("{member=\"").append(memberId).append("\"} ");
            text.append(1 == column.divisor() ? String.valueOf(value) :
                String.format(Locale.ROOT, "%.3f", value / column.divisor()));
            text.append('\n');
        }

        return text.toString();
    }

    private void put(final CounterColumn column, final long value)
    {
        values[column.ordinal()] = ProcessUse.UNKNOWN == value ? DriverSample.MISSING : value;
    }
}
