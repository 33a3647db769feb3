package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.peers.Peer;

/**
 * What both sides of a peer must have alike in a cell, as options of {@code serve} and of the client.
 *
 * @param ofServer for each server.
 * @param ofClient besides those of the cell.
 */
record PeerArguments(List<String> ofServer, List<String> ofClient)
{
    private static final String MTU_KEY = "peer.mtu";
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    /** For a server thread and a client thread that poll, with a core each. */
    private static final List<String> YIELDING = List.of("--idle", "yield");

    /**
     * Arguments for a workload: an idle strategy for a peer that polls, and for one with an MTU that of the report.
     */
    static PeerArguments of(final Peer peer, final Workload workload)
    {
        final List<String> idle = peer.isPolling() && CORES >= 2 ? YIELDING : List.of();
        final List<String> ofServer = new ArrayList<>(idle);
        final List<String> ofClient = new ArrayList<>(idle);
        if (peer.settings().stream().anyMatch((setting) -> MTU_KEY.equals(setting.key())))
        {
            final String mtu = MTU_KEY + "=" + workload.published().aeronMtu();
            ofServer.addAll(List.of("--set", mtu));
            ofClient.addAll(List.of("--transport-set", mtu));
        }
        return new PeerArguments(ofServer, ofClient);
    }
}
