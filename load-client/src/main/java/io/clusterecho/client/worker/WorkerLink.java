package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A worker as the coordinator sees it. One thread takes what is heard; any thread may send.
 */
interface WorkerLink extends AutoCloseable
{
    /**
     * @param message that came, or null for the end of all.
     * @param timeNs  when it did.
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

    /**
     * Starts workers.
     */
    @FunctionalInterface
    interface Starter
    {
        /**
         * Start one.
         *
         * @param name    for its threads.
         * @param command that starts it.
         * @param remarks told of each line that it says beside the protocol, on any thread.
         * @return a link to it; the thread that calls this takes what is heard.
         * @throws UncheckedIOException if there is no such program.
         */
        WorkerLink start(String name, List<String> command, Consumer<String> remarks);
    }

    /**
     * Send a message. If nobody is there to read it, that is heard as the end.
     */
    void send(ObjectNode message);

    /**
     * Take what was heard, without waiting.
     *
     * @return null if there is nothing.
     */
    Heard poll();

    /**
     * How the worker came to its end, in words.
     */
    String fate();

    /**
     * Ask it to end, by the end of its input, and do not wait for it.
     */
    void endInput();

    /**
     * Ask it to end, if that was not done yet, and kill it if it does not do so in time.
     */
    @Override
    void close();
}
