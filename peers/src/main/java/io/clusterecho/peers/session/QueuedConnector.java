package io.clusterecho.peers.session;

import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.settings.Setting;

/**
 * Sessions over a library that calls back on its own threads.
 *
 * @param endpoints     of the server, for messages.
 * @param isOrdered     whether the library guarantees the order of replies.
 * @param inFlightLimit maximum messages in flight in one session, from 1; also limited by its queue of replies.
 */
public record QueuedConnector(Dialer dialer, String endpoints, boolean isOrdered, int inFlightLimit, int maxLength)
    implements TransportConnector
{
    /** Maximum messages in flight in one session. */
    public static final Setting<Integer> IN_FLIGHT = Setting.ofInt(
        "peer.in.flight", "65536", 1, 1 << 20,
        "Maximum messages in flight in one session, also limited by its queue of replies.");

    /** The same for libraries without back pressure on calls. */
    public static final Setting<Integer> CALLS_IN_FLIGHT = Setting.ofInt(
        IN_FLIGHT.key(), "256", 1, 1 << 20,
        "Maximum calls in flight in one session, also limited by its queue of replies.");

    /** Opens connections of a library, which share nothing that must be released. */
    @FunctionalInterface
    public interface Dialer
    {
        /**
         * Open a connection and wait for it. May block; called by one thread at a time per transport.
         *
         * @param replies queue into which the library's threads put replies.
         * @throws Exception that says why there is no connection; all its resources are released then.
         */
        Link dial(ReplyQueue replies, long timeoutNs) throws Exception;
    }

    @Override
    public Transport newTransport()
    {
        return new QueuedTransport(this);
    }
}
