package io.clusterecho.media.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

import io.aeron.driver.MediaDriver;

/**
 * Tracks the sockets that a media driver receives from, and waits until a datagram has arrived at one of them. It reads nothing:
 * the driver keeps polling them as usual. All methods except {@link #install(MediaDriver.Context)} and {@link #close()} are for
 * the one thread that runs the driver.
 */
public final class SocketWatch implements DatagramWait, AutoCloseable
{
    /** Watches nothing, for drivers whose threads do not wait at sockets. */
    public static final SocketWatch NONE = new SocketWatch(null);

    private static final Consumer<SelectionKey> READ_BY_DRIVER = (key) -> {};

    /** Null if nothing is watched. */
    private final Selector selector;

    private SocketWatch(final Selector selector)
    {
        this.selector = selector;
    }

    /**
     * A watch that has no sockets yet.
     *
     * @return the watch, to be closed after the driver.
     * @throws IOException if no file handles are left.
     */
    public static SocketWatch open() throws IOException
    {
        return new SocketWatch(Selector.open());
    }

    /**
     * Make a driver that is not launched yet register its sockets.
     *
     * @param ctx of the driver; its endpoint suppliers are replaced.
     */
    public void install(final MediaDriver.Context ctx)
    {
        ctx.sendChannelEndpointSupplier(
            (udpChannel, statusIndicator, context) -> new WatchedSendEndpoint(udpChannel, statusIndicator, context, this));
        ctx.receiveChannelEndpointSupplier(
            (udpChannel, dispatcher, statusIndicator, context) ->
                new WatchedReceiveEndpoint(udpChannel, dispatcher, statusIndicator, context, this));
    }

    /**
     * @throws UncheckedIOException if the system call fails.
     */
    @Override
    public void await(final int timeoutMs)
    {
        try
        {
            selector.select(READ_BY_DRIVER, timeoutMs);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    void add(final DatagramChannel channel)
    {
        if (null != selector)
        {
            try
            {
                channel.register(selector, SelectionKey.OP_READ);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /**
     * Called before a socket is closed while others of its endpoint remain: until then it would keep its port.
     */
    void remove(final DatagramChannel channel)
    {
        final SelectionKey key = null == selector ? null : channel.keyFor(selector);
        if (null != key)
        {
            key.cancel();
            forgetClosed();
        }
    }

    /**
     * Called after sockets were closed: until then each keeps its port.
     */
    void forgetClosed()
    {
        if (null != selector && selector.isOpen())
        {
            try
            {
                selector.selectNow(READ_BY_DRIVER);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    @Override
    public void close()
    {
        if (null != selector)
        {
            try
            {
                selector.close();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
