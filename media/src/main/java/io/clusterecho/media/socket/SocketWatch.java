package io.clusterecho.media.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;

import io.aeron.driver.MediaDriver;

/**
 * Knows the sockets that a media driver receives from, and waits until a datagram has arrived at one of them. The driver goes
 * on polling them as ever: here nothing is read. All calls but {@link #install(MediaDriver.Context)} and {@link #close()} are
 * to come from the one thread that carries the driver.
 */
public final class SocketWatch implements AutoCloseable
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
     * @return the watch, to be closed behind the driver.
     * @throws IOException if the system has no file handles left.
     */
    public static SocketWatch open() throws IOException
    {
        return new SocketWatch(Selector.open());
    }

    /**
     * Let a driver that is not launched yet tell of its sockets.
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
     * Wait until a datagram can be read, and return at once if one can be now.
     *
     * @param timeoutMs how long at most, above 0.
     * @throws UncheckedIOException if the system cannot tell.
     */
    void await(final long timeoutMs)
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
     * To be called before a socket is closed that others of its end outlive: until then it would keep its port.
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
     * To be called after sockets were closed: until then each keeps its port.
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
