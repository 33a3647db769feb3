package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.Share;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.schedule.Trace;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.BitUtil;

/**
 * What is offered, and when: the schedule of the messages, their lengths, and what is done about those that may be lost.
 *
 * @param rate         over all sessions and clients; that of a trace or of all kinds if there are any.
 * @param mix          lengths of the messages; those of a trace or of the kinds if there are any.
 * @param sessionCount sessions of each client.
 * @param goal         until which to measure, or null for the whole window.
 */
@OptionGroup("Load")
public record LoadConfig(
    @LoadOption(names = { LoadConfig.RATE, "-r" }, label = "N", byDefault = "10k", kind = LoadOption.Kind.RATE,
        text = "Messages per second over all sessions and clients, such as 1.5k or 1M; or a rate that varies over the " +
        "measured window: steps:10k*5s,50k*5s, ramp:1k..50k/30s, sine:2k..20k/10s or on-off:20k*1s/500ms. " +
        "Default: ${DEFAULT-VALUE}.")
    RateProfile rate,
    @LoadOption(names = { LoadConfig.SIZE, "-s" }, label = "BYTES", byDefault = "288", kind = LoadOption.Kind.LENGTHS,
        text = "Length of a message in bytes, 32 or more, such as 288 or 2KB; a range, such as 1k..64k; or several with " +
        "weights, such as 288*90,1344*9,16k*1. Default: ${DEFAULT-VALUE}.")
    Messages mix,
    @LoadOption(names = LoadConfig.KIND, label = "NAME:RATE:BYTES", kind = LoadOption.Kind.MESSAGES,
        text = "A kind of message with its own rate and length, such as orders:10k:288, instead of --rate and --size; " +
        "repeatable. Results are reported by kind too.")
    List<MessageKind> kinds,
    @LoadOption(names = LoadConfig.TRACE, label = "FILE",
        text = "Replay a recorded load instead of --rate and --size: CSV with a header and the columns time_s or " +
        "time_ns, and bytes. The trace begins with the measured window; the warm-up has its mean rate.")
    Path traceFile,
    @LoadOption(names = "--trace-speed", label = "FACTOR", byDefault = "1", kind = LoadOption.Kind.FACTOR,
        text = "Replay the trace this much faster, 0.001 to 1000. Default: ${DEFAULT-VALUE}.")
    double traceSpeed,
    @LoadOption(names = "--trace-repeat", text = "Begin the trace again after its end.")
    boolean isTraceRepeated,
    @LoadOption(names = "--trace-digest", label = "HEX",
        text = "Expected digest of the trace, as recorded in results. Default: not checked.")
    String traceDigest,
    @LoadOption(names = { "--connections", "--sessions" }, label = "N", byDefault = "1", kind = LoadOption.Kind.COUNT,
        text = "Sessions, used round-robin, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    int sessionCount,
    @LoadOption(names = LoadConfig.WARM_UP, label = "TIME", byDefault = "10s", kind = LoadOption.Kind.WARM_UP,
        text = "Load before the measured window; at the same rate (of a varying rate, the first). A time; auto, until " +
        "response times are steady, 60s at most; auto:TIME, with that limit; or auto:TIME..TIME, with a shortest one too. " +
        "Default: ${DEFAULT-VALUE}.")
    WarmUpTime warmUp,
    @LoadOption(names = "--drain-timeout", label = "TIME", byDefault = "5s", kind = LoadOption.Kind.TIME,
        text = "Longest wait for replies and late sends after the measured window. Default: ${DEFAULT-VALUE}.")
    long drainTimeoutNs,
    @LoadOption(names = "--late-after", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
        text = "Response time above which a reply counts as late. Default: ${DEFAULT-VALUE}.")
    long lateAfterNs,
    @LoadOption(names = LoadConfig.BATCH, label = "N", byDefault = "1", kind = LoadOption.Kind.COUNT,
        text = "Messages with the same intended send time. Default: ${DEFAULT-VALUE}.")
    int batchLength,
    @LoadOption(names = LoadConfig.ARRIVALS, label = "PROCESS", byDefault = "constant",
        text = "Arrival process: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Arrivals arrivals,
    @LoadOption(names = "--seed", label = "N", byDefault = "1",
        text = "Seed of Poisson arrivals and of randomly drawn kinds and lengths. Default: ${DEFAULT-VALUE}.")
    long seed,
    @LoadOption(names = LoadConfig.DELIVERY, label = "MODE", byDefault = "at-most-once",
        text = "at-most-once or exactly-once; lost messages are counted, or sent again and applied once by the service. " +
        "Default: ${DEFAULT-VALUE}.")
    Mode mode,
    @LoadOption(names = "--resend-after", label = "TIME", byDefault = "2s", kind = LoadOption.Kind.TIME,
        text = "Acknowledgement timeout of exactly-once delivery. Default: ${DEFAULT-VALUE}.")
    long resendAfterNs,
    @LoadOption(names = "--unacknowledged", label = "N", byDefault = "1000000", kind = LoadOption.Kind.COUNT,
        text = "Maximum unacknowledged messages per session with exactly-once delivery; at that limit further messages " +
        "wait. Default: ${DEFAULT-VALUE}.")
    int unacknowledgedCount,
    @LoadOption(names = "--stages",
        text = "Report the time of each stage: to leader, log, quorum, to service, to client. Needs members with " +
        "echo.stages=true; see docs/DIAGNOSIS.md for its cost.")
    boolean isStaged,
    CodecConfig codec,
    PrecisionGoal goal)
{
    public static final String RATE = "--rate";
    public static final String SIZE = "--size";
    public static final String WARM_UP = "--warm-up";
    static final String KIND = "--kind";
    static final String TRACE = "--trace";
    static final String DELIVERY = "--delivery";
    static final String BATCH = "--batch";
    static final String ARRIVALS = "--arrivals";
    /** Maximum number of sessions over all clients. */
    public static final int MAX_SESSION_COUNT = 1000;

    private static final long MAX_RATE = 1_000_000_000L;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NEWEST_SECONDS = 60;
    /** The next message, one that is sent again, and the payload of both. */
    private static final long BUFFERS_OF_SESSION = 3;

    /** Distribution of the times between messages. */
    public enum Arrivals
    {
        constant,
        poisson
    }

    /** Delivery by the names that users type. */
    public enum Mode
    {
        /** Lost messages are counted. */
        at_most_once,
        /** Unacknowledged messages are sent again; the service applies each once. */
        exactly_once;

        @Override
        public String toString()
        {
            return name().replace('_', '-');
        }
    }

    public LoadConfig
    {
        InvalidSettingException.throwIf(
            sessionCount > MAX_SESSION_COUNT, "--connections", sessionCount, "1 to " + MAX_SESSION_COUNT);
        final String traced = "given only with " + TRACE;
        InvalidSettingException.throwIf(null == traceFile && 1 != traceSpeed, "--trace-speed", traceSpeed, traced);
        InvalidSettingException.throwIf(null == traceFile && isTraceRepeated, "--trace-repeat", true, traced);
        InvalidSettingException.throwIf(null == traceFile && null != traceDigest, "--trace-digest", traceDigest, traced);
        kinds = List.copyOf(kinds);
        InvalidSettingException.throwIf(
            codec.isGiven() && Mode.exactly_once == mode, DELIVERY, mode,
            "at-most-once with " + CodecConfig.MESSAGES + ": only the echo reports what it has applied");
        if (null == traceFile && !kinds.isEmpty())
        {
            rate = RateProfile.constant(checkedRate(kinds));
            mix = new Messages(kinds, 0, false);
        }
    }

    private static long checkedRate(final List<MessageKind> kinds)
    {
        final Set<String> names = new HashSet<>();
        long ratePerSecond = 0;
        for (final MessageKind kind : kinds)
        {
            InvalidSettingException.throwIf(!names.add(kind.name()), KIND, kind, "a name of its own for each kind");
            InvalidSettingException.throwIf(
                names.size() > Messages.MAX_KINDS, KIND, kind, "at most " + Messages.MAX_KINDS + " kinds");
            ratePerSecond += (long)kind.ratePerSecond();
            InvalidSettingException.throwIf(
                ratePerSecond > MAX_RATE, KIND, kind, "a sum of the rates of all kinds of at most " + MAX_RATE + "/s");
        }
        return ratePerSecond;
    }

    /** The same with the codec, or the times and lengths of the trace, if there is one. */
    LoadConfig withFiles()
    {
        final CodecConfig loaded = codec.load(seed);
        if (codec.isGiven() || null == traceFile)
        {
            return DeclaredOption.with(this, Map.of("codec", loaded));
        }
        final Trace trace = TraceFile.read(traceFile, traceSpeed, isTraceRepeated, traceDigest);
        final Messages lengths = Messages.parse(
            trace.messages().kinds().stream().map(MessageKind::name).collect(Collectors.joining(",")));
        // A worker elsewhere must not replay another file of the same name.
        return DeclaredOption.with(this, Map.of(RATE, trace, SIZE, lengths, "--trace-digest", trace.digest()));
    }

    /** Options that a codec, a trace or kinds of messages replace: none without them. */
    public Set<String> replaced()
    {
        return codec.isGiven() ? Set.of(SIZE, KIND, TRACE) :
            null != traceFile ? Set.of(RATE, SIZE, KIND, ARRIVALS, BATCH) : kinds.isEmpty() ? Set.of() : Set.of(RATE, SIZE);
    }

    /** What replaces them, and why. */
    public String replacement()
    {
        return codec.isGiven() ? CodecConfig.MESSAGES + ", which has its own" :
            null == traceFile ? KIND + ": each kind has its own" : TRACE + ": a trace has its own";
    }

    /** Remove options that have no effect, by name without dashes. */
    void removeIneffective(final Map<String, ?> texts)
    {
        texts.keySet().removeIf((name) -> replaced().contains("--" + name) ||
            (codec.assignments().isEmpty() ? CodecConfig.SET : "").equals("--" + name) ||
            (kinds.isEmpty() ? KIND : "").equals("--" + name) || null == traceFile && name.startsWith("trace-"));
    }

    /** Load before the measured window, or the longest if it ends by itself; in ns. */
    public long warmUpNs()
    {
        return warmUp.longestNs();
    }

    public Delivery delivery()
    {
        return Mode.at_most_once == mode ? Delivery.AT_MOST_ONCE : new Delivery(true, resendAfterNs, unacknowledgedCount);
    }

    /** The rate where it must be constant. */
    public long ratePerSecond()
    {
        InvalidSettingException.throwIf(
            !rate.isConstant(), RATE, rate,
            "a constant rate, such as 10k: only a single run and overload take one that varies");

        return rate.firstRatePerSecond();
    }

    public long count(final long measuredNs)
    {
        return rate.messageCount(measuredNs);
    }

    long warmUpCount()
    {
        final long count = RateProfile.constant(rate.firstRatePerSecond()).messageCount(warmUpNs());
        // The measured window begins with a whole batch.
        return (count + batchLength - 1) / batchLength * batchLength;
    }

    /** Check that a trace is as long as the measured window. */
    public void checkTrace(final long measuredNs)
    {
        if (rate instanceof Trace trace && trace.lengthNs() < measuredNs)
        {
            throw new InvalidSettingException(
                "--duration", measuredNs + "ns", "at most " + trace.lengthNs() +
                "ns, the length of the trace at its speed, or more with --trace-repeat");
        }
    }

    public LoadPlan plan(final long measuredNs)
    {
        final long warmUpCount = warmUpCount();
        final long measuredCount = count(measuredNs);
        final long messageCount = warmUpCount + measuredCount;
        final long firstRate = rate.firstRatePerSecond();
        final long meanRate = rate.isConstant() ? firstRate : Math.max(1, (long)(measuredCount * 1e9 / measuredNs));
        final long warmUpNs = LoadPlan.durationNs(warmUpCount, firstRate);
        return new LoadPlan(
            meanRate, rate instanceof Trace trace ? trace.messages(warmUpCount, measuredCount, measuredNs) : messages(meanRate),
            warmUpCount, measuredCount, warmUpNs,
            rate.isConstant() ? LoadPlan.durationNs(messageCount, firstRate) - warmUpNs : measuredNs, sessionCount,
            drainTimeoutNs, lateAfterNs, newestCount(messageCount), delivery(), Share.WHOLE, isStaged);
    }

    /** The schedule of a plan that {@link #plan(long)} made, for one thread. */
    public Schedule schedule(final LoadPlan plan)
    {
        final long ratePerSecond = rate.isConstant() ? rate.firstRatePerSecond() : 1;
        final PoissonSchedule drawn = Arrivals.poisson == arrivals ?
            new PoissonSchedule(ratePerSecond, plan.messageCount(), seed) : null;
        final Schedule single = !rate.isConstant() ? new ProfiledSchedule(rate, plan.warmUpCount(), drawn) :
            null == drawn ? new ConstantSchedule(ratePerSecond) : drawn;
        return 1 == batchLength ? single : new BatchedSchedule(single, batchLength);
    }

    /** The messages, with the rates of their kinds at the highest rate of the load. */
    public Messages messages()
    {
        return rate instanceof Trace trace ? trace.messages() : messages(rate.highestRatePerSecond());
    }

    private Messages messages(final long ratePerSecond)
    {
        return codec.isGiven() ? codec.messages(ratePerSecond, seed) :
            kinds.isEmpty() ? mix.at(ratePerSecond, seed) : new Messages(kinds, seed, Arrivals.constant == arrivals);
    }

    /** The only length of all messages, in bytes. */
    public int onlyLengthBytes(final String command)
    {
        final boolean isOne = mix.kinds().stream()
            .allMatch((kind) -> kind.minLengthBytes() == kind.maxLengthBytes() && kind.maxLengthBytes() == maxLengthBytes());
        InvalidSettingException.throwIf(
            !isOne, kinds.isEmpty() ? SIZE : KIND, kinds.isEmpty() ? mix : kinds.get(0), "one length for " + command);

        return mix.maxLengthBytes();
    }

    public long maxLengthBytes()
    {
        return codec.isGiven() ? codec.example().maxRequestLength() : mix.maxLengthBytes();
    }

    /** Term length of the ingress channel in bytes: room for at least eight messages, and at least 1 MiB. */
    public int ingressTermLength()
    {
        return Math.max(1 << 20, BitUtil.findNextPositivePowerOfTwo((int)Math.min(1 << 27, 8 * (maxLengthBytes() + 1024))));
    }

    /** Check that the accounts of a run fit the heap, and that all its messages can be encoded. */
    public void checkMemory(final long measuredNs)
    {
        checkMemory(measuredNs, measuredNs);
    }

    /** The same of a run that may last longer than planned; of its messages only the planned ones are checked. */
    public void checkMemory(final long plannedNs, final long longestNs)
    {
        codec.checkLast(warmUpCount() + count(plannedNs));
        final long messageCount = warmUpCount() + count(longestNs);
        final long neededBytes =
            messageCount / 8 * (1 + Math.max(1, messages().replyKinds().size())) +
            16L * newestCount(messageCount) + BUFFERS_OF_SESSION * maxLengthBytes() * sessionCount;
        final long availableBytes = Runtime.getRuntime().maxMemory() / 2;
        InvalidSettingException.throwIf(
            neededBytes > availableBytes, "the length of the run", longestNs + "ns",
            "short enough that the accounts of " + messageCount + " messages and the buffers of " + sessionCount + " sessions (" +
            neededBytes + " bytes) fit half the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");
    }

    /** Check that the warm-up has a given length, for a command that depends on it. */
    public void checkFixedWarmUp(final String command)
    {
        InvalidSettingException.throwIf(
            warmUp.isAuto(), WARM_UP, "auto",
            "a time with " + command + "; only run, ping-pong and the first trial of max-rate end it by themselves");
    }

    /**
     * Check the message length against the limit of the transport. If that is not known here, as with a cluster elsewhere, the
     * longest message that Aeron can send is allowed.
     *
     * @param maxLengthBytes limit, or null if unknown.
     * @param isCluster      whether the transport is the cluster.
     */
    public void checkLength(final Long maxLengthBytes, final boolean isCluster)
    {
        InvalidSettingException.throwIf(
            null != maxLengthBytes && maxLengthBytes() > maxLengthBytes,
            codec.isGiven() ? CodecConfig.MESSAGES : null != traceFile ? TRACE : kinds.isEmpty() ? SIZE : KIND, maxLengthBytes(),
            (codec.isGiven() ? 1 : EchoMessage.MIN_LENGTH) + " to " + maxLengthBytes + (isCluster ?
            " bytes (the cluster's echo.max.message.length)" : " bytes (the limit of the transport)"));
    }

    private int newestCount(final long messageCount)
    {
        return (int)Math.min(
            NEWEST_COUNT_MAX, Math.max(1024, Math.min(messageCount, NEWEST_SECONDS * rate.highestRatePerSecond())));
    }
}
