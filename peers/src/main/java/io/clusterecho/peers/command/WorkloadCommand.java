package io.clusterecho.peers.command;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.OneWayTransport;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;
import io.clusterecho.threads.Cores;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Option;

/** A load on one session: the options of its server and its warm-up, and its result as JSON or as a line of text. */
abstract class WorkloadCommand implements Callable<Integer>
{
    @Option(names = "--transport", paramLabel = "NAME", required = true, completionCandidates = Peer.Names.class,
        description = "Transport: ${COMPLETION-CANDIDATES}.")
    private String transport;

    @Option(names = "--endpoints", paramLabel = "TEXT", description = "Address of the server. Default: that of serve.")
    private String endpoints;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE", description = "Setting of the transport. Repeatable.")
    private List<String> assignments = List.of();

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s",
        description = "Connect timeout. Default: ${DEFAULT-VALUE}.")
    private String connectTimeout;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of the client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = "--warm-up", paramLabel = "TIME", defaultValue = "2s",
        description = "The same load before the measured time: a time; auto, until its pace is steady, 60s at most; " +
            "auto:TIME, with that limit; or auto:TIME..TIME, with a shortest one too. Default: ${DEFAULT-VALUE}.")
    private String warmUp;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    /** A load that has not begun. */
    @FunctionalInterface
    interface Load
    {
        Result run(OneWayTransport transport, LoopWarmUp warmUp, IdleStrategy idleStrategy);
    }

    /**
     * What a load came to.
     *
     * @param format  of its document.
     * @param figures fields of the document after those of the head.
     * @param text    of figures and warm-up, for a person.
     */
    record Result(String format, boolean isGood, Object figures, String text)
    {
    }

    /** The first fields of all documents. */
    record Head(
        String format, String start, String transport, boolean good, WarmUpEnd warmUp, Map<String, String> cluster,
        Map<String, String> versions, Map<String, String> machine)
    {
    }

    /**
     * Run a load on a new session, print its result, and return the exit status.
     *
     * @param kind which the peer must support.
     */
    final int run(final Peer.Load kind, final int lengthBytes, final Load load)
    {
        final LoopWarmUp time = parsed("--warm-up", warmUp, (text) -> LoopWarmUp.of(WarmUpTime.parse(text)));
        final Peer peer = Peer.of("--transport", transport);
        InvalidSettingException.throwIf(
            !peer.loads().contains(kind), "--transport", transport, "one of " + Peer.all().stream()
            .filter((one) -> one.loads().contains(kind)).map(Peer::name).collect(Collectors.joining(", ")));

        final TransportConnector connector = peer.newConnector(new TransportRequest(
            endpoints, lengthBytes, 1, Cores.areFew(),
            new Settings("peer.", peer.settings()).putAssignments(assignments, "--transport-set"),
            (error) -> System.err.println("warning: " + error)));
        OneWayTransport session = null;
        final Result result;
        try
        {
            session = (OneWayTransport)connector.newTransport();
            session.connect(parsed("--connect-timeout", connectTimeout, Quantity::parseDurationNs));
            result = load.run(session, time, idle.strategy());
        }
        finally
        {
            CloseHelper.quietCloseAll(session, connector);
        }
        System.out.print(isJson ? document(peer, time, result) :
            (result.isGood() ? "GOOD  " : "FAILED  ") + result.text() + "\n");
        System.out.flush();
        return result.isGood() ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    private String document(final Peer peer, final LoopWarmUp time, final Result result)
    {
        final ObjectNode document = (ObjectNode)Documents.tree(new Head(
            result.format(), Instant.now().toString(), transport, result.isGood(), time.end(), peer.facts(),
            BuildFacts.versions(), MachineFacts.machine()));
        document.setAll((ObjectNode)Documents.tree(result.figures()));
        return Documents.text(document);
    }

    /** Message length in bytes, from 1 to the maximum of the peer. */
    int lengthBytes(final String option, final String text)
    {
        final long max = Peer.of("--transport", transport).maxLengthBytes();
        final long length = parsed(option, text, Quantity::parseSize);
        InvalidSettingException.throwIf(length < 1 || length > max, option, text, "1 to " + max + " bytes");
        return (int)length;
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
}
