package io.clusterecho.client.series;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;

import io.clusterecho.reporting.results.ExitCode;

/**
 * What happens on Ctrl-C (SIGINT) and on a request to terminate (SIGTERM): the first asks the run to end and keep what it
 * has, a second one ends the process at once.
 * <p>
 * The JVM's own shutdown hooks cannot tell a second signal, hence {@code sun.misc.Signal}, which the JDK supports for
 * outside use but whose direct mention the compiler warns about; so it is reached by reflection.
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
     * Take both signals from now on.
     *
     * @param action to run on the first of them, on a thread of the JVM's.
     * @return which says whether one came.
     */
    public static Interruption install(final Runnable action)
    {
        return install(action, () -> { });
    }

    /**
     * Take both signals from now on.
     *
     * @param action     to run on the first of them, on a thread of the JVM's.
     * @param lastResort to run on the second, before the process ends at once.
     * @return which says whether one came.
     */
    public static Interruption install(final Runnable action, final Runnable lastResort)
    {
        final Interruption interruption = new Interruption(action, lastResort);
        interruption.handle("INT");
        interruption.handle("TERM");
        return interruption;
    }

    /**
     * Take no signal: {@link #onSignal()} is called by hand.
     */
    static Interruption byHand(final Runnable action)
    {
        return new Interruption(action, () -> { });
    }

    /**
     * Whether a signal came.
     *
     * @return true from the first signal on.
     */
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
        isRequested = true;
        action.run();
    }

    private void handle(final String signalName)
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
                        onSignal();
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
            throw new IllegalStateException("cannot take the signal " + signalName, ex);
        }
    }
}
