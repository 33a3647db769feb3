package io.clusterecho.media.socket;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Send endpoint that registers its sockets with a watch: status messages and NAKs arrive there.
 */
public class WatchedSendEndpoint extends SendChannelEndpoint
{
    private final SocketWatch watch;

    /**
     * Called by the driver.
     *
     * @param udpChannel      of the publications.
     * @param statusIndicator of the channel.
     * @param context         of the driver.
     * @param watch           to register sockets with.
     */
    public WatchedSendEndpoint(
        final UdpChannel udpChannel,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch)
    {
        super(udpChannel, statusIndicator, context);
        this.watch = watch;
    }

    @Override
    public final void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        watch.add(receiveDatagramChannel);
    }

    @Override
    public void close()
    {
        super.close();
        watch.forgetClosed();
    }
}
