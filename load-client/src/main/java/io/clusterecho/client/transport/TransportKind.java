package io.clusterecho.client.transport;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.Setting;

/** A kind of transport for {@code --transport}, of a {@link TransportProvider}. Stateless and safe for any thread. */
public interface TransportKind
{
    /** Load: calls that return their bytes, of any length from 1. */
    String CALLS = "calls";
    /** Load: messages without replies. */
    String ONE_WAY = "one-way";
    /** Load: a stream of prices for one request. */
    String PRICE_STREAM = "price-stream";

    /** Name for {@code --transport}: lower case letters, digits and dashes. */
    String name();

    /** Settings that {@code --transport-set} accepts for it; each key begins with {@code peer.}; may be empty. */
    List<Setting<?>> settings();

    /** Maximum message length in bytes. */
    long maxLengthBytes();

    /** Where an answered message is stored and what it survives, in words, for the result. */
    String durability();

    /** Facts for the reader of a result: version of the library, its guarantees, its tuning; name to value. */
    Map<String, String> facts();

    /** Whether its client has a media driver of its own, if it has one at all. */
    default boolean isClientApart()
    {
        return true;
    }

    /** Whether its server, a single one, can be on another host than its client. */
    default boolean isRemote()
    {
        return isClientApart() && 1 == serverCount();
    }

    /** Loads of its client other than echoes, by their names in a sweep. */
    default Set<String> loads()
    {
        return Set.of();
    }

    /** Endpoints on this machine, as a value for {@code --endpoints}; consecutive ports from the first one must be free. */
    default String endpointsFrom(final int firstPort)
    {
        return "127.0.0.1:" + firstPort;
    }

    /** Number of server processes, each with its own {@code --member}. */
    default int serverCount()
    {
        return 1;
    }

    /**
     * What it is in the terms of public reports, with {driver} for its media driver: system, call style, message and settings.
     *
     * @param isStream whether it carries a stream of prices.
     */
    default Experiment experiment(final boolean isStream)
    {
        return new Experiment(
            name(), Experiment.REQUEST_RESPONSE, isStream ? Experiment.PRICE : Experiment.BYTES, "", "", "", Map.of());
    }

    /** Prepare sessions; an address or a setting that is not allowed is an error. */
    TransportConnector newConnector(TransportRequest request);
}
