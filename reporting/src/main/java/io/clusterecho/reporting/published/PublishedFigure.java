package io.clusterecho.reporting.published;

/**
 * One row of {@code published.csv}; a field is empty if the report does not state it.
 *
 * @param source        key of the report.
 * @param system        measured, in the words of the file.
 * @param test          in the report.
 * @param setup         in the report.
 * @param lengthBytes   of the messages.
 * @param ratePerSecond of an open loop.
 * @param metric        of the value.
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
    /**
     * What it measures, in terms that our results use too.
     */
    public Experiment experiment()
    {
        return PublishedExperiments.of(this);
    }
}
