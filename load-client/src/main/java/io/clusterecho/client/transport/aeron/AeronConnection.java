package io.clusterecho.client.transport.aeron;

import java.nio.file.Path;
import java.util.List;

import io.aeron.Aeron;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronEvent;
import io.aeron.exceptions.AeronException;

import io.clusterecho.media.driver.Driver;
import io.clusterecho.media.driver.DriverIdle;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.media.link.LinkFilter;
import io.clusterecho.media.link.ReceiveEndpoint;
import io.clusterecho.media.link.SocketWatch;
import io.clusterecho.media.zone.Placement.Distances;
import io.clusterecho.node.member.RoomNeeded;
import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * An Aeron client and its media driver: embedded in this process, or in a process of its own. With {@link
 * ThreadingMode#INVOKER} the thread that calls {@link #drive()} runs an embedded driver and the client's conductor; with any
 * other mode both have their own threads. A driver in another process always has its own threads, and an embedded C driver never.
 */
public final class AeronConnection implements AutoCloseable
{
    private final Driver driver;
    private final SocketWatch watch;
    private final Aeron aeron;
    private final int longDatagramLength;
    private final AgentInvoker driverInvoker;
    private final AgentInvoker conductorInvoker;

    private AeronConnection(
        final Driver driver,
        final SocketWatch watch,
        final String aeronDirectoryName,
        final int mtuLength,
        final boolean isConductorInvoked,
        final ErrorHandler errorHandler)
    {
        this.driver = driver;
        // Two consecutive datagrams of a stream exceed the MTU together, so one is at least half as long.
        longDatagramLength = mtuLength / 2;
        this.watch = watch;
        driverInvoker = null == driver ? null : watch.looking(driver.invoker());
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
            CloseHelper.quietCloseAll(driver, watch);
            throw ex;
        }
        conductorInvoker = aeron.conductorAgentInvoker();
    }

    /**
     * Settings of a driver, for {@link #open}.
     *
     * @param folder         of the driver, see {@link DriverFolder#of}; deleted first if the driver is started, so the caller
     *                       ensures that no other uses it.
     * @param termLength     of its publications in bytes, unless a channel sets it.
     * @param isWithoutNames whether no channel has a host that must be resolved.
     * @param errorHandler   for errors in the background; called on any thread.
     */
    public static MediaDriver.Context context(
        final String folder,
        final DriverPlan plan,
        final ThreadingMode threadingMode,
        final int mtuLength,
        final int termLength,
        final boolean isWithoutNames,
        final ErrorHandler errorHandler)
    {
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(folder)
            .threadingMode(plan.isEmbedded() ? ThreadingMode.INVOKER : threadingMode)
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
        if (isWithoutNames && ThreadingMode.INVOKER == ctx.threadingMode() &&
            null == System.getProperty(Configuration.ASYNC_EXECUTOR_ENABLED_PROP_NAME))
        {
            // The thread that resolves names looks for work a thousand times a second also with addresses only, and each stream
            // waits for it.
            ctx.asyncExecutorEnabled(false);
        }
        return ctx;
    }

    /**
     * Start a driver, unless it is already running, and connect to it.
     *
     * @param distances    to others that are emulated, or null for none.
     * @param arrivalClock that of {@link System#nanoTime()}, of the arrival of each frame in its reserved value, as far as the
     *                     driver knows it: a driver of this project, without distances; null for no arrivals.
     */
    public static AeronConnection open(
        final DriverPlan plan, final MediaDriver.Context ctx, final Distances distances, final NanoClock arrivalClock)
    {
        if (!plan.isFound())
        {
            checkRoom(Path.of(ctx.aeronDirectoryName()).getParent(), ctx.publicationTermBufferLength());
        }
        final ErrorHandler errorHandler = ctx.errorHandler();
        final boolean isInvoked = ThreadingMode.INVOKER == ctx.threadingMode();
        final SocketWatch watch = isInvoked && plan.isJava() ? SocketWatch.open() : SocketWatch.NONE;
        if (SocketWatch.NONE != watch)
        {
            watch.install(ctx);
        }
        if (null != distances)
        {
            new LinkFilter(null, null, List.of(), distances).install(ctx, watch);
        }
        else if (null != arrivalClock && plan.isJava())
        {
            ReceiveEndpoint.installStamping(ctx, watch, isInvoked ? null : arrivalClock, (reason) -> errorHandler.onError(
                new AeronEvent((isInvoked ? "receive lateness is unknown: " :
                "receive lateness does not include the time in the socket: ") + reason, AeronException.Category.WARN)));
        }
        final DriverLauncher launcher = new DriverLauncher(
            plan, DriverIdle.YIELD, (line) -> System.err.println("driver: " + line),
            (reason) -> errorHandler.onError(new AeronException(reason)));
        return new AeronConnection(
            launcher.launch(ctx, null != arrivalClock), watch, ctx.aeronDirectoryName(), ctx.mtuLength(), isInvoked,
            errorHandler);
    }

    /** A driver ends with a memory fault if its files do not fit. For each stream it checks the space itself. */
    private static void checkRoom(final Path parent, final int termLength)
    {
        final long neededLength = RoomNeeded.DRIVER_FILES_LENGTH + 2 * RoomNeeded.streamLength(termLength);
        final long freeLength = parent.toFile().getUsableSpace();
        InvalidSettingException.throwIf(
            freeLength < neededLength,
            parent + " has " + (freeLength >> 20) + " MB free, but the client's media driver needs " +
            RoomNeeded.text(neededLength) + ": enlarge it (sudo mount -o remount,size=1g " + parent +
            "; for a container: --shm-size=1g), or delete what fills it");
    }

    /** Connect to a driver that runs in another process, if one does. */
    public static AeronConnection to(final String aeronDirectoryName, final ErrorHandler errorHandler)
    {
        return new AeronConnection(null, SocketWatch.NONE, aeronDirectoryName, 0, true, errorHandler);
    }

    public Aeron aeron()
    {
        return aeron;
    }

    /**
     * Invoker of an embedded driver, which a thread that waits for the driver must call; null if the driver has its own
     * threads.
     */
    public AgentInvoker driverInvoker()
    {
        return driverInvoker;
    }

    /** One duty cycle of driver and client conductor, if they have no threads of their own; see {@link SocketWatch#drive}. */
    public int drive()
    {
        return (null == driverInvoker ? 0 : watch.drive(driver.invoker(), longDatagramLength)) +
            (null == conductorInvoker ? 0 : conductorInvoker.invoke());
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver, watch);
    }
}
