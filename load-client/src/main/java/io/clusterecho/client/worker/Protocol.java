package io.clusterecho.client.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Messages between coordinator and worker: one JSON object per line, whose {@code kind} is one of these.
 * <pre>
 *   coordinator                                worker
 *     |  &lt;------------------------------ HELLO    |  when it has started
 *     |  RUN -------------------------------&gt;    |  connects its sessions
 *     |  &lt;------------------------------ READY    |  or FAILED
 *     |  PING ------------------------------&gt;    |  several times, to compare clocks
 *     |  &lt;------------------------------- PONG    |
 *     |  START -----------------------------&gt;    |  waits for the start time, runs
 *     |  &lt;--------------------------- INTERVAL    |  as each ends
 *     |  END -------------------------------&gt;    |  only to end early
 *     |  &lt;---------------------------- OUTCOME    |
 *     |  &lt;------------------------------- DONE    |  sessions are closed; ready for the next RUN
 * </pre>
 * When its input ends, the coordinator is gone and the worker ends.
 */
public final class Protocol
{
    /** Raised when a line changes its meaning. */
    public static final int VERSION = 2;
    /** The worker has started: protocol version, versions of its program, pid, host, machine. */
    public static final String HELLO = "hello";
    /** The load: options, share, lengths. */
    public static final String RUN = "run";
    /** Sessions are open. */
    public static final String READY = "ready";
    /** The run cannot be made: exit status and message. */
    public static final String FAILED = "failed";
    /** A number to be returned. */
    public static final String PING = "ping";
    /** The number with the times of the worker's clocks. */
    public static final String PONG = "pong";
    /** When message 0 is due, on the worker's clock. */
    public static final String START = "start";
    /** An interval. */
    public static final String INTERVAL = "interval";
    /** End the schedule now. */
    public static final String END = "end";
    /** Outcome of the messages. */
    public static final String OUTCOME = "outcome";
    /** The run is closed: ceiling and warnings. */
    public static final String DONE = "done";

    private static final String KIND = "kind";

    private Protocol()
    {
    }

    /** A message without further fields. */
    public static ObjectNode message(final String kind)
    {
        return JsonNodeFactory.instance.objectNode().put(KIND, kind);
    }

    /** Kind of a received message: one of the constants, an unknown kind, or empty. */
    public static String kind(final JsonNode message)
    {
        return message.path(KIND).asText();
    }
}
