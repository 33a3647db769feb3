package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.peers.Peer;

/** What both sides of a peer must have alike in a cell, as options of {@code serve} and of the client, besides its own. */
record PeerArguments(List<String> ofServer, List<String> ofClient)
{
    private static final String MTU_KEY = "peer.mtu";
    /** Aeron's default. */
    private static final String TERM_LENGTH = "peer.term.length=16m";
    private static final String WAIT_KEY = "peer.append.wait.us";
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    /** For a server thread and a client thread that poll, with a core each. */
    private static final List<String> YIELDING = List.of("--idle", "yield");

    /**
     * Arguments for a cell: an idle strategy for a peer that polls, for one with an MTU that of the report and, if there is a
     * report, Aeron's default term length; for one that waits to collect requests no wait where there is only one of them.
     */
    static PeerArguments of(final Peer peer, final WorkloadCell cell)
    {
        final List<String> idle = peer.isPolling() && CORES >= 2 ? YIELDING : List.of();
        final List<String> both = new ArrayList<>();
        if (hasSetting(peer, MTU_KEY))
        {
            both.add(MTU_KEY + "=" + cell.workload().published().aeronMtu());
            // Not for a search, which no report has: its trials would measure how the terms of earlier ones are freed.
            both.addAll(Workload.Published.NONE.equals(cell.workload().published()) ? List.of() : List.of(TERM_LENGTH));
        }
        final List<String> ofServer = new ArrayList<>(idle);
        ofServer.addAll(hasSetting(peer, WAIT_KEY) && cell.isOneByOne() ? List.of("--set", WAIT_KEY + "=0") : List.of());
        both.forEach((setting) -> ofServer.addAll(List.of("--set", setting)));
        final List<String> ofClient = new ArrayList<>(idle);
        both.forEach((setting) -> ofClient.addAll(List.of("--transport-set", setting)));
        return new PeerArguments(ofServer, ofClient);
    }

    private static boolean hasSetting(final Peer peer, final String key)
    {
        return peer.settings().stream().anyMatch((setting) -> key.equals(setting.key()));
    }
}
