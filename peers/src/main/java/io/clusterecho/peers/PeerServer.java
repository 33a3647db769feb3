package io.clusterecho.peers;

/**
 * A server that takes sessions. The thread that started it calls all methods.
 */
public interface PeerServer extends AutoCloseable
{
    /**
     * How the line begins that a server prints once it takes sessions.
     */
    String READY = "serving ";

    /**
     * Where it is.
     *
     * @return as a client's {@code --endpoints} takes it.
     */
    String endpoints();

    /**
     * One turn of what it does on the thread that started it.
     *
     * @return number of things done; always 0 for one that has threads of its own.
     */
    default int doWork()
    {
        return 0;
    }

    /**
     * Whether {@link #doWork()} must be called all the time.
     *
     * @return false for one that has threads of its own.
     */
    default boolean isCarried()
    {
        return false;
    }

    /**
     * Take no more, and release everything.
     */
    @Override
    void close();
}
