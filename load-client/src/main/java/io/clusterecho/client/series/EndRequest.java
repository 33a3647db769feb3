package io.clusterecho.client.series;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.aeron.DriverFolder;

/**
 * A request by Ctrl-C or SIGTERM to end a command and keep its results. It ends only what can be ended at that moment - a wait
 * of the thread that created this, or the work registered last - and never interrupts anything else, so that no file is closed
 * while it is written. A second signal ends the process at once and leaves nothing in shared memory.
 */
public final class EndRequest
{
    private final Thread owner = Thread.currentThread();
    private final Interruption interruption;
    private Runnable work;
    private boolean isWaiting;

    private EndRequest(final Function<Runnable, Interruption> source)
    {
        interruption = source.apply(this::onRequest);
    }

    /** Without signals: tests call {@link #request()}. */
    static EndRequest byHand()
    {
        return new EndRequest(Interruption::byHand);
    }

    /** Acts like the first signal. */
    void request()
    {
        interruption.onSignal();
    }

    /** Handle signals from now on. */
    public static EndRequest onSignals()
    {
        return onSignals(() -> { });
    }

    /**
     * Handle signals from now on.
     *
     * @param lastResort called on the second signal before the process ends at once; must not block.
     */
    public static EndRequest onSignals(final Runnable lastResort)
    {
        return new EndRequest((action) -> Interruption.install(action, () ->
        {
            lastResort.run();
            DriverFolder.deleteOwn();
        }));
    }

    /** Whether the request was made; any thread. */
    public boolean isRequested()
    {
        return interruption.isRequested();
    }

    /**
     * Register what a request ends from now on, until something else is registered; null for nothing. If the request was
     * already made, it ends it at once.
     */
    public synchronized void ends(final Runnable newWork)
    {
        work = newWork;
        if (null != work && isRequested())
        {
            work.run();
        }
    }

    /**
     * Wait for something that an interrupt of this thread ends; a request interrupts it, even one made before.
     *
     * @param wait by the thread that made this.
     * @throws NotConnectedException if the wait fails after a request, whatever the failure: an interrupt closes any channel
     *                               that the thread works with, such as a lock or a file of a media driver.
     */
    public <T> T waitFor(final Supplier<T> wait)
    {
        isWaiting(true);
        try
        {
            return wait.get();
        }
        catch (final Exception ex)
        {
            if (isRequested())
            {
                throw new NotConnectedException("interrupted", ex);
            }
            throw ex;
        }
        finally
        {
            isWaiting(false);
        }
    }

    /** Wait for something without a result. */
    public void waitFor(final Runnable wait)
    {
        waitFor(() ->
        {
            wait.run();
            return null;
        });
    }

    /** Pause; a request ends the pause early. */
    public void pause(final long timeNs)
    {
        waitFor(() ->
        {
            try
            {
                TimeUnit.NANOSECONDS.sleep(timeNs);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        });
    }

    private synchronized void isWaiting(final boolean isNowWaiting)
    {
        isWaiting = isNowWaiting;
        // An interrupt would close files that are being written on this thread.
        Thread.interrupted();
        if (isNowWaiting && isRequested())
        {
            owner.interrupt();
        }
    }

    private synchronized void onRequest()
    {
        if (null != work)
        {
            work.run();
        }
        else if (isWaiting)
        {
            owner.interrupt();
        }
    }
}
