package io.clusterecho.client.series;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ResultFolder;

/** Makes runs one after the other until the user requests the end, on the thread that began them. */
public interface Runs
{
    /**
     * Run to the end, judge and store. If this throws, nothing was measured and the folder is deleted.
     *
     * @param isPaged    whether to write the report page, which is larger than all other files together.
     * @throws NotConnectedException   if no session could be opened in time, or a signal came before the load began.
     * @throws UncheckedIOException    if the files of the run cannot be created.
     */
    MeasuredRun measure(
        RunConfig given,
        long durationNs,
        ResultFolder folder,
        Instant start,
        boolean isPaged,
        List<? extends IntervalListener> watchers);

    /** Whether the user requested the end; any thread. */
    boolean isInterrupted();

    /** Wait for something that an interrupt of this thread ends; the user's request is such an interrupt. */
    void waitFor(Runnable wait);

    /** Pause; the user's request ends the pause early. */
    void pause(long timeNs);
}
