package io.clusterecho.reporting.report;

import java.util.List;

import io.clusterecho.reporting.results.CsvTable;

/**
 * One row of {@code timeline.csv}.
 *
 * @param beginMs    in ms after the fault, negative before it.
 * @param endMs      in ms after the fault.
 * @param due        messages that were due in it.
 * @param answered   first replies in it.
 * @param unanswered messages that were due in it and never answered.
 * @param p50Us      median response time of the messages due in it, in us; NaN if none was answered.
 */
record FailoverStretch(
    double beginMs, double endMs, long due, long answered, long unanswered, double p50Us, double p99Us, double maxUs)
{
    static final List<String> COLUMNS = List.of(
        "cycle", "begin_ms", "end_ms", "due", "answered", "unanswered", "response_p50_us", "response_p99_us",
        "response_max_us");

    static FailoverStretch of(final CsvTable table, final int row)
    {
        return new FailoverStretch(
            table.given(row, "begin_ms"), table.given(row, "end_ms"), table.count(row, "due"), table.count(row, "answered"),
            table.count(row, "unanswered"), table.number(row, "response_p50_us"), table.number(row, "response_p99_us"),
            table.number(row, "response_max_us"));
    }

    double lengthMs()
    {
        return endMs - beginMs;
    }
}
