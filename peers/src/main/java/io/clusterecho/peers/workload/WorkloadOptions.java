package io.clusterecho.peers.workload;

import java.util.List;

import io.clusterecho.client.load.Cores;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.peers.session.OneWayTransport;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Option;

/**
 * Which server a workload is directed at.
 */
final class WorkloadOptions
{
    @Option(names = "--transport", paramLabel = "NAME", required = true, completionCandidates = PeerNames.class,
        description = "What carries the messages: one of ${COMPLETION-CANDIDATES}.")
    String transport;

    @Option(names = "--endpoints", paramLabel = "TEXT", description = "Where the server is. Default: where it is by default.")
    String endpoints;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE", description = "Setting of the transport; may be given again.")
    List<String> assignments = List.of();

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s",
        description = "How long a session is waited for. Default: ${DEFAULT-VALUE}.")
    String connectTimeout;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What the client does while there is nothing to do: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Idle idle;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    boolean isJson;

    /**
     * Open a session.
     *
     * @param load        that it is for, which its peer must know.
     * @param lengthBytes of the longest message.
     */
    Session open(final Peer.Load load, final int lengthBytes)
    {
        final Peer peer = PeerNames.peer("--transport", transport);
        if (!peer.loads().contains(load))
        {
            throw new InvalidSettingException("--transport", transport, "one of " + String.join(", ", PeerNames.that(load)));
        }

        final TransportConnector connector = peer.newConnector(new TransportRequest(
            endpoints, lengthBytes, 1, Cores.areFew(),
            new Settings("peer.", peer.settings()).putAssignments(assignments, "--transport-set"),
            (error) -> System.err.println("warning: " + error)));
        try
        {
            final OneWayTransport newTransport = (OneWayTransport)connector.newTransport();
            newTransport.connect(durationNs("--connect-timeout", connectTimeout));
            return new Session(connector, newTransport);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(connector);
            throw ex;
        }
    }

    IdleStrategy idleStrategy()
    {
        return idle.strategy();
    }

    static long durationNs(final String option, final String text)
    {
        try
        {
            return Quantity.parseDurationNs(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(option, text, ex.getMessage());
        }
    }

    static long count(final String option, final String text)
    {
        try
        {
            return Quantity.parseRate(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(option, text, "a whole number from 1 with an optional k or M, as in 100M");
        }
    }

    /**
     * An open session and what belongs to it.
     */
    record Session(TransportConnector connector, OneWayTransport transport) implements AutoCloseable
    {
        @Override
        public void close()
        {
            CloseHelper.quietClose(transport);
            CloseHelper.quietClose(connector);
        }
    }
}
