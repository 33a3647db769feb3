package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The coordinator's link to a worker. One thread receives; any thread may send. */
interface WorkerLink extends AutoCloseable
{
    /**
     * @param message received, or null for the end of the link.
     */
    record Heard(JsonNode message, long timeNs)
    {
        boolean isEnd()
        {
            return null == message;
        }

        boolean is(final String kind)
        {
            return null != message && kind.equals(Protocol.kind(message));
        }
    }

    /** Starts workers. */
    @FunctionalInterface
    interface Starter
    {
        /**
         * Start a worker.
         *
         * @param remarks receives each line of output that is not part of the protocol, on any thread.
         * @return a link to it; the thread that calls this receives its messages.
         * @throws UncheckedIOException if the program does not exist.
         */
        WorkerLink start(String name, List<String> command, Consumer<String> remarks);
    }

    /** Send a message. If the worker is gone, the end of the link is received. */
    void send(ObjectNode message);

    /** Receive a message without waiting, or null if there is none. */
    Heard poll();

    /** How the worker ended, in words. */
    String fate();

    /** Ask it to end by closing its input, without waiting. */
    void endInput();

    /** Ask it to end, unless already done, and kill it if it does not end in time. */
    @Override
    void close();
}
