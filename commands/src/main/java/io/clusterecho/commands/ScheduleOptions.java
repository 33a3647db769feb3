package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.EndRules;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.MixConfig;
import io.clusterecho.client.run.OptionTexts;
import io.clusterecho.client.run.TraceFile;
import io.clusterecho.client.schedule.ConstantRate;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.schedule.Trace;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** What is offered, and when: the schedule of the messages and their length. */
@OptionGroup(OptionGroup.Heading.LOAD)
final class ScheduleOptions
{
    static final String RATE = "--rate";
    static final String SIZE = "--size";
    static final String KIND = "--kind";
    static final String TRACE = "--trace";
    static final String CONNECTIONS = "--connections";
    static final String WARM_UP = "--warm-up";

    @Option(names = { RATE, "-r" }, paramLabel = "N", defaultValue = "10k",
        description = "Messages per second over all sessions and clients, such as 1.5k or 1M; or a rate that varies over the " +
        "measured window: steps:10k*5s,50k*5s, ramp:1k..50k/30s, sine:2k..20k/10s or on-off:20k*1s/500ms. " +
        "Default: ${DEFAULT-VALUE}.")
    private RateProfile rate;

    @Option(names = { SIZE, "-s" }, paramLabel = "BYTES", defaultValue = "288",
        description = "Length of a message in bytes, 32 or more, such as 288 or 2KB; a range, such as 1k..64k; or several with " +
            "weights, such as 288*90,1344*9,16k*1. Default: ${DEFAULT-VALUE}.")
    private MixConfig lengths;

    @Option(names = KIND, paramLabel = "NAME:RATE:BYTES",
        description = "A kind of message with its own rate and length, such as orders:10k:288, instead of --rate and --size; " +
            "repeatable. Results are reported by kind too.")
    private List<MixConfig.Kind> kinds = new ArrayList<>();

    @Option(names = TRACE, paramLabel = "FILE",
        description = "Replay a recorded load instead of --rate and --size: CSV with a header and the columns time_s or " +
            "time_ns, and bytes. The trace begins with the measured window; the warm-up has its mean rate.")
    private Path traceFile;

    @Option(names = "--trace-speed", paramLabel = "FACTOR", defaultValue = "1", converter = Converters.Speed.class,
        description = "Replay the trace this much faster, 0.001 to 1000. Default: ${DEFAULT-VALUE}.")
    private double traceSpeed;

    @Option(names = "--trace-repeat", description = "Begin the trace again after its end.")
    private boolean isTraceRepeated;

    @Option(names = "--trace-digest", paramLabel = "HEX",
        description = "Expected digest of the trace, as recorded in results. Default: not checked.")
    private String traceDigest;

    private Trace trace;

    @Option(names = { CONNECTIONS, "--sessions" }, paramLabel = "N", defaultValue = "1",
        converter = Converters.PositiveInt.class,
        description = "Sessions, used round-robin, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int sessionCount;

    @Option(names = WARM_UP, paramLabel = "TIME", defaultValue = "10s",
        description = "Load before the measured window; at the same rate (of a varying rate, the first). A time; auto, until " +
        "response times are steady, 60s at most; auto:TIME, with that limit; or auto:TIME..TIME, with a shortest one too. " +
        "Default: ${DEFAULT-VALUE}.")
    private WarmUpTime warmUp;

    @Option(names = "--drain-timeout", paramLabel = "TIME", defaultValue = "5s", converter = Converters.Duration.class,
        description = "Longest wait for replies and late sends after the measured window. Default: ${DEFAULT-VALUE}.")
    private long drainTimeoutNs;

    @Option(names = "--late-after", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Response time above which a reply counts as late. Default: ${DEFAULT-VALUE}.")
    private long lateAfterNs;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "1", converter = Converters.PositiveInt.class,
        description = "Messages with the same intended send time. Default: ${DEFAULT-VALUE}.")
    private int batchLength;

    @Option(names = "--arrivals", paramLabel = "PROCESS", defaultValue = "constant",
        description = "Arrival process: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private LoadConfig.Arrivals arrivals;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of Poisson arrivals and of randomly drawn kinds and lengths. Default: ${DEFAULT-VALUE}.")
    private long seed;

    /** The load, for the command that holds these options. */
    LoadConfig config(final CommandSpec spec, final Delivery delivery, final boolean isStaged)
    {
        if (null != traceFile)
        {
            trace = TraceFile.read(traceFile, traceSpeed, isTraceRepeated, traceDigest);
        }
        checkReplaced(spec);
        return new LoadConfig(
            rateOfLoad(), null == trace ? lengths.with(kinds) : MixConfig.of(trace), warmUp.longestNs(), drainTimeoutNs,
            lateAfterNs, sessionCount, batchLength, arrivals, seed, delivery, isStaged,
            warmUp.isAuto() ? new EndRules(true, warmUp.shortestNs(), null) : EndRules.NONE);
    }

    /** What a trace or kinds replace must not be given in the same place. The command line wins over a file, and says so. */
    private void checkReplaced(final CommandSpec spec)
    {
        final ParseResult given = spec.commandLine().getParseResult();
        final String by = null == trace ? KIND : TRACE;
        final String reason = (null == trace ? ": each kind" : ": a trace") + " has its own";
        final boolean isTyped = given.hasMatchedOption(by);
        final List<String> ofFiles = new ArrayList<>();
        for (final String option : replaced().stream().sorted().toList())
        {
            final String value = given.hasMatchedOption(option) ?
                given.matchedOption(option).originalStringValues().get(0) : OptionFile.value(spec, option);
            InvalidSettingException.throwIf(
                null != value && (given.hasMatchedOption(option) || !isTyped), option, value, "not given with " + by + reason);
            if (null != value)
            {
                ofFiles.add(option + "=" + value);
            }
        }
        if (!ofFiles.isEmpty())
        {
            System.err.println(
                "warning: " + by + " replaces " + String.join(" and ", ofFiles) + " of " + OptionFile.OPTION + reason);
        }
    }

    /** Rate, which is that of a trace or the sum of all kinds if there are any. */
    private RateProfile rateOfLoad()
    {
        return null != trace ? trace : kinds.isEmpty() ? rate : new ConstantRate(lengths.with(kinds).ratePerSecond());
    }

    /** The options that have an effect, of all options of a command; after the load was made. */
    OptionTexts inEffect(final OptionTexts all)
    {
        final Set<String> without = new HashSet<>();
        replaced().forEach((option) -> without.add(option.substring(2)));
        if (kinds.isEmpty())
        {
            without.add("kind");
        }
        if (null == trace)
        {
            without.addAll(List.of("trace-speed", "trace-repeat", "trace-digest"));
            return all.without(without);
        }

        // A worker elsewhere must not replay another file of the same name.
        return all.without(without).with("trace-digest", trace.digest());
    }

    /** Options that a trace or kinds of messages replace: none without them. */
    private Set<String> replaced()
    {
        return null != traceFile ? Set.of(RATE, SIZE, KIND, "--arrivals", "--batch") :
            kinds.isEmpty() ? Set.of() : Set.of(RATE, SIZE);
    }
}
