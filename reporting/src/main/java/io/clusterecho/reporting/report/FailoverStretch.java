package io.clusterecho.reporting.report;

/**
 * One row of {@code timeline.csv}.
 *
 * @param beginMs    in ms after the fault, negative before it.
 * @param endMs      in ms after the fault.
 * @param due        messages that were due in it.
 * @param answered   first replies in it.
 * @param unanswered messages that were due in it and never answered.
 * @param p50Us      median response time of the messages due in it, in us; NaN if none was answered.
 * @param p99Us      their 99th percentile.
 * @param maxUs      their maximum.
 */
record FailoverStretch(
    double beginMs, double endMs, long due, long answered, long unanswered, double p50Us, double p99Us, double maxUs)
{
    double lengthMs()
    {
        return endMs - beginMs;
    }
}
