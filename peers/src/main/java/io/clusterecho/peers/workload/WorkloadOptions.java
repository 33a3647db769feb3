package io.clusterecho.peers.workload;

import java.util.List;
import java.util.function.Function;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.peers.session.OneWayTransport;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;
import io.clusterecho.threads.Cores;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Option;

/** Options that select the server of a workload. */
final class WorkloadOptions
{
    @Option(names = "--transport", paramLabel = "NAME", required = true, completionCandidates = PeerNames.class,
        description = "Transport: ${COMPLETION-CANDIDATES}.")
    String transport;

    @Option(names = "--endpoints", paramLabel = "TEXT", description = "Address of the server. Default: that of serve.")
    String endpoints;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE", description = "Setting of the transport. Repeatable.")
    List<String> assignments = List.of();

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s",
        description = "Connect timeout. Default: ${DEFAULT-VALUE}.")
    String connectTimeout;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of the client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Idle idle;

    @Option(names = "--warm-up", paramLabel = "TIME", defaultValue = "2s",
        description = "The same load before the measured time: a time; auto, until its pace is steady, 60s at most; " +
            "auto:TIME, with that limit; or auto:TIME..TIME, with a shortest one too. Default: ${DEFAULT-VALUE}.")
    private String warmUp;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    /**
     * Open a session.
     *
     * @param load        kind of load, which the peer must support.
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
            newTransport.connect(parsed("--connect-timeout", connectTimeout, Quantity::parseDurationNs));
            return new Session(connector, newTransport);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(connector);
            throw ex;
        }
    }

    /** Message length in bytes, from 1 to the maximum of the peer. */
    int lengthBytes(final String option, final String text)
    {
        final long max = PeerNames.peer("--transport", transport).maxLengthBytes();
        final long length = parsed(option, text, Quantity::parseSize);
        if (length < 1 || length > max)
        {
            throw new InvalidSettingException(option, text, "1 to " + max + " bytes");
        }
        return (int)length;
    }

    IdleStrategy idleStrategy()
    {
        return idle.strategy();
    }

    WarmUp warmUp()
    {
        return parsed("--warm-up", warmUp, (text) -> WarmUp.of(WarmUpTime.parse(text)));
    }

    /** Print the result, as its document or as text, and return the exit status. */
    int print(final Object document, final boolean isGood, final String text)
    {
        System.out.print(isJson ? Documents.text(document) : (isGood ? "GOOD  " : "FAILED  ") + text + "\n");
        System.out.flush();
        return isGood ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    static <T> T parsed(final String option, final String text, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(option, text, ex.getMessage());
        }
    }

    /** An open session and its connector. */
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
