package io.clusterecho.client.load;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;

/**
 * What takes the intervals of a run, in the order in which it was added. One thread at a time: it adds all of them before the
 * first interval, and closes them after the last.
 */
public final class IntervalListeners implements IntervalListener
{
    private final List<IntervalListener> listeners = new ArrayList<>();
    private final List<IntervalListener> owned = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** Add a listener, which is closed with these. One that fails is not called again, and its failure becomes a problem. */
    public void add(final IntervalListener listener)
    {
        listeners.add(listener);
        owned.add(listener);
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
            final IntervalListener listener = owned.get(i);
            try
            {
                listener.close();
            }
            catch (final RuntimeException ex)
            {
                problems.add(listener.getClass().getSimpleName() + " could not be closed: " + ex);
            }
            problems.addAll(listener.problems());
        }
        owned.clear();
    }
}
