package io.clusterecho.client.series;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.clusterecho.client.transport.aeron.DriverFolder;

/**
 * The user's wish that a command end and keep what it has: Ctrl-C or SIGTERM. It ends what can be ended at that moment - a
 * wait of the thread that made this, or the work that was named last - and never interrupts anything else, so that no file is
 * closed while it is written. A second signal ends the process at once, and leaves nothing in shared memory.
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

    /**
     * Take no signal: {@link #request()} is called by hand.
     */
    static EndRequest byHand()
    {
        return new EndRequest(Interruption::byHand);
    }

    /**
     * As the first signal.
     */
    void request()
    {
        interruption.onSignal();
    }

    /**
     * Take the signals from now on.
     */
    public static EndRequest onSignals()
    {
        return onSignals(() -> { });
    }

    /**
     * Take the signals from now on.
     *
     * @param lastResort done on the second signal before the process ends at once; must not wait for long.
     */
    public static EndRequest onSignals(final Runnable lastResort)
    {
        return new EndRequest((action) -> Interruption.install(action, () ->
        {
            lastResort.run();
            DriverFolder.deleteOwn();
        }));
    }

    /**
     * Whether it came; any thread.
     */
    public boolean isRequested()
    {
        return interruption.isRequested();
    }

    /**
     * Name what a request ends from now on, until another is named; null for nothing. A request that came before ends it at
     * once.
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
     * Wait for something that an interrupt of this thread ends; a request is such an interrupt, also one that came before.
     *
     * @param wait by the thread that made this.
     * @param <T>  of its result.
     */
    public <T> T waitFor(final Supplier<T> wait)
    {
        isWaiting(true);
        try
        {
            return wait.get();
        }
        finally
        {
            isWaiting(false);
        }
    }

    /**
     * The same for something without a result.
     */
    public void waitFor(final Runnable wait)
    {
        waitFor(() ->
        {
            wait.run();
            return null;
        });
    }

    /**
     * Let time pass, less of it when a request comes.
     */
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
        // Files that are written on an interrupted thread are closed by it.
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
