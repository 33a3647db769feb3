package io.clusterecho.media.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntSupplier;

import io.aeron.RethrowingErrorHandler;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchedSocketTest
{
    private final SocketWatch watch = SocketWatch.open();
    private final WatchedSocket socket = new WatchedSocket(watch);

    @AfterEach
    void close()
    {
        watch.close();
    }

    @Test
    void shouldNotBeReadBeforeItIsFound()
    {
        assertThat(socket.isToBeRead()).isFalse();
        assertThat(readsOf(1)).isEqualTo(2);
    }

    @Test
    void shouldBeReadUntilNothingIsLeftWhereMoreIsWaiting()
    {
        assertThat(readsOf(10)).isEqualTo(11);
        assertThat(watch.hasReady()).isFalse();
    }

    @Test
    void shouldCountAFoundSocketOnce()
    {
        socket.onFound();
        socket.onFound();
        assertThat(watch.hasReady()).isTrue();
        socket.forget();
        assertThat(watch.hasReady()).isFalse();
        socket.forget();
        socket.onFound();
        assertThat(watch.hasReady()).isTrue();
    }

    @Test
    void shouldAlwaysTryASocketThatIsNotWatched()
    {
        WatchedSocket.TRIED.onFound();
        WatchedSocket.TRIED.onRead(false);
        WatchedSocket.TRIED.forget();
        assertThat(WatchedSocket.TRIED.isToBeRead()).isTrue();
    }

    @Test
    void shouldGiveADriverMoreTurnsWhileItMovesLongDatagramsOrSocketsAreToBeRead()
    {
        assertThat(SocketWatch.NONE.drive(driver(() -> 99), 100)).isEqualTo(99);
        assertThat(SocketWatch.NONE.drive(driver(() -> 100), 100)).isEqualTo(100 * SocketWatch.MAX_DRIVER_TURNS);

        socket.onFound();
        final int[] reads = new int[1];
        assertThat(watch.drive(driver(() ->
        {
            socket.onRead(++reads[0] < 6);
            return 1;
        }), 100)).isEqualTo(6);

        socket.onFound();
        assertThat(watch.drive(driver(() -> 1), 100)).as("never read").isEqualTo(SocketWatch.MAX_READ_TURNS);
    }

    private static AgentInvoker driver(final IntSupplier turn)
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
                return "driver";
            }
        });
        invoker.start();
        return invoker;
    }

    /** Reads of a find with so many datagrams. */
    private int readsOf(final int datagrams)
    {
        socket.onFound();
        int reads = 0;
        while (socket.isToBeRead())
        {
            socket.onRead(reads++ < datagrams);
        }
        return reads;
    }
}
