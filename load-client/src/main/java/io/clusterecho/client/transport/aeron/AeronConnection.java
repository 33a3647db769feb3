package io.clusterecho.client.transport.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.node.fault.LinkFilter;
import io.clusterecho.node.placement.Distances;
import io.clusterecho.platform.SocketBuffers;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * An Aeron client and the media driver that it works with: one embedded in this process, or one that runs already. An embedded
 * driver with {@link ThreadingMode#INVOKER} is carried by the thread that calls {@link #drive()}, as is the client's
 * conductor; with any other mode both have threads of their own. The conductor of a client of another driver is always
 * carried by that thread.
 */
public final class AeronConnection implements AutoCloseable
{
    private final MediaDriver driver;
    private final Aeron aeron;
    private final AgentInvoker driverInvoker;
    private final AgentInvoker conductorInvoker;

    private AeronConnection(final MediaDriver driver, final String aeronDirectoryName, final boolean isConductorInvoked,
        final ErrorHandler errorHandler)
    {
        this.driver = driver;
        driverInvoker = null == driver ? null : driver.sharedAgentInvoker();
        try
        {
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(aeronDirectoryName)
                .errorHandler(errorHandler)
                .subscriberErrorHandler(errorHandler)
                .useConductorAgentInvoker(isConductorInvoked)
                .driverAgentInvoker(driverInvoker));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(driver);
            throw ex;
        }
        conductorInvoker = aeron.conductorAgentInvoker();
    }

    /**
     * Launch a driver in a folder of its own.
     *
     * @param threadingMode of the driver.
     * @param mtuLength     in bytes of its channels.
     * @param termLength    in bytes of its publications, unless a channel says otherwise.
     * @param distances     of others, to emulate, or null if nobody is far away.
     * @param errorHandler  told what goes wrong behind the scenes; called on any thread.
     * @return the connection.
     */
    public static AeronConnection embed(
        final ThreadingMode threadingMode,
        final int mtuLength,
        final int termLength,
        final Distances distances,
        final ErrorHandler errorHandler)
    {
        final MediaDriver.Context ctx = context(DriverFolder.claim(), threadingMode, mtuLength, termLength, errorHandler);
        if (null != distances)
        {
            new LinkFilter(null, distances).install(ctx);
        }

        return launch(ctx);
    }

    /**
     * Launch a driver in a given folder, which is deleted first: the caller knows that no driver works there.
     *
     * @param aeronDirectoryName of the driver.
     * @param threadingMode      of the driver.
     * @param mtuLength          in bytes of its channels.
     * @param termLength         in bytes of its publications, unless a channel says otherwise.
     * @param errorHandler       told what goes wrong behind the scenes; called on any thread.
     * @return the connection.
     */
    public static AeronConnection embed(
        final String aeronDirectoryName,
        final ThreadingMode threadingMode,
        final int mtuLength,
        final int termLength,
        final ErrorHandler errorHandler)
    {
        return launch(context(aeronDirectoryName, threadingMode, mtuLength, termLength, errorHandler));
    }

    private static MediaDriver.Context context(
        final String aeronDirectoryName,
        final ThreadingMode threadingMode,
        final int mtuLength,
        final int termLength,
        final ErrorHandler errorHandler)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(aeronDirectoryName)
            .threadingMode(threadingMode)
            .sharedIdleStrategy(YieldingIdleStrategy.INSTANCE)
            .sharedNetworkIdleStrategy(YieldingIdleStrategy.INSTANCE)
            .mtuLength(mtuLength)
            .ipcMtuLength(mtuLength)
            .socketRcvbufLength(SocketBuffers.receiveLength())
            .socketSndbufLength(SocketBuffers.sendLength())
            .initialWindowLength(SocketBuffers.windowLength(mtuLength))
            .publicationTermBufferLength(termLength)
            .ipcTermBufferLength(termLength)
            .termBufferSparseFile(true)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .errorHandler(errorHandler);
    }

    private static AeronConnection launch(final MediaDriver.Context ctx)
    {
        final MediaDriver driver = MediaDriver.launchEmbedded(ctx);
        return new AeronConnection(
            driver, driver.aeronDirectoryName(), ThreadingMode.INVOKER == ctx.threadingMode(), ctx.errorHandler());
    }

    /**
     * Work with a driver that runs in another process.
     *
     * @param aeronDirectoryName of that driver.
     * @param errorHandler       told what goes wrong behind the scenes.
     * @return the connection.
     * @throws io.aeron.exceptions.DriverTimeoutException when no driver works there.
     */
    public static AeronConnection to(final String aeronDirectoryName, final ErrorHandler errorHandler)
    {
        return new AeronConnection(null, aeronDirectoryName, true, errorHandler);
    }

    /**
     * The client.
     *
     * @return to add publications and subscriptions with.
     */
    public Aeron aeron()
    {
        return aeron;
    }

    /**
     * Where the driver keeps its files.
     *
     * @return absolute path.
     */
    public String aeronDirectoryName()
    {
        return aeron.context().aeronDirectoryName();
    }

    /**
     * The embedded driver's invoker.
     *
     * @return which a thread that waits for the driver must invoke, or null where the driver has threads of its own.
     */
    public AgentInvoker driverInvoker()
    {
        return driverInvoker;
    }

    /**
     * One turn of driver and client conductor, where they have no threads of their own.
     *
     * @return number of things done.
     */
    public int drive()
    {
        return (null == driverInvoker ? 0 : driverInvoker.invoke()) +
            (null == conductorInvoker ? 0 : conductorInvoker.invoke());
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
