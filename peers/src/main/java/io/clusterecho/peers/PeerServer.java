package io.clusterecho.peers;

/**
 * The server of a peer. All methods are called by the thread that started it.
 */
public interface PeerServer extends AutoCloseable
{
    /**
     * Begin of the line that a server prints when it is ready.
     */
    String READY = "serving ";

    /**
     * Its endpoints, in the form of the client's {@code --endpoints}.
     */
    String endpoints();

    /**
     * One duty cycle on the thread that started it.
     *
     * @return work count; always 0 for a server that has threads of its own.
     */
    default int doWork()
    {
        return 0;
    }

    /**
     * Whether {@link #doWork()} must be called in a loop. False for a server that has threads of its own.
     */
    default boolean isCarried()
    {
        return false;
    }

    /**
     * Close all sessions and release all resources.
     */
    @Override
    void close();
}
