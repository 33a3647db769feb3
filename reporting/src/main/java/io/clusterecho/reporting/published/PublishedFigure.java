package io.clusterecho.reporting.published;

/**
 * One row of {@code published.csv}; a field is empty if the report does not state it.
 *
 * @param value         in the unit of the report.
 */
public record PublishedFigure(
    String source,
    String system,
    String test,
    String setup,
    String lengthBytes,
    String ratePerSecond,
    String metric,
    double value)
{
    /** What it measures, in terms that our results use too. */
    public Experiment experiment()
    {
        return PublishedExperiments.of(this);
    }
}
