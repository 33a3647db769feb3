package io.clusterecho.client.load;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.evidence.Evidence;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;

/**
 * What takes the intervals of a run, in the order in which it was added. One thread at a time: it adds all of them before the
 * first interval, and closes them after the last.
 */
public final class IntervalListeners implements IntervalListener, Evidence, AutoCloseable
{
    private final List<IntervalListener> listeners = new ArrayList<>();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Add a listener. One that fails is not called again, and its failure becomes a problem.
     *
     * @param listener closed with these if it is {@link AutoCloseable}, then asked for its problems if it is {@link Evidence}.
     */
    public void add(final IntervalListener listener)
    {
        listeners.add(listener);
        if (listener instanceof AutoCloseable closeable)
        {
            own(closeable);
        }
    }

    /** Close something with the listeners that takes no intervals. */
    void own(final AutoCloseable closeable)
    {
        owned.add(closeable);
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        for (final Iterator<IntervalListener> left = listeners.iterator(); left.hasNext();)
        {
            // On few cores the agent would otherwise wait until all of them are done.
            Thread.yield();
            final IntervalListener listener = left.next();
            try
            {
                listener.onInterval(interval);
            }
            catch (final RuntimeException | Error ex)
            {
                left.remove();
                problems.add(String.format(
                    Locale.ROOT, "%s failed %.1f s after the start and was not called again: %s",
                    listener.getClass().getSimpleName(), interval.endNs() / 1e9, ex));
            }
        }
    }

    @Override
    public List<String> problems()
    {
        return problems;
    }

    /** Close what was added, the last one first; what fails becomes a problem. Idempotent. */
    @Override
    public void close()
    {
        for (int i = owned.size() - 1; i >= 0; i--)
        {
            final AutoCloseable closeable = owned.get(i);
            try
            {
                closeable.close();
            }
            catch (final Exception ex)
            {
                problems.add(closeable.getClass().getSimpleName() + " could not be closed: " + ex);
            }
            if (closeable instanceof Evidence evidence)
            {
                problems.addAll(evidence.problems());
            }
        }
        owned.clear();
    }
}
