package io.clusterecho.client.run;

import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.client.transport.cluster.StreamFlow;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.LocalMember;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.service.ServiceTime;
import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * Checks whether term buffers and windows sustain the rate of a load over the delays of a placement, whichever member leads,
 * and disks its log, and chooses the client's term length. Delays that are not emulated are not known in advance.
 *
 * @param settings of the cluster as far as known.
 */
public record ClusterFlows(
    RunConfig config, Map<String, String> settings, long mtuLength, Optional<Placement> placement)
{
    private static final String WINDOW_KEY = "aeron.rcv.initial.window.length";
    private static final int MAX_INGRESS_TERM_LENGTH = 1 << 27;
    private static final String MORE_SESSIONS = "more --connections, as each has its own window";

    private long clientNs()
    {
        return placement.map(Placement::longestClientNs).orElse(0L);
    }

    /** Term length of the ingress channel: enough for the message length and for the rate over the delay. */
    public int ingressTermLength()
    {
        final long needed = StreamFlow.termLength(bytesPerSecondOfSession(), clientNs());
        return (int)Math.max(config.load().ingressTermLength(), Math.min(MAX_INGRESS_TERM_LENGTH, needed));
    }

    /** Settings derived from the delay, for the record. */
    public Map<String, String> derived()
    {
        return ingressTermLength() == config.load().ingressTermLength() ? Map.of() :
            Map.of("ingress-term-length", String.valueOf(ingressTermLength()));
    }

    /** A warning with advice for each stream that is limited by flow control. */
    public List<String> warnings()
    {
        if (settings.isEmpty())
        {
            return List.of();
        }

        final long memberWindow = length(WINDOW_KEY, SocketBuffers.windowLength((int)mtuLength));
        final String windows =
            "a longer " + WINDOW_KEY + " of the members, with aeron.socket.so_rcvbuf and net.core.rmem_max twice as large";
        return List.of(
            new StreamFlow(
                "ingress of a session", bytesPerSecondOfSession(), clientNs(), memberWindow, windows + ", or " + MORE_SESSIONS,
                ingressTermLength(), MORE_SESSIONS + ", instead of terms"),
            new StreamFlow(
                "log", bytesPerSecond(), placement.map(Placement::longestQuorumNs).orElse(0L), memberWindow, windows,
                length(NodeSettings.LOG_TERM_LENGTH.key(), Long.MAX_VALUE), NodeSettings.LOG_TERM_LENGTH.key()),
            new StreamFlow(
                // A receiver gets the replies to all messages.
                "egress of a session", config.target().receiverCount() > 0 ? bytesPerSecond() : bytesPerSecondOfSession(),
                clientNs(), SocketBuffers.windowLength((int)mtuLength), MORE_SESSIONS,
                length(NodeSettings.CLIENT_TERM_LENGTH.key(), Long.MAX_VALUE),
                NodeSettings.CLIENT_TERM_LENGTH.key()))
            .stream().flatMap((flow) -> flow.warning().stream()).toList();
    }

    /** A warning if the service is offered as much as it can do: the response time then grows for as long as the load lasts. */
    static Optional<String> capacityWarning(final Map<String, String> settings, final long ratePerSecond)
    {
        final String key = NodeSettings.SERVICE_TIME.key();
        final String text = settings.getOrDefault(key, ServiceTime.NONE);
        final double offered = (double)ServiceTime.of(text).timeNs() * ratePerSecond / 1e9;
        return offered < 1 ? Optional.empty() : Optional.of(Lines.text(
            "the members' service cannot keep up: with %s=%s it processes at most %,.0f messages/s, and the load of %,d/s " +
            "needs %.0f%% of its time", key, text, ratePerSecond / offered, ratePerSecond, 100 * offered));
    }

    /** What a load adds to the log of each member, in bytes. */
    public long logLength(final long measuredNs)
    {
        final long messageCount = config.load().warmUpCount() + config.load().count(measuredNs);
        return (long)(bytesPerSecond() / config.load().rate().highestRatePerSecond() * messageCount);
    }

    /** Check that no disk of members on this machine is full before the load ends, unless logs are purged meanwhile. */
    void checkDisks(final List<ClusterMember> members, final Path baseDir, final String option, final long measuredNs)
    {
        Io.run("cannot determine the free space below " + baseDir, () ->
        {
            final Map<FileStore, Integer> counts = new LinkedHashMap<>();
            for (final ClusterMember member : members)
            {
                if (member instanceof LocalMember && Files.exists(member.dir()))
                {
                    counts.merge(Files.getFileStore(member.dir()), 1, Integer::sum);
                }
            }
            for (final Map.Entry<FileStore, Integer> disk : counts.entrySet())
            {
                final long free = disk.getKey().getUsableSpace();
                final double needed = (double)logLength(measuredNs) * disk.getValue();
                InvalidSettingException.throwIf(
                    free < needed && !RecordedClusters.areRetained(), option, measuredNs + "ns", Lines.text(
                    "at most %s at this rate: the logs of %d members on %s grow by %,.1f MB a second, and it " +
                    "has %.1f GB free; or purge them meanwhile with %s",
                    Quantity.formatNs((long)(measuredNs * (free / needed))), disk.getValue(), disk.getKey().name(),
                    needed / measuredNs * 1e3, free / 1e9, Endings.command("retain --every 1m", baseDir)));
            }
        });
    }

    private double bytesPerSecond()
    {
        return config.load().messages().kinds().stream()
            .mapToDouble((kind) -> kind.ratePerSecond() * StreamFlow.frameLength(Math.round(kind.meanLengthBytes()), mtuLength))
            .sum();
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
