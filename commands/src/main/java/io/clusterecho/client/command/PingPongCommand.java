package io.clusterecho.client.command;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.ClosedLoop;
import io.clusterecho.client.load.ClosedLoopResult;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.Percentile;
import io.clusterecho.client.results.ResultDocuments;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.Interruption;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.IdleStrategy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A closed loop: a fixed number of messages under way.
 */
@Command(
    name = "ping-pong",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Keeps a number of messages under way: each reply sends the next.",
    description = {
        "",
        "Shows the round trip when nobody waits in line, and the rate that a number of callers reaches. Unlike a run at a " +
        "fixed rate it charges a stall to the messages under way only. Options of the schedule are refused.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:good", " 1:internal error", " 2:usage", " 3:not connected",
        " 4:messages lost or damaged, no replies any more, or a result that is not whole",
        "130:interrupted" })
public final class PingPongCommand implements Callable<Integer>
{
    private static final String FILE_NAME = DocumentKind.PING_PONG.fileName();
    private static final List<String> OF_A_SCHEDULE = List.of(
        "--rate", "--batch", "--arrivals", "--seed", "--warm-up", "--drain-timeout", "--late-after", "--delivery",
        "--resend-after", "--unacknowledged", "--at-bound", "--interval", "--assert");
    private static final long SILENCE_TIMEOUT_NS = 10_000_000_000L;
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "1", converter = Converters.PositiveInt.class,
        description = "Messages under way at once over all sessions. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--count", paramLabel = "N", defaultValue = "1M", converter = Converters.Rate.class,
        description = "Round trips to measure, as 10k or 1M. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = "--warm-up-count", paramLabel = "N", defaultValue = "100k", converter = Converters.Rate.class,
        description = "Round trips before them. Default: ${DEFAULT-VALUE}.")
    private long warmUpCount;

    @Option(names = "--time-limit", paramLabel = "TIME", defaultValue = "10m", converter = Converters.Duration.class,
        description = "Time after which the warm-up ends, and the measured part too, with what it has. " +
        "Default: ${DEFAULT-VALUE}.")
    private long timeLimitNs;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    PingPongCommand()
    {
    }

    @Override
    public Integer call()
    {
        for (final String option : OF_A_SCHEDULE)
        {
            if (spec.commandLine().getParseResult().hasMatchedOption(option))
            {
                throw new InvalidSettingException(option, "given", "not given: a closed loop has no schedule");
            }
        }
        final RunConfig config = options.config(spec);
        if (config.load().isStaged())
        {
            throw new InvalidSettingException("--stages", true, "not given: a closed loop tells of round trips only");
        }
        config.clients().checkAlone("ping-pong");
        final int sessionCount = config.load().sessionCount();
        final int lengthBytes = (int)config.load().lengthBytes();
        if (concurrency < sessionCount)
        {
            throw new InvalidSettingException("--concurrency", concurrency, "at least --connections=" + sessionCount);
        }

        final Target target = new Target(config);
        target.checkLength();
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        final Thread main = Thread.currentThread();
        final ClosedLoop[] loop = new ClosedLoop[1];
        Interruption.install(() -> onInterrupt(loop, main));
        final ClosedLoopResult result;
        final String scheduling;
        try (Sessions sessions = open(target, sessionCount, lengthBytes, folder))
        {
            final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount);
            synchronized (loop)
            {
                loop[0] = new ClosedLoop(
                    sessions.transports(), lengthBytes, concurrency, warmUpCount, count,
                    firstClientId, SILENCE_TIMEOUT_NS, timeLimitNs);
            }
            final IdleStrategy idleStrategy = config.threads().idleStrategy();
            final AgentThreads threads = config.threads().agents(target.leaderCore(), false);
            threads.enter(0);
            result = loop[0].run(idleStrategy);
            threads.release();
            scheduling = threads.outcome();
        }

        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile("round-trip.hgrm", () -> folder.writePercentiles("round-trip.hgrm", result.roundTrips()));
        documents.add(FILE_NAME, (verdict) -> json(config, target, start, result, verdict, scheduling, path));
        final Verdict verdict = documents.write((problems) -> Verdict.of(result, problems));
        System.out.print(isJson ? documents.text(FILE_NAME) : text(config, result, verdict, path));
        System.out.flush();
        return verdict.exitStatus();
    }

    private static Sessions open(
        final Target target, final int sessionCount, final int lengthBytes, final ResultFolder folder)
    {
        try
        {
            return target.open(sessionCount, lengthBytes);
        }
        catch (final RuntimeException ex)
        {
            folder.discard();
            throw ex;
        }
    }

    private static void onInterrupt(final ClosedLoop[] loop, final Thread main)
    {
        synchronized (loop)
        {
            if (null == loop[0])
            {
                main.interrupt();
            }
            else
            {
                loop[0].requestEnd();
            }
        }
    }

    private String text(final RunConfig config, final ClosedLoopResult result, final Verdict verdict, final String path)
    {
        final StringBuilder text = new StringBuilder(512);
        text.append(verdict.label()).append("  ").append(config.label()).append('\n');
        verdict.allReasons().forEach((reason) -> text.append("  ! ").append(reason).append('\n'));
        text.append(String.format(
            Locale.ROOT, "%nrate       %,.1f/s with %d under way%nmessages   %,d round trips, lost %d, damaged %d%nround trip",
            result.ratePerSecond(), concurrency, result.count(), result.lost(), result.damaged()));
        for (final Percentile percentile : Percentile.values())
        {
            text.append("  ").append(percentile.label()).append(' ')
                .append(Quantity.formatNs(percentile.of(result.roundTrips())));
        }
        return text.append("\nresults in ").append(path).append('\n').toString();
    }

    private String json(
        final RunConfig config,
        final Target target,
        final Instant start,
        final ClosedLoopResult result,
        final Verdict verdict,
        final String scheduling,
        final String path)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", DocumentKind.PING_PONG.format());
        root.put("label", config.label());
        root.put("start", start.toString());
        Manifest.putVerdict(root.putObject("verdict"), verdict);
        root.put("good", verdict.isGood());
        root.put("failure", verdict.isGood() ? null : String.join("; ", verdict.allReasons()));
        root.put("concurrency", concurrency);
        root.put("count", result.count());
        root.put("lost", result.lost());
        root.put("damaged", result.damaged());
        root.put("durationNs", result.durationNs());
        root.put("ratePerSecond", Math.round(result.ratePerSecond() * 10) / 10.0);
        final ObjectNode times = root.putObject("roundTripNs");
        for (final Percentile percentile : Percentile.values())
        {
            times.put(percentile.label(), percentile.of(result.roundTrips()));
        }
        times.put("min", 0 == result.count() ? 0 : result.roundTrips().getMinValue());
        times.put("p99.5", 0 == result.count() ? 0 : result.roundTrips().getValueAtPercentile(99.5));
        root.put("durability", target.durability());
        root.put("placement", target.placementWords());
        root.put("resultFolder", path);
        root.put("commandLine", config.commandLine());
        final ObjectNode configuration = root.putObject("configuration");
        putAll(configuration, config.options());
        configuration.put("threads", scheduling);
        putAll(root.putObject("cluster"), target.settings());
        putAll(root.putObject("versions"), BuildFacts.versions());
        putAll(root.putObject("machine"), MachineFacts.machine());
        putAll(root.putObject("jvm"), MachineFacts.jvm());
        try
        {
            return MAPPER.writeValueAsString(root) + "\n";
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a tree of plain values must be writable as JSON", ex);
        }
    }

    private static void putAll(final ObjectNode node, final Map<String, String> values)
    {
        values.forEach(node::put);
    }
}
