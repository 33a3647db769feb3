package io.clusterecho.client.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.client.transport.cluster.StreamFlow;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.settings.Quantity;

/**
 * Whether terms and windows bear the rate of a load over the distances of a placement, whoever leads; and the terms of the
 * client, which are its own to choose. Distances that are not emulated are not known beforehand.
 */
public final class ClusterFlows
{
    private static final String WINDOW_KEY = "aeron.rcv.initial.window.length";
    private static final int MAX_INGRESS_TERM_LENGTH = 1 << 27;
    private static final String MORE_SESSIONS = "more --connections, since each has a window of its own";

    private final RunConfig config;
    private final Map<String, String> settings;
    private final long mtuLength;
    private final long clientNs;
    private final long quorumNs;

    /**
     * Flows of a load.
     *
     * @param config    of it.
     * @param settings  of the cluster, as far as they are known.
     * @param mtuLength of the channels in bytes.
     * @param placement that is emulated, or empty.
     */
    public ClusterFlows(
        final RunConfig config,
        final Map<String, String> settings,
        final long mtuLength,
        final Optional<Placement> placement)
    {
        this.config = config;
        this.settings = settings;
        this.mtuLength = mtuLength;
        clientNs = placement.map(Placement::longestClientNs).orElse(0L);
        quorumNs = placement.map(Placement::longestQuorumNs).orElse(0L);
    }

    /**
     * Term length of the ingress channel: what the length of messages needs, and no less than the rate needs over the distance.
     */
    public int ingressTermLength()
    {
        final long needed = StreamFlow.termLength(bytesPerSecondOfSession(), clientNs);
        return (int)Math.max(config.load().ingressTermLength(), Math.min(MAX_INGRESS_TERM_LENGTH, needed));
    }

    /**
     * What was derived from the distance, for the record.
     */
    public Map<String, String> derived()
    {
        return ingressTermLength() == config.load().ingressTermLength() ? Map.of() :
            Map.of("ingress-term-length", String.valueOf(ingressTermLength()));
    }

    /**
     * Which streams are held back, each with what to change.
     */
    public List<String> warnings()
    {
        if (settings.isEmpty())
        {
            return List.of();
        }

        final long memberWindow = length(WINDOW_KEY, SocketBuffers.windowLength((int)mtuLength));
        final String windows =
            "a longer " + WINDOW_KEY + " of the members, with aeron.socket.so_rcvbuf and net.core.rmem_max of twice that";
        return List.of(
            new StreamFlow(
                "ingress of a session", bytesPerSecondOfSession(), clientNs, memberWindow, windows + ", or " + MORE_SESSIONS,
                ingressTermLength(), MORE_SESSIONS + ", instead of terms"),
            new StreamFlow(
                "log", bytesPerSecond(), quorumNs, memberWindow, windows,
                length(NodeSettings.LOG_TERM_LENGTH.key(), Long.MAX_VALUE), NodeSettings.LOG_TERM_LENGTH.key()),
            new StreamFlow(
                "egress of a session", bytesPerSecondOfSession(), clientNs, SocketBuffers.windowLength((int)mtuLength),
                MORE_SESSIONS, length(NodeSettings.CLIENT_TERM_LENGTH.key(), Long.MAX_VALUE),
                NodeSettings.CLIENT_TERM_LENGTH.key()))
            .stream().flatMap((flow) -> flow.warning().stream()).toList();
    }

    private double bytesPerSecond()
    {
        return (double)config.load().ratePerSecond() * StreamFlow.frameLength(config.load().lengthBytes(), mtuLength);
    }

    private double bytesPerSecondOfSession()
    {
        return bytesPerSecond() / config.load().sessionCount() / config.clients().count();
    }

    private long length(final String key, final long otherwise)
    {
        return settings.containsKey(key) ? Quantity.parseSize(settings.get(key)) : otherwise;
    }
}
