package io.clusterecho.peers;

import java.util.Optional;

/** The server of a peer. All methods are called by the thread that started it. */
public interface PeerServer extends AutoCloseable
{
    /** Begin of the line that a server prints when it is ready. */
    String READY = "serving ";

    /** One duty cycle on the thread that started it; returns the work count, 0 for a server that has threads of its own. */
    default int doWork()
    {
        return 0;
    }

    /** Whether {@link #doWork()} must be called in a loop. False for a server that has threads of its own. */
    default boolean isCarried()
    {
        return false;
    }

    /** How it ended by itself, or empty while it serves. */
    default Optional<String> end()
    {
        return Optional.empty();
    }

    @Override
    void close();
}
