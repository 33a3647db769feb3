package io.clusterecho.control.remote;

import java.io.IOException;

/**
 * Starts the processes that connect this machine with another one, such as ssh. Any thread may call it.
 */
@FunctionalInterface
interface ProcessFactory
{
    /**
     * Start a process.
     *
     * @param builder with its command line and where its output goes.
     * @return the process, which the caller ends.
     * @throws IOException if it cannot be started.
     */
    Process start(ProcessBuilder builder) throws IOException;
}
