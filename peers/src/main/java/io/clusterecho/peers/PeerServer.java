package io.clusterecho.peers;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;

/** The server of a peer. All methods are called by the thread that started it. */
public interface PeerServer extends AutoCloseable
{
    /**
     * One duty cycle, called in a loop; fails with how the server ended, if it did by itself. One with threads of its own waits.
     */
    default void work(final IdleStrategy idleStrategy)
    {
        LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Override
    void close();
}
