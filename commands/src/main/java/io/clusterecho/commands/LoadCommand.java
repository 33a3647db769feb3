package io.clusterecho.commands;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.pingpong.PingPongExecution;
import io.clusterecho.client.run.DeclaredOption;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.platform.Redaction;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.IntervalDocument;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.LiveView;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A command with the options of a load and a printed result. */
@Command(mixinStandardHelpOptions = true)
abstract class LoadCommand implements Callable<Integer>
{
    @Spec
    CommandSpec spec;

    @Mixin
    Options options;

    @Mixin
    PrintOptions print;

    RunConfig config()
    {
        return options.config();
    }

    /** Whether an option was given on the command line. */
    boolean isGiven(final String option)
    {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /**
     * Make and print a run that is all that this command does.
     *
     * @param lines where its intervals are printed; at most one.
     * @param text  of the run, for a person.
     * @return the exit status.
     */
    int measure(
        final RunConfig config, final long durationNs, final boolean isJournaled, final List<PrintStream> lines,
        final Function<StoredRun, String> text)
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        try (RunSeries series = RunSeries.begin(isJournaled))
        {
            final List<IntervalListener> watchers = new ArrayList<>(lines.stream().map(IntervalDocument::printer).toList());
            if (!print.isQuiet() && lines.isEmpty())
            {
                watchers.add(LiveView.onStderr());
            }
            try
            {
                final StoredRun run = series.measure(config, durationNs, folder, start, true, watchers);
                print.result(run.json(), text.apply(run), config.thresholds());
                return run.verdict().exitStatus();
            }
            catch (final NotConnectedException ex)
            {
                if (series.endRequest().isRequested())
                {
                    System.err.println("interrupted before a session was open; nothing was measured");
                    return ExitCode.INTERRUPTED;
                }
                throw ex;
            }
            catch (final UncheckedIOException ex)
            {
                throw new InvalidSettingException("nothing was measured: " + ex.getMessage());
            }
        }
    }

    /** Convert the text of an option; a rejection names what is allowed. */
    static <T> T convert(final String text, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new TypeConversionException("'" + text + "' is not allowed: " + ex.getMessage());
        }
    }

    /**
     * The options of a load, and those of the records of the command that mixes this in, on its command line; {@link #config} and
     * {@link #read} make the records.
     */
    @Command
    static final class Options
    {
        /** Options of what only a single run does beside its load, for {@link CommandHelp#without}. */
        static final String BESIDE = "--(snapshot-every|receivers|churn|causes)";

        private CommandSpec command;

        @Spec(Spec.Target.MIXEE)
        private void command(final CommandSpec mixee)
        {
            command = mixee;
            final List<CommandHelp> helps = Stream.<Class<?>>iterate(
                command.userObject().getClass(), Objects::nonNull, Class::getSuperclass)
                .flatMap((type) -> Stream.ofNullable(type.getDeclaredAnnotation(CommandHelp.class))).toList();
            final List<String> missing = helps.stream().flatMap((help) -> Stream.of(help.without())).toList();
            final Map<String, String> described = helps.stream().flatMap((help) -> Stream.of(help.described()))
                .map((text) -> text.split("=", 2)).collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1]));
            Stream.concat(
                helps.stream().flatMap((help) -> Stream.of(help.declared())).flatMap(DeclaredOption::of),
                DeclaredOption.ALL.stream().filter((option) -> missing.stream().noneMatch(option.name()::matches)))
                .forEach((option) -> command.addOption(
                    spec(option, described.getOrDefault(option.name(), option.declaration().text()))));
        }

        private static OptionSpec spec(final DeclaredOption option, final String description)
        {
            final LoadOption declaration = option.declaration();
            final OptionSpec.Builder spec = OptionSpec.builder(declaration.names()).paramLabel(declaration.label())
                .description(description).type(option.component().getType()).auxiliaryTypes(option.type())
                .userObject(option.component()).completionCandidates(declaration.kind().candidates())
                .required(declaration.isRequired()).splitRegex(declaration.isSplit() ? "," : "");
            if (boolean.class == option.type())
            {
                spec.defaultValue("false");
            }
            for (final String byDefault : declaration.byDefault())
            {
                spec.defaultValue(byDefault);
            }
            if (LoadOption.Kind.PLAIN != declaration.kind())
            {
                spec.converters((text) -> convert(text, declaration.kind()::parse));
            }
            return spec.build();
        }

        /** Make the configuration, checked, after the command line was parsed. */
        RunConfig config()
        {
            final Map<String, Object> values = DeclaredOption.values(List.of());
            values.putAll(values());
            final List<OptionSpec> others = command.options().stream().filter((option) ->
                DeclaredOption.ALL.stream().noneMatch((one) -> one.component() == option.userObject())).toList();
            final RunConfig config = RunConfig.of(values, texts(others), typed(command));
            checkReplaced(config.load());
            return config;
        }

        /** Make a record of options of the command, and of other components by their names. */
        <R extends Record> R read(final Class<R> type, final Map<String, ?> others)
        {
            final Map<String, Object> values = values();
            values.putAll(others);
            return DeclaredOption.read(type, values);
        }

        private Map<String, Object> values()
        {
            final Map<String, Object> values = new TreeMap<>();
            command.options().stream()
                .filter((option) -> option.userObject() instanceof RecordComponent && null != option.getValue())
                .forEach((option) -> values.put(option.names()[0], option.getValue()));
            return values;
        }

        /** The command line that repeats what was asked for, without secrets. */
        static String typed(final CommandSpec spec)
        {
            final List<String> arguments = Redaction.of(spec.root().commandLine().getParseResult().originalArgs());
            return "java -jar " + spec.root().name() + ".jar " +
                String.join(" ", arguments.stream().map(CommandHint::quoted).toList());
        }

        /** Arguments that repeat the options of the load on the command line. */
        List<String> arguments()
        {
            final ParseResult given = command.commandLine().getParseResult();
            return DeclaredOption.ALL.stream().filter((option) -> given.hasMatchedOption(option.name()))
                .flatMap((option) -> option.texts(given.matchedOption(option.name()).getValue()).stream()
                .map((text) -> option.name() + "=" + text)).toList();
        }

        /** What a trace or kinds replace must not be given beside them, on the command line or in a file. */
        private void checkReplaced(final LoadConfig load)
        {
            final ParseResult given = command.commandLine().getParseResult();
            for (final String option : load.replaced().stream().sorted().toList())
            {
                final String value = given.hasMatchedOption(option) ?
                    given.matchedOption(option).originalStringValues().get(0) : OptionFile.value(command, option);
                InvalidSettingException.throwIf(
                    null != value, option, value, "not given with " + load.replacement());
            }
        }

        /** Options by their first names without dashes, as they were given or by default. No option holds a secret. */
        static SortedMap<String, String> texts(final Collection<OptionSpec> options)
        {
            final SortedMap<String, String> texts = new TreeMap<>();
            for (final OptionSpec option : options)
            {
                final Object value = option.getValue();
                if (!option.usageHelp() && !option.versionHelp() && null != value)
                {
                    texts.put(option.names()[0].substring(2), value instanceof List<?> list ?
                        String.join(",", list.stream().map(String::valueOf).toList()) :
                        "TIME".equals(option.paramLabel()) && value instanceof Long ? value + "ns" : value.toString());
                }
            }
            return texts;
        }
    }

    /** What is shown of a run while it is in progress. */
    @OptionGroup("Output")
    static final class LiveOptions
    {
        static final String JSON_LINES = "--json-lines";

        @Option(names = JSON_LINES, description = "Print each interval as a line of JSON on stdout when it ends, then the " +
            "result as the last line; errors as with --json.")
        private boolean isJsonLines;

        /** Where intervals are printed as lines, if the user asked for it. */
        List<PrintStream> lines(final PrintOptions print)
        {
            InvalidSettingException.throwIf(
                isJsonLines && print.isJson(),
                "give " + JSON_LINES + " or " + PrintOptions.JSON + ", not both: the last line is the same document");

            return isJsonLines ? List.of(System.out) : List.of();
        }

        /** The text of a result: for a person, or the last line of {@value #JSON_LINES}. */
        String result(final String json, final String text)
        {
            return isJsonLines ? Documents.line(Documents.parse(json)) : text;
        }
    }

    /** One measured run. */
    @Command(
        name = "run",
        header = "Measure round trips of a replicated echo at a fixed rate.",
        description = {
            "",
            "Load is open loop: the intended send time of a message follows from its number alone, and response time is " +
            "measured from it, so a stall shows in every message that had to wait. Every scheduled message is accounted for. " +
            "The result goes to stdout and to a folder, progress to stderr." },
        exitCodeList = {
            "  0:GOOD or CLIENT-LIMITED",
            "  1:internal error",
            "  2:usage: the message names the option, its value and what is allowed",
            "  3:no session with the cluster",
            "  4:FAILED: rate missed, messages lost, duplicated or corrupt, or result incomplete",
            " 99:a condition of --assert failed",
            "130:interrupted; what was measured is kept" })
    @CommandHelp(
        examples = {
            "load-client --rate 100k --size 288",
            "load-client -r 2k -d 1m --assert 'p99<1ms,lost==0' --label nightly",
            "load-client max-rate --slo 'p99<1ms'" },
        mostUsed = {
            "--rate", "--size", "--duration", "--warm-up", "--connections", "--delivery", "--assert", "--label",
            "--output", "--json" },
        declared = RunCommand.Window.class)
    static final class RunCommand extends LoadCommand
    {
        private static final long DURATION_NS = 20_000_000_000L;
        private static final long LONGEST_NS = 600_000_000_000L;

        /** The measured window. */
        record Window(
            @LoadOption(names = { Window.DURATION, "-d" }, label = "TIME", kind = LoadOption.Kind.TIME,
                text = "Length of the measured window, such as 30s or 1m30s; with --until, its maximum. Default: 20s; 10m with " +
                "--until.")
            Long durationNs,
            @LoadOption(names = "--until", label = "GOAL",
                text = "Measure until the 95%% bounds of a response time percentile are as narrow as requested, such as " +
                "p99+-5%%, or --duration has passed. The bounds of a run that ends so contain the percentile in 89 to 95%% of " +
                "cases.")
            PrecisionGoal goal,
            @LoadOption(names = "--journal",
                text = "Keep a journal of what was sent and acknowledged in the result, journal.bin, for audit. Default: none.")
            boolean isJournaled)
        {
            private static final String DURATION = "--duration";
        }

        @Option(names = { "--verbose", "-v" }, description = "Print the whole result instead of one screen.")
        private boolean isVerbose;

        @Mixin
        private LiveOptions live;

        @Override
        public Integer call()
        {
            final Window window = options.read(Window.class, Map.of());
            final long byDefaultNs = null == window.goal ? DURATION_NS : LONGEST_NS;
            final long durationNs = null == window.durationNs ? byDefaultNs : window.durationNs;
            // For the record of the result.
            spec.findOption(Window.DURATION).setValue(durationNs);
            final RunConfig config = config().until(window.goal, durationNs).ofOneLoad();
            config.load().checkTrace(durationNs);
            config.load().checkMemory(durationNs);
            config.checkBeside(durationNs);
            InvalidSettingException.throwIf(
                window.isJournaled && config.clients().areApart(), "--journal", "true",
                "only for one client, which runs in this process");
            InvalidSettingException.throwIf(
                config.load().count(durationNs) < 1, "--duration", durationNs + "ns",
                "long enough for at least one message at --rate " + config.load().rate());
            final Target target = new Target(config);
            target.checkLength();
            target.checkDisks("--duration", durationNs);
            return measure(config, durationNs, window.isJournaled, live.lines(print), (run) -> live.result(
                run.json(), isVerbose ? run.text() : run.summary()));
        }
    }

    /** The highest rate at which conditions hold. */
    @Command(
        name = "max-rate",
        header = "Find the highest rate at which conditions hold.",
        description = {
            "",
            "Doubles or halves --rate until one rate has passed and one has failed, then bisects. Each trial is a run with a " +
            "verdict. The rate found is only proposed: it is confirmed by fresh runs alone, of which it must pass --pass, or " +
            "else a lower one is. Printed with the share that passed is what it says of all runs with 95%% confidence." },
        exitCodeList = {
            "  0:found and confirmed",
            "  1:internal error",
            "  2:usage: the message names the option, its value and what is allowed",
            "  3:no session with the cluster, or lost it",
            "  4:no rate of the range holds, or a run or the result is incomplete",
            "130:interrupted; what was measured is kept" })
    @CommandHelp(
        examples = {
            "load-client max-rate --slo 'p99<1ms'",
            "load-client max-rate --slo 'p50<200us,p99.9<5ms' --rate 20k --resolution 2% --pass 95%",
            "load-client max-rate --lowest 1k --highest 200k --duration 30s" },
        mostUsed = {
            "--slo", "--rate", "--size", "--lowest", "--highest", "--resolution", "--pass", "--duration", "--connections",
            "--label", "--json" },
        described = {
            "--rate=Messages per second of the first trial, over all sessions and clients. Default: ${DEFAULT-VALUE}.",
            "--label=Name of the result. Blanks and other special characters become dashes in the folder's name. " +
            "Default: max-rate." },
        declared = RateFinder.Terms.class,
        without = { "--assert", "--kind", "--trace.*", Options.BESIDE })
    static final class MaxRateCommand extends LoadCommand
    {
        @Override
        public Integer call()
        {
            final RunConfig config = config();
            final RateFinder.Terms terms = options.read(
                RateFinder.Terms.class, Map.of("startRate", config.load().ratePerSecond()));
            try (RunSeries series = RunSeries.begin(false))
            {
                final RateFinder.Found found = new RateFinder(
                    series, config, terms, config.label(RateFinder.LABEL), print.isQuiet() ? null : System.err::println).find();
                print.result(found.json(), found.text(), List.of());
                return found.exitStatus();
            }
            catch (final UncheckedIOException ex)
            {
                throw new InvalidSettingException("nothing was measured: " + ex.getMessage());
            }
        }
    }

    /** A closed loop: a fixed number of messages in flight. */
    @Command(
        name = "ping-pong",
        header = "Measure round trips in a closed loop.",
        description = {
            "",
            "Each reply triggers the next message. Shows the round trip without queueing, and the rate that a number of " +
            "callers reaches. Unlike a run at a fixed rate, a stall is charged only to the messages in flight." },
        exitCodeList = {
            "  0:GOOD",
            "  1:internal error",
            "  2:usage: the message names the option, its value and what is allowed",
            "  3:no session with the cluster",
            "  4:messages lost or corrupt, no more replies, or result incomplete",
            "130:interrupted; what was measured is kept" })
    @CommandHelp(
        examples = {
            "load-client ping-pong",
            "load-client ping-pong --concurrency 10 --connections 10 --count 100k" },
        mostUsed = {
            "--concurrency", "--count", "--warm-up-count", "--time-limit", "--size", "--connections", "--label", "--output",
            "--json" },
        declared = PingPongExecution.Plan.class,
        without = {
            "--rate", "--kind", "--messages.*", "--class-path", "--trace.*", "--batch", "--arrivals", "--seed",
            "--drain-timeout", "--late-after", "--delivery", "--resend-after", "--unacknowledged", "--interval", "--assert",
            "--(stages|aeron-dir)", "--client.*", ThreadConfig.DUTY_CYCLE_INTERVAL, Options.BESIDE })
    static final class PingPongCommand extends LoadCommand
    {
        @Override
        public Integer call()
        {
            final RunConfig config = config();
            final PingPongExecution.Plan plan = options.read(PingPongExecution.Plan.class, Map.of());
            checkWarmUp(config.load(), plan);
            final int sessionCount = config.load().sessionCount();
            InvalidSettingException.throwIf(
                plan.concurrency() < sessionCount, "--concurrency", plan.concurrency(), "at least --connections=" + sessionCount);

            return print.result(new PingPongExecution(config, plan).execute());
        }

        private void checkWarmUp(final LoadConfig load, final PingPongExecution.Plan plan)
        {
            InvalidSettingException.throwIf(
                load.warmUp().isAuto() && isGiven(PingPongExecution.Plan.WARM_UP_COUNT), PingPongExecution.Plan.WARM_UP_COUNT,
                plan.warmUpCount(),
                "not given with " + LoadConfig.WARM_UP + " auto, which ends the warm-up");
            InvalidSettingException.throwIf(
                !load.warmUp().isAuto() && isGiven(LoadConfig.WARM_UP), LoadConfig.WARM_UP,
                Quantity.formatNs(load.warmUpNs()),
                "auto or auto:TIME in a closed loop, else " + PingPongExecution.Plan.WARM_UP_COUNT);
        }
    }

    /** A pulse of overload, and the return from it. */
    @Command(
        name = "overload",
        header = "Overload a cluster briefly, and measure how it recovers.",
        description = {
            "",
            "One run at --rate, at --pulse for --pulse-for, and at --rate again. Reports how long p99 takes to return to its " +
            "level before the pulse, the maximum backlog and when it was drained. A run that does not recover is FAILED: " +
            "METASTABLE if the backlog is gone or does not shrink. A missed rate does not fail this command; messages without " +
            "a reply do. Intervals are of 100 ms unless --interval is given." },
        exitCodeList = {
            "  0:GOOD: p99 returned, and every message was answered",
            "  1:internal error",
            "  2:usage",
            "  3:no session with the cluster",
            "  4:FAILED: not returned, or messages lost, duplicated or corrupt, or result incomplete",
            " 99:a condition of --assert failed",
            "130:interrupted; what was measured is kept" })
    @CommandHelp(
        examples = {
            "load-client overload --rate 10k --pulse 200k --pulse-for 2s --return 30s",
            "load-client overload -r 5k --pulse 50k --tolerance 100% --assert 'max<10s'" },
        mostUsed = {
            "--rate", "--pulse", "--pulse-for", "--before", "--return", "--tolerance", "--size", "--connections", "--label",
            "--output", "--json" },
        declared = OverloadCommand.Pulse.class,
        without = { "--kind", "--trace.*", Options.BESIDE })
    static final class OverloadCommand extends LoadCommand
    {
        /** Default length of an interval: the resolution of the return. */
        private static final long INTERVAL_NS = 100_000_000L;
        /** Default of --interval, which suits longer runs. */
        private static final long RUN_INTERVAL_NS = 1_000_000_000L;
        private static final int MIN_INTERVALS = 10;

        /** The rates and their times. */
        record Pulse(
            @LoadOption(names = "--pulse", label = "N", kind = LoadOption.Kind.PER_SECOND, isRequired = true,
                text = "Messages per second in the pulse, above the highest rate of the cluster (max-rate finds that).")
            long ratePerSecond,
            @LoadOption(names = "--pulse-for", label = "TIME", byDefault = "2s", kind = LoadOption.Kind.TIME,
                text = "Length of the pulse. Default: ${DEFAULT-VALUE}.")
            long lengthNs,
            @LoadOption(names = "--before", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
                text = "Time at --rate before the pulse, at least 10 intervals. Default: ${DEFAULT-VALUE}.")
            long beforeNs,
            @LoadOption(names = "--return", label = "TIME", byDefault = "30s", kind = LoadOption.Kind.TIME,
                text = "Time at --rate after the pulse, in which p99 must return; at least 10 intervals. " +
                "Default: ${DEFAULT-VALUE}.")
            long returnNs,
            @LoadOption(names = "--tolerance", label = "SHARE", byDefault = "50%", kind = LoadOption.Kind.SHARE,
                text = "By how much p99, in 5 successive intervals, may exceed its level before the pulse and still count as " +
                "recovered. Default: ${DEFAULT-VALUE}.")
            double tolerance)
        {
            private void check(final RunConfig config)
            {
                InvalidSettingException.throwIf(
                    LoadConfig.Arrivals.constant != config.load().arrivals(), "--arrivals", config.load().arrivals(),
                    "constant, because the backlog is counted from the rate");
                final long usualRate = config.load().ratePerSecond();
                InvalidSettingException.throwIf(
                    ratePerSecond <= usualRate, "--pulse", ratePerSecond, "more than --rate " + usualRate);
                InvalidSettingException.throwIf(lengthNs < 1, "--pulse-for", lengthNs + "ns", "more than 0");
                final long leastNs = MIN_INTERVALS * config.intervalNs();
                final String allowed = "at least " + leastNs / 1_000_000 + "ms, " + MIN_INTERVALS + " times --interval";
                InvalidSettingException.throwIf(beforeNs < leastNs, "--before", beforeNs + "ns", allowed);
                InvalidSettingException.throwIf(returnNs < leastNs, "--return", returnNs + "ns", allowed);
            }

            private long durationNs()
            {
                return beforeNs + lengthNs + returnNs;
            }
        }

        @Option(names = { "--verbose", "-v" }, description = "Print the whole result instead of one screen.")
        private boolean isVerbose;

        @Override
        public Integer call()
        {
            final RunConfig given = config();
            final boolean isDefault = !isGiven("--interval") && RUN_INTERVAL_NS == given.intervalNs();
            final RunConfig config = (isDefault ? given.with(RunConfig.INTERVAL, INTERVAL_NS) : given)
                .withResult(given.label("overload"), given.output());
            final Pulse pulse = options.read(Pulse.class, Map.of());
            pulse.check(config);
            final RunConfig pulsed = config.with(LoadConfig.RATE, RateProfile.pulse(
                config.load().ratePerSecond(), pulse.ratePerSecond, pulse.beforeNs, pulse.lengthNs, pulse.returnNs,
                pulse.tolerance));
            pulsed.load().checkMemory(pulse.durationNs());
            new Target(pulsed).checkLength();
            return measure(pulsed, pulse.durationNs(), false, List.of(), (run) ->
                isVerbose ? run.text() : run.summary());
        }
    }
}
