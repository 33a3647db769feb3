package io.clusterecho.client.run;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.reporting.results.ExitCode;

/**
 * A request to end a command and keep its results: Ctrl-C (SIGINT), a request to terminate (SIGTERM) or the end of the terminal
 * (SIGHUP). It ends only what can be ended at that moment - a wait of the thread that created this, or the work registered last -
 * and never interrupts anything else, so that no file is closed while it is written. A second SIGINT or SIGTERM ends the process
 * at once and leaves nothing in shared memory. A terminal that closes may send several SIGHUP; where it is ignored, as under
 * {@code nohup}, it remains so.
 * <p>
 * The JVM's shutdown hooks cannot detect a second signal, so this uses {@code sun.misc.Signal}. The JDK supports it for
 * external use but the compiler warns about direct references, so it is called by reflection.
 */
public final class EndRequest
{
    private final Thread owner;
    private final Runnable lastResort;
    private Runnable work;
    private boolean isWaiting;
    private volatile boolean isRequested;

    private EndRequest(final Thread owner, final Runnable lastResort)
    {
        this.owner = owner;
        this.lastResort = lastResort;
    }

    /** Without signals: {@link #request()} is called. The owner is the thread whose waits it ends. */
    public static EndRequest byHand(final Thread owner)
    {
        return new EndRequest(owner, () -> { });
    }

    /** Handle signals from now on; the last resort is called on the second before the process ends, and must not block. */
    public static EndRequest onSignals(final Runnable lastResort)
    {
        final EndRequest endRequest = new EndRequest(Thread.currentThread(), lastResort);
        handle("INT", endRequest::onSignal);
        handle("TERM", endRequest::onSignal);
        handle("HUP", endRequest::request);
        return endRequest;
    }

    /** Whether the request was made; any thread. */
    public boolean isRequested()
    {
        return isRequested;
    }

    /**
     * Register what a request ends from now on, until something else is registered; null for nothing. If the request was
     * already made, it ends it at once.
     */
    public synchronized void ends(final Runnable newWork)
    {
        work = newWork;
        if (null != work && isRequested)
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
            if (isRequested)
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

    /** A wait without a result. */
    @FunctionalInterface
    public interface Wait
    {
        /** Return when it is over; the thread remains interrupted after the exception. */
        void run() throws InterruptedException;
    }

    /** Wait for something without a result. */
    public void waitFor(final Wait wait)
    {
        waitFor(() ->
        {
            try
            {
                wait.run();
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
            return null;
        });
    }

    /** Pause; a request ends the pause early. */
    public void pause(final long timeNs)
    {
        waitFor(() -> TimeUnit.NANOSECONDS.sleep(timeNs));
    }

    private synchronized void isWaiting(final boolean isNowWaiting)
    {
        isWaiting = isNowWaiting;
        // An interrupt would close files that are being written on this thread.
        Thread.interrupted();
        if (isNowWaiting && isRequested)
        {
            owner.interrupt();
        }
    }

    private void onSignal()
    {
        if (isRequested)
        {
            try
            {
                lastResort.run();
                DriverFolder.deleteOwn();
            }
            finally
            {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
            }
        }
        request();
    }

    /** Acts like the first signal; further calls have no effect. Any thread. */
    public void request()
    {
        if (!isRequested)
        {
            isRequested = true;
            endWork();
        }
    }

    private synchronized void endWork()
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

    private static void handle(final String signalName, final Runnable handling)
    {
        try
        {
            final Class<?> signalType = Class.forName("sun.misc.Signal");
            final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            final Object handler = Proxy.newProxyInstance(
                handlerType.getClassLoader(), new Class<?>[]{ handlerType }, (proxy, method, signals) ->
                {
                    handling.run();
                    return null;
                });
            signalType.getMethod("handle", signalType, handlerType)
                .invoke(null, signalType.getConstructor(String.class).newInstance(signalName), handler);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("cannot handle the signal " + signalName, ex);
        }
    }
}
