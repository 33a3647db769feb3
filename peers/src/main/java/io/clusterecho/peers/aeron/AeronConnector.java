package io.clusterecho.peers.aeron;

import java.io.File;

import io.aeron.CommonContext;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.settings.Quantity;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/** One Aeron client for all sessions of a process. Over UDP it has its own media driver, over IPC it uses the server's. */
final class AeronConnector implements TransportConnector
{
    static final long DRIVER_TIMEOUT_MS = 10_000;

    private final Place place;
    private final WireFormat format;
    private final ErrorHandler errorHandler;
    private AeronConnection connection;
    private int transportCount;

    /**
     * Where the server is.
     *
     * @param replyChannel of the subscription to replies; over UDP with port 0.
     * @param sharedFolder of the server's media driver over IPC, else null.
     */
    record Place(String endpoints, String channel, String replyChannel, String sharedFolder)
    {
        boolean isShared()
        {
            return null != sharedFolder;
        }
    }

    /** @param connection null over IPC until the server's media driver runs. */
    AeronConnector(
        final Place place, final WireFormat format, final ErrorHandler errorHandler, final AeronConnection connection)
    {
        this.place = place;
        this.format = format;
        this.errorHandler = errorHandler;
        this.connection = connection;
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
    AeronConnection awaitConnection(final long timeoutNs)
    {
        if (null == connection)
        {
            if (!Deadline.in(timeoutNs).await(() ->
                CommonContext.isDriverActive(new File(place.sharedFolder()), DRIVER_TIMEOUT_MS, (line) -> { })))
            {
                throw new NotConnectedException(
                    "no session with the server at " + place.endpoints() + " within " + Quantity.formatNs(timeoutNs) +
                    ": no media driver runs in " + place.sharedFolder() + "; check that the server runs with this folder", null);
            }
            connection = AeronConnection.to(place.sharedFolder(), errorHandler);
        }

        return connection;
    }

    Place place()
    {
        return place;
    }
}
