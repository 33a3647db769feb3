package io.clusterecho.client.series;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;

import io.clusterecho.reporting.results.ExitCode;

/**
 * Handles Ctrl-C (SIGINT), a request to terminate (SIGTERM) and the end of the terminal (SIGHUP): the first signal asks the run
 * to end and keep its results, a second SIGINT or SIGTERM ends the process at once. A terminal that closes may send several
 * SIGHUP; where it is ignored, as under {@code nohup}, it remains so.
 * <p>
 * The JVM's shutdown hooks cannot detect a second signal, so this uses {@code sun.misc.Signal}. The JDK supports it for
 * external use but the compiler warns about direct references, so it is called by reflection.
 */
public final class Interruption
{
    private final Runnable action;
    private final Runnable lastResort;
    private volatile boolean isRequested;

    private Interruption(final Runnable action, final Runnable lastResort)
    {
        this.action = action;
        this.lastResort = lastResort;
    }

    /**
     * Handle the signals from now on.
     *
     * @param action run on the first signal, on a thread of the JVM.
     */
    public static Interruption install(final Runnable action)
    {
        return install(action, () -> { });
    }

    /**
     * Handle the signals from now on.
     *
     * @param action     run on the first signal, on a thread of the JVM.
     * @param lastResort run on the second signal, before the process ends at once.
     */
    public static Interruption install(final Runnable action, final Runnable lastResort)
    {
        final Interruption interruption = new Interruption(action, lastResort);
        interruption.handle("INT", interruption::onSignal);
        interruption.handle("TERM", interruption::onSignal);
        interruption.handle("HUP", interruption::request);
        return interruption;
    }

    /** Without signals: tests call {@link #onSignal()}. */
    static Interruption byHand(final Runnable action)
    {
        return new Interruption(action, () -> { });
    }

    /** Whether a signal was received. */
    public boolean isRequested()
    {
        return isRequested;
    }

    void onSignal()
    {
        if (isRequested)
        {
            try
            {
                lastResort.run();
            }
            finally
            {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
            }
        }
        request();
    }

    private void request()
    {
        if (!isRequested)
        {
            isRequested = true;
            action.run();
        }
    }

    private void handle(final String signalName, final Runnable handling)
    {
        try
        {
            final Class<?> signalType = Class.forName("sun.misc.Signal");
            final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            final Object handler = Proxy.newProxyInstance(
                Interruption.class.getClassLoader(), new Class<?>[]{ handlerType },
                (proxy, method, arguments) ->
                {
                    if ("handle".equals(method.getName()))
                    {
                        handling.run();
                        return null;
                    }
                    return "hashCode".equals(method.getName()) ? (Object)System.identityHashCode(proxy) :
                        "equals".equals(method.getName()) ? (Object)(proxy == arguments[0]) : signalName;
                });
            final Object signal = signalType.getConstructor(String.class).newInstance(signalName);
            MethodHandles.publicLookup().unreflect(signalType.getMethod("handle", signalType, handlerType))
                .invoke(signal, handler);
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException("cannot handle the signal " + signalName, ex);
        }
    }
}
