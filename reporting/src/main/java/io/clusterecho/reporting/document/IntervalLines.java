package io.clusterecho.reporting.document;

import java.io.PrintStream;

import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;

/** Prints each interval of a run as one line of JSON when it ends. */
public final class IntervalLines implements IntervalListener
{
    private final PrintStream out;

    /** @param out flushed after each line. */
    public IntervalLines(final PrintStream out)
    {
        this.out = out;
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        out.print(Documents.line(IntervalDocument.of(interval)));
        out.flush();
    }
}
