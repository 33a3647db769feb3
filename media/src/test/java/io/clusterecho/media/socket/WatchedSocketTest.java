package io.clusterecho.media.socket;

import static org.assertj.core.api.Assertions.assertThat;

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
