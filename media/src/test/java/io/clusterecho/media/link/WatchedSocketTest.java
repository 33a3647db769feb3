package io.clusterecho.media.link;

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
        assertThat(watch.hasBusy()).isFalse();
    }

    @Test
    void shouldBeBusyOnceItHadSeveralDatagramsUntilItHadOneForAWhile()
    {
        assertThat(isBusyOnFind()).isFalse();
        readsOf(1);
        assertThat(isBusyOnFind()).isFalse();

        readsOf(2);
        for (int find = 0; find < WatchedSocket.BUSY_COUNT - 1; find++)
        {
            assertThat(isBusyOnFind()).as("find %d", find).isTrue();
            readsOf(1);
        }
        readsOf(0);
        assertThat(isBusyOnFind()).as("a datagram that was discarded").isTrue();
        readsOf(2);
        for (int find = 0; find < WatchedSocket.BUSY_COUNT; find++)
        {
            assertThat(isBusyOnFind()).as("find %d", find).isTrue();
            readsOf(1);
        }
        assertThat(isBusyOnFind()).isFalse();
    }

    @Test
    void shouldCountEachBusySocket()
    {
        final WatchedSocket second = new WatchedSocket(watch);
        readsOf(socket, 2);
        readsOf(second, 2);
        socket.onFound();
        second.onFound();
        socket.onRead(false);
        assertThat(watch.hasBusy()).isTrue();
        second.forget();
        assertThat(watch.hasBusy()).isFalse();
    }

    @Test
    void shouldBecomeBusyWithTheSecondDatagram()
    {
        socket.onFound();
        socket.onRead(true);
        assertThat(watch.hasBusy()).isFalse();
        assertThat(socket.isToBeRead()).as("in the next round").isTrue();
        socket.onFound();
        socket.onRead(true);
        assertThat(watch.hasBusy()).isTrue();
        socket.onRead(false);
        assertThat(watch.hasBusy()).isFalse();
        assertThat(socket.isToBeRead()).isFalse();
    }

    @Test
    void shouldCountAFoundSocketOnce()
    {
        readsOf(2);
        socket.onFound();
        socket.onFound();
        assertThat(watch.hasBusy()).isTrue();
        socket.forget();
        assertThat(watch.hasBusy()).isFalse();
        socket.forget();
        socket.onFound();
        assertThat(watch.hasBusy()).isTrue();
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
    void shouldGiveADriverMoreTurnsWhileItMovesLongDatagramsOrBusySocketsAreToBeRead()
    {
        assertThat(SocketWatch.NONE.drive(driver(() -> 99), 100)).isEqualTo(99);
        assertThat(SocketWatch.NONE.drive(driver(() -> 100), 100)).isEqualTo(100 * SocketWatch.MAX_DRIVER_TURNS);

        socket.onFound();
        assertThat(turnsThatRead(1)).as("one datagram").isEqualTo(1);
        assertThat(turnsThatRead(0)).as("the next round finds nothing").isEqualTo(1);
        socket.onFound();
        assertThat(turnsThatRead(5)).as("in the first round nobody knows of the others").isEqualTo(1);
        assertThat(turnsThatRead(4)).isEqualTo(5);
        socket.onFound();
        assertThat(turnsThatRead(5)).as("a busy socket").isEqualTo(6);

        socket.onFound();
        assertThat(watch.drive(driver(() -> 1), 100)).as("never read").isEqualTo(SocketWatch.MAX_READ_TURNS);
    }

    /** Turns of a round while so many datagrams are left. */
    private int turnsThatRead(final int datagrams)
    {
        final int[] reads = new int[1];
        return watch.drive(driver(() ->
        {
            socket.onRead(reads[0]++ < datagrams);
            return 1;
        }), 100);
    }

    private boolean isBusyOnFind()
    {
        socket.onFound();
        final boolean isBusy = watch.hasBusy();
        socket.forget();
        return isBusy;
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
        return readsOf(socket, datagrams);
    }

    private static int readsOf(final WatchedSocket socket, final int datagrams)
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
