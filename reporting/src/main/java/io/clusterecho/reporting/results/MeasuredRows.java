package io.clusterecho.reporting.results;

/**
 * The rows of {@code intervals.csv} that lie in the measured window. Those around them contain a few measured messages: the
 * first ones, where the last interval of the warm-up ended late, and those answered after the schedule.
 *
 * @param first of these rows; 0 if there are none.
 * @param last  of these rows, or the last of all if there are none.
 */
record MeasuredRows(int first, int last)
{
    static MeasuredRows of(final CsvTable intervals)
    {
        int first = -1;
        int last = intervals.rowCount() - 1;
        for (int row = 0; row < intervals.rowCount(); row++)
        {
            if ("measure".equals(intervals.text(row, "phase")))
            {
                first = first < 0 ? row : first;
                last = row;
            }
        }
        return new MeasuredRows(Math.max(0, first), last);
    }

    boolean contains(final int row)
    {
        return first <= row && row <= last;
    }

    /** The measured row that is the row or the nearest to it. */
    int nearest(final int row)
    {
        return Math.max(first, Math.min(row, last));
    }
}
