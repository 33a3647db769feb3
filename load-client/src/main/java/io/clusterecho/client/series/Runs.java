package io.clusterecho.client.series;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Runs one after the other, and the user's wish that they end, by the thread that began them.
 */
public interface Runs
{
    /**
     * Run to the end, judge and store. When this throws, nothing was measured and the folder is gone.
     *
     * @param given      configuration of the run.
     * @param durationNs of the measured window.
     * @param folder     of the result, new.
     * @param start      in the folder's name.
     * @param isPaged    whether the folder gets a page of charts, which is larger than all the rest.
     * @param watchers   that get each interval, beside the files.
     * @return what was measured.
     * @throws NotConnectedException   if no session is there in time, or a signal came before the load began.
     * @throws InvalidSettingException if the target does not take such a run.
     * @throws UncheckedIOException    if the files of the run cannot be begun.
     */
    MeasuredRun measure(
        RunConfig given,
        long durationNs,
        ResultFolder folder,
        Instant start,
        boolean isPaged,
        List<? extends IntervalListener> watchers);

    /**
     * Whether the user wants an end; any thread.
     */
    boolean isInterrupted();

    /**
     * Wait for something that an interrupt of this thread ends; the user's wish is such an interrupt.
     */
    void waitFor(Runnable wait);

    /**
     * Let time pass, less of it when the user wants an end.
     */
    void pause(long timeNs);
}
