package io.clusterecho.peers;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.settings.Settings;

/**
 * A system that is measured beside the cluster: a kind of transport, and a server for it. Without state; any thread may call.
 */
public interface Peer extends TransportKind
{
    /**
     * Where a server is, and is looked for, unless {@code --endpoints} says otherwise.
     */
    String DEFAULT_ENDPOINT = "127.0.0.1:21000";

    /**
     * Start a server in this process.
     *
     * @param request what is wanted.
     * @return the server, which takes sessions.
     * @throws io.clusterecho.settings.InvalidSettingException for an address or a setting that is not allowed, or a taken port.
     */
    PeerServer serve(ServeRequest request);

    /**
     * Where its server is by default.
     *
     * @return as {@code --endpoints} takes it.
     */
    default String defaultEndpoints()
    {
        return DEFAULT_ENDPOINT;
    }

    /**
     * Endpoints on this machine.
     *
     * @param firstPort that they may use; those that follow are free too.
     * @return as {@code --endpoints} takes them.
     */
    default String endpointsFrom(final int firstPort)
    {
        return "127.0.0.1:" + firstPort;
    }

    /**
     * Number of servers that it wants.
     *
     * @param endpoints as {@code --endpoints} takes them.
     * @return the count, each a process of its own with its {@code --member}.
     */
    default int serverCount(final String endpoints)
    {
        return 1;
    }

    /**
     * Whether its server and its transport look for work themselves, so that what they do between makes its times.
     *
     * @return false for a library whose threads are woken by the system.
     */
    default boolean isPolling()
    {
        return false;
    }

    /**
     * What this machine lacks to serve it. Who finds something missing says so, and counts it as neither good nor failed.
     *
     * @return empty if it can be served.
     */
    default Optional<String> missing()
    {
        return Optional.empty();
    }

    /**
     * What can be asked of its server and its transport.
     *
     * @return at least echoes.
     */
    default Set<Load> loads()
    {
        return Set.of(Load.ECHO);
    }

    /**
     * What can be asked of a peer.
     */
    enum Load
    {
        /** A reply for each message. */
        ECHO,
        /** A stream of prices for one request; its transport is a {@code OneWayTransport}. */
        PRICES,
        /** Messages without replies; its transport is a {@code OneWayTransport}. */
        ONE_WAY
    }

    /**
     * What {@code serve} is asked for.
     *
     * @param endpoints as {@code --endpoints} gave them, or null for the default.
     * @param memberId  of this server, where there are several.
     * @param dataDir   folder for what it keeps.
     * @param settings  given with {@code --set}, of the keys that the peer knows.
     */
    record ServeRequest(String endpoints, int memberId, Path dataDir, Settings settings)
    {
    }
}
