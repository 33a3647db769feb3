package io.clusterecho.peers.command;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.host.Processors;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.Prices;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A load on one session: the options of its server and its warm-up, and its result as JSON or as a line of text. */
@Command(mixinStandardHelpOptions = true)
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
        Result run(Transport transport, LoopWarmUp warmUp, IdleStrategy idleStrategy);
    }

    /**
     * What a load came to.
     *
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

    /** Run a load, of a kind that the peer must support, on a new session, print its result, and return the exit status. */
    final int run(final String kind, final int lengthBytes, final Load load)
    {
        final LoopWarmUp time = InvalidSettingException.parsed(
            "--warm-up", warmUp, null, (text) -> LoopWarmUp.of(WarmUpTime.parse(text)));
        final Peer peer = Peer.of("--transport", transport);
        InvalidSettingException.throwIf(
            !peer.loads().contains(kind), "--transport", transport, "one of " + Peer.all().stream()
            .filter((one) -> one.loads().contains(kind)).map(Peer::name).collect(Collectors.joining(", ")));

        final TransportConnector connector = peer.newConnector(new TransportRequest(
            endpoints, lengthBytes, 1, Processors.areFew(),
            new Settings("peer.", peer.settings()).putAssignments(assignments, "--transport-set"),
            (error) -> System.err.println("warning: " + error)));
        Transport session = null;
        final Result result;
        try
        {
            session = connector.newTransport();
            session.connect(InvalidSettingException.parsed("--connect-timeout", connectTimeout, null, Quantity::parseDurationNs));
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
        final long length = InvalidSettingException.parsed(option, text, null, Quantity::parseSize);
        InvalidSettingException.throwIf(length < 1 || length > max, option, text, "1 to " + max + " bytes");
        return (int)length;
    }

    @Command(
        name = "price-stream",
        header = "Request a stream of prices and receive it at full speed.",
        description = {
            "",
            "The content of a price is one long and five ints, 28 bytes, which each system serializes and parses in its own " +
            "way. The client checks all values. One request starts the stream. Shorter streams before it are the warm-up.", "" },
        exitCodeList = { "0:all prices arrived in order", "2:invalid usage", "3:not connected", "4:prices missing or wrong" })
    static final class PriceStreamCommand extends WorkloadCommand
    {
        @Option(names = "--count", paramLabel = "N", defaultValue = "100M",
            description = "Number of prices, for instance 100k or 100M. Default: ${DEFAULT-VALUE}.")
        private String count;

        @Override
        public Integer call()
        {
            final long wanted = InvalidSettingException.parsed("--count", count, null, Quantity::parseRate);
            return run(TransportKind.PRICE_STREAM, Prices.ENCODED_LENGTH, (transport, warmUp, idleStrategy) ->
            {
                PriceStream.warmUp(transport, wanted, warmUp, idleStrategy);
                return new PriceStream(transport, wanted).run(idleStrategy).result(warmUp);
            });
        }
    }

    @Command(
        name = "one-way",
        header = "Send messages one way at full speed.",
        description = { "", "The server counts the messages and reports its counts at the end.", "" },
        exitCodeList = { "0:all messages arrived", "2:invalid usage", "3:not connected", "4:messages missing" })
    static final class OneWayCommand extends WorkloadCommand
    {
        @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
            description = "Message length, from 1. Default: ${DEFAULT-VALUE}.")
        private String size;

        @Option(names = "--duration", paramLabel = "TIME", defaultValue = "5s",
            description = "Measured time. Default: ${DEFAULT-VALUE}.")
        private String duration;

        @Override
        public Integer call()
        {
            final int length = lengthBytes("--size", size);
            final long timeNs = InvalidSettingException.parsed("--duration", duration, null, Quantity::parseDurationNs);
            return run(TransportKind.ONE_WAY, length, (transport, warmUp, idleStrategy) ->
                new OneWay(transport, length).run(warmUp, timeNs, idleStrategy));
        }
    }

    @Command(
        name = "calls",
        header = "Make calls that return their bytes, several in flight at once.",
        description = {
            "",
            "A closed loop over one session. The client checks the bytes of each reply. A call without a reply for 1 s is lost.",
            "" },
        exitCodeList = { "0:all calls were answered", "2:invalid usage", "3:not connected", "4:calls lost or wrong" })
    static final class CallsCommand extends WorkloadCommand
    {
        private static final int MAX_CONCURRENCY = 4_096;

        @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
            description = "Length of the bytes in request and reply, from 1. Default: ${DEFAULT-VALUE}.")
        private String size;

        @Option(names = "--concurrency", paramLabel = "N", defaultValue = "64",
            description = "Calls in flight at once. Default: ${DEFAULT-VALUE}.")
        private String concurrency;

        @Option(names = "--duration", paramLabel = "TIME", defaultValue = "5s",
            description = "Measured time. Default: ${DEFAULT-VALUE}.")
        private String duration;

        @Override
        public Integer call()
        {
            final int length = lengthBytes("--size", size);
            final long inFlight = InvalidSettingException.parsed("--concurrency", concurrency, null, Quantity::parseRate);
            InvalidSettingException.throwIf(inFlight > MAX_CONCURRENCY, "--concurrency", concurrency, "1 to " + MAX_CONCURRENCY);

            final long timeNs = InvalidSettingException.parsed("--duration", duration, null, Quantity::parseDurationNs);
            return run(TransportKind.CALLS, length, (transport, warmUp, idleStrategy) ->
                new Calls(transport, length, (int)inFlight).run(warmUp, timeNs, idleStrategy));
        }
    }
}
