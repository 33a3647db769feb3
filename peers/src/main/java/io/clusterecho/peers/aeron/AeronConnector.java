package io.clusterecho.peers.aeron;

import java.io.File;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.CommonContext;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.settings.Quantity;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/** One Aeron client for all sessions of a process. Over UDP it has its own media driver, over IPC it uses the server's. */
final class AeronConnector implements TransportConnector
{
    private static final long DRIVER_TIMEOUT_MS = 10_000;
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String endpoints;
    private final String channel;
    private final String replyChannel;
    private final AeronSettings settings;
    private final WireFormat format;
    private final ErrorHandler errorHandler;
    private final String sharedFolder;
    private AeronConnection connection;
    private int transportCount;

    private AeronConnector(
        final String endpoints,
        final String channel,
        final String replyChannel,
        final AeronSettings settings,
        final WireFormat format,
        final ErrorHandler errorHandler,
        final String sharedFolder,
        final AeronConnection connection)
    {
        this.endpoints = endpoints;
        this.channel = channel;
        this.replyChannel = replyChannel;
        this.settings = settings;
        this.format = format;
        this.errorHandler = errorHandler;
        this.sharedFolder = sharedFolder;
        this.connection = connection;
    }

    static AeronConnector udp(
        final Endpoint endpoint,
        final AeronSettings settings,
        final WireFormat format,
        final ThreadingMode threadingMode,
        final ErrorHandler errorHandler)
    {
        return new AeronConnector(
            endpoint.toString(),
            "aeron:udp?endpoint=" + endpoint + "|" + settings.publicationParameters(),
            "aeron:udp?endpoint=" + settings.replyHost() + ":0",
            settings, format, errorHandler, null, settings.connect(threadingMode, errorHandler));
    }

    static AeronConnector ipc(
        final String folder, final AeronSettings settings, final WireFormat format, final ErrorHandler errorHandler)
    {
        return new AeronConnector(
            folder,
            CommonContext.IPC_CHANNEL + "?" + settings.publicationParameters(),
            CommonContext.IPC_CHANNEL,
            settings, format, errorHandler, settings.isDriverFound() ? settings.driver().folder() : folder, null);
    }

    @Override
    public AeronTransport newTransport()
    {
        return new AeronTransport(this, 0 == transportCount++, format.newClientCodec());
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(connection);
    }

    /**
     * The Aeron client. Over IPC this waits for the server's media driver.
     *
     * @throws NotConnectedException if there is no media driver in time.
     */
    AeronConnection awaitConnection(final long deadlineNs, final long timeoutNs)
    {
        while (null == connection)
        {
            if (CommonContext.isDriverActive(new File(sharedFolder), DRIVER_TIMEOUT_MS, (line) -> { }))
            {
                connection = AeronConnection.to(sharedFolder, errorHandler);
            }
            else if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted())
            {
                throw new NotConnectedException(
                    "no session with the server at " + endpoints + " within " + Quantity.formatNs(timeoutNs) +
                    ": no media driver runs in " + sharedFolder + "; check that the server runs with this folder", null);
            }
            else
            {
                LockSupport.parkNanos(LOOK_INTERVAL_NS);
            }
        }

        return connection;
    }

    AeronConnection connection()
    {
        return connection;
    }

    String endpoints()
    {
        return endpoints;
    }

    String channel()
    {
        return channel;
    }

    /** Channel of the subscription to replies; over UDP with port 0. */
    String replyChannel()
    {
        return replyChannel;
    }

    boolean isShared()
    {
        return null != sharedFolder;
    }

    AeronSettings settings()
    {
        return settings;
    }
}
