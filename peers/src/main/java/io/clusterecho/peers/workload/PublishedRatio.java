package io.clusterecho.peers.workload;

import java.util.OptionalDouble;

import io.clusterecho.reporting.published.PublishedFigures;

/**
 * Ratios between systems in public reports. Only figures of the same report are compared.
 *
 * @param figures of the reports.
 */
record PublishedRatio(PublishedFigures figures)
{
    /**
     * Ratio of a cell's system to the base system of its workload in the published report.
     *
     * @param cell   of the system.
     * @param metric to compare.
     * @return the system's value divided by that of the base, or empty if the report does not have both.
     */
    OptionalDouble of(final WorkloadCell cell, final Workload.Metric metric)
    {
        final OptionalDouble own = value(cell, cell.system(), metric);
        final OptionalDouble base = value(cell, cell.workload().base(), metric);
        return own.isEmpty() || base.isEmpty() ? OptionalDouble.empty() :
            OptionalDouble.of(own.getAsDouble() / base.getAsDouble());
    }

    private OptionalDouble value(final WorkloadCell cell, final String system, final Workload.Metric metric)
    {
        final String theirs = cell.workload().published().systems().get(system);
        if (null == theirs)
        {
            return OptionalDouble.empty();
        }
        if (Workload.PRICE_STREAM == cell.workload() && Workload.Metric.RATE == metric)
        {
            // The reports contain the time of the last price instead of a rate; all systems sent the same number.
            final OptionalDouble time = find(cell, theirs, "max");
            return time.isEmpty() ? time : OptionalDouble.of(1 / time.getAsDouble());
        }

        return find(cell, theirs, metric.publishedName());
    }

    private OptionalDouble find(final WorkloadCell cell, final String system, final String metric)
    {
        final Workload.Published published = cell.workload().published();
        final String suffix = switch (cell.workload())
        {
            case CONCURRENCY_SWEEP, MEMORY -> " " + cell.setup();
            default -> "";
        };
        return figures.value(
            published.source(), system, published.test(), (setup) -> setup.endsWith(suffix), cell.payload(), metric);
    }
}
