package io.clusterecho.media.link;

import static org.agrona.nio.TransportPoller.ITERATION_THRESHOLD_PROP_NAME;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import io.aeron.RethrowingErrorHandler;
import io.aeron.driver.MediaDriver;

import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;

import io.clusterecho.settings.Io;

/**
 * Tracks the sockets that a media driver receives from. One look finds those with a datagram, for sender and receiver of the
 * driver, which then read only these: Aeron's pollers would ask the system once each in every turn, or try each socket. It can
 * also wait for a datagram. It reads nothing. All methods except {@link #install(MediaDriver.Context)} and {@link #close()} are
 * for the one thread that runs the driver.
 */
public final class SocketWatch implements SocketIdleStrategy.DatagramWait, AutoCloseable
{
    /** Keys of Aeron for the classes of endpoints. */
    public static final List<String> SUPPLIER_KEYS =
        List.of("aeron.SendChannelEndpoint.supplier", "aeron.ReceiveChannelEndpoint.supplier");

    /** Watches nothing, for drivers whose threads do not wait at sockets. */
    public static final SocketWatch NONE = new SocketWatch(null);

    /** Turns of a busy driver in a round. */
    public static final int MAX_DRIVER_TURNS = 4;
    /** The same while busy sockets are still to be read: what waits there is then processed at once, in larger batches. */
    static final int MAX_READ_TURNS = 16;

    private static final Consumer<SelectionKey> FOUND = (key) -> ((WatchedSocket)key.attachment()).onFound();

    private final Selector selector;
    /** Busy sockets that were found and are still to be read. */
    private int busyCount;
    /** Whether a wait found sockets since the last look. */
    private boolean isFresh;

    private SocketWatch(final Selector selector)
    {
        this.selector = selector;
    }

    /**
     * A watch that has no sockets yet. Pollers of drivers in this process then leave it to the watch to ask the system, unless
     * the user has set their threshold; so call it before the first driver is launched.
     *
     * @return the watch, to be closed after the driver; {@link #NONE} if a key of Aeron sets the endpoints.
     * @throws UncheckedIOException if no file handles are left.
     */
    public static SocketWatch open()
    {
        if (SUPPLIER_KEYS.stream().anyMatch((key) -> null != System.getProperty(key)))
        {
            return NONE;
        }
        if (null == System.getProperty(ITERATION_THRESHOLD_PROP_NAME))
        {
            System.setProperty(ITERATION_THRESHOLD_PROP_NAME, String.valueOf(Integer.MAX_VALUE));
        }

        return new SocketWatch(Io.call("cannot open a selector", Selector::open));
    }

    /** Invoker that looks before each turn of the driver, for those who run it while they wait; ends once that has ended. */
    public AgentInvoker looking(final AgentInvoker driver)
    {
        return null == selector || null == driver ? driver : invoker("driver", () ->
        {
            look();
            return driver.invoke();
        });
    }

    /** A started invoker of turns that return their work count; what they throw reaches its caller. Need not be closed. */
    public static AgentInvoker invoker(final String name, final IntSupplier turn)
    {
        final AgentInvoker invoker = new AgentInvoker(RethrowingErrorHandler.INSTANCE, null, new Agent()
        {
            @Override
            public int doWork()
            {
                return turn.getAsInt();
            }

            @Override
            public String roleName()
            {
                return name;
            }
        });
        invoker.start();
        return invoker;
    }

    /**
     * Give a driver the turns of a round. In a turn it sends one datagram of a stream and reads one of a socket, or few. It gets
     * more turns while it moves long datagrams, which senders fill if more is waiting, and while busy sockets are still to be
     * read: or it would limit the rate. Their number is bounded, because others must process what it received. The system is
     * asked once, before the first turn.
     *
     * @param longDatagramLength work of a turn that moved a long datagram: the driver counts bytes.
     */
    public int drive(final AgentInvoker driver, final int longDatagramLength)
    {
        int workCount = 0;
        int turnWorkCount;
        int turnCount = 0;
        look();
        do
        {
            turnWorkCount = driver.invoke();
            workCount += turnWorkCount;
            turnCount++;
        }
        while (
            hasBusy() ? turnCount < MAX_READ_TURNS : turnWorkCount >= longDatagramLength && turnCount < MAX_DRIVER_TURNS);

        return workCount;
    }

    /** Find the sockets with a datagram, if no wait has just found some. */
    public void look()
    {
        if (null != selector && !isFresh)
        {
            find(0);
        }
        isFresh = false;
    }

    /** Whether a busy socket that was found is still to be read. */
    boolean hasBusy()
    {
        return busyCount > 0;
    }

    /** Make a driver that is not launched yet register its sockets: replaces the suppliers of its endpoints. */
    public void install(final MediaDriver.Context ctx)
    {
        if (null != selector)
        {
            install(ctx, null, null);
        }
    }

    /** The same with filters of what sender and receiver of the driver handle, or null. */
    void install(final MediaDriver.Context ctx, final LinkSide sender, final LinkSide receiver)
    {
        ctx.sendChannelEndpointSupplier(
            (udpChannel, statusIndicator, context) -> new SendEndpoint(udpChannel, statusIndicator, context, this, sender));
        ctx.receiveChannelEndpointSupplier(
            (udpChannel, dispatcher, statusIndicator, context) ->
                new ReceiveEndpoint(udpChannel, dispatcher, statusIndicator, context, this, receiver, null, null));
    }

    /** @throws UncheckedIOException if the system call fails. */
    @Override
    public boolean await(final int timeoutMs)
    {
        isFresh = find(timeoutMs) > 0;
        return isFresh;
    }

    private int find(final int timeoutMs)
    {
        try
        {
            return 0 == timeoutMs ? selector.selectNow(FOUND) : selector.select(FOUND, timeoutMs);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** @return what its reader asks before each read. */
    WatchedSocket add(final DatagramChannel channel)
    {
        return add(channel, null == selector ? WatchedSocket.TRIED : new WatchedSocket(this));
    }

    /** Add a socket; {@link WatchedSocket#TRIED} for one whose reader tries it in every turn. */
    WatchedSocket add(final DatagramChannel channel, final WatchedSocket socket)
    {
        if (null != selector)
        {
            Io.run("cannot watch a socket", () -> channel.register(selector, SelectionKey.OP_READ, socket));
        }
        return socket;
    }

    void onBusy(final int change)
    {
        busyCount += change;
    }

    /** Called before a socket is closed while others of its endpoint remain: until then it would keep its port. */
    void remove(final DatagramChannel channel)
    {
        final SelectionKey key = null == selector ? null : channel.keyFor(selector);
        if (null != key)
        {
            key.cancel();
            forgetClosed();
        }
    }

    /** Called after sockets were closed: until then each keeps its port. */
    void forgetClosed()
    {
        if (null != selector && selector.isOpen())
        {
            find(0);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(selector);
    }
}
