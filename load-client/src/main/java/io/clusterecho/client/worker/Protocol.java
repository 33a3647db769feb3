package io.clusterecho.client.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What coordinator and worker say to each other: a JSON object a line, whose {@code kind} is one of these.
 * <pre>
 *   coordinator                                worker
 *     |  &lt;------------------------------ HELLO    |  when it is there
 *     |  RUN -------------------------------&gt;    |  connects its sessions
 *     |  &lt;------------------------------ READY    |  or FAILED
 *     |  PING ------------------------------&gt;    |  several times; the clocks are compared
 *     |  &lt;------------------------------- PONG    |
 *     |  START -----------------------------&gt;    |  waits for the instant, runs
 *     |  &lt;--------------------------- INTERVAL    |  as each of them ends
 *     |  END -------------------------------&gt;    |  only to end early
 *     |  &lt;---------------------------- OUTCOME    |
 *     |  &lt;------------------------------- DONE    |  sessions are closed; the next RUN may come
 * </pre>
 * The end of the worker's input means that nobody listens any more: it ends.
 */
public final class Protocol
{
    /** Raised when a line changes its meaning. */
    public static final int VERSION = 1;
    /** The worker is there: version, versions of its program, pid, host, machine. */
    public static final String HELLO = "hello";
    /** What to offer: options, share, lengths. */
    public static final String RUN = "run";
    /** Sessions are open. */
    public static final String READY = "ready";
    /** There will be no run: exit status that this would be, and message. */
    public static final String FAILED = "failed";
    /** A number that comes back. */
    public static final String PING = "ping";
    /** The number, and what the worker's clocks say. */
    public static final String PONG = "pong";
    /** When message 0 is due, on the worker's clock. */
    public static final String START = "start";
    /** What an interval held. */
    public static final String INTERVAL = "interval";
    /** End the schedule now. */
    public static final String END = "end";
    /** What became of the messages. */
    public static final String OUTCOME = "outcome";
    /** All is closed: ceiling and warnings. */
    public static final String DONE = "done";

    private static final String KIND = "kind";

    private Protocol()
    {
    }

    /**
     * A message without further fields.
     *
     * @param kind of it.
     * @return to be filled.
     */
    public static ObjectNode message(final String kind)
    {
        return JsonNodeFactory.instance.objectNode().put(KIND, kind);
    }

    /**
     * Kind of a message.
     *
     * @param message received.
     * @return one of the constants, something unknown, or empty.
     */
    public static String kind(final JsonNode message)
    {
        return message.path(KIND).asText();
    }
}
