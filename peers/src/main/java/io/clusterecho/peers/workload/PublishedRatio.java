package io.clusterecho.peers.workload;

import java.util.OptionalDouble;

import io.clusterecho.reporting.published.PublishedFigures;

/**
 * How systems compare with one another in public reports, of which only ratios within one report are used.
 *
 * @param figures of the reports.
 */
record PublishedRatio(PublishedFigures figures)
{
    /**
     * How the system of a cell compares with the base of its load in the published report.
     *
     * @param cell   whose system it is.
     * @param metric that is compared.
     * @return value of the system by value of the base, or nothing where the report has not both.
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
            // The reports give the time of the last price, not a rate; all sent the same number.
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
