package io.clusterecho.client.transport;

import java.nio.file.Path;
import java.util.List;

/**
 * Starts the servers of kinds of transport on this machine, each in a process of its own. Found on the class path by
 * {@link java.util.ServiceLoader}, as the kinds are. Stateless and safe for any thread.
 */
public interface ServerStarter
{
    /**
     * Start the servers of a kind and wait until all are ready.
     *
     * @param firstPort   first of enough consecutive free ports.
     * @param assignments settings of the servers, KEY=VALUE.
     * @return the servers, which end with this process at the latest.
     * @throws IllegalStateException with their output if they are not ready in time; none of them runs then.
     */
    Servers start(String kind, int firstPort, Path folder, List<String> assignments);

    /**
     * Servers that were started. One thread.
     */
    interface Servers extends AutoCloseable
    {
        /**
         * Value of {@code --endpoints} for their clients.
         */
        String endpoints();

        boolean areAlive();

        /**
         * Stop them, and kill those that do not end in time.
         */
        @Override
        void close();
    }
}
