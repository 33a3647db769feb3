package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.calibration.Calibrations;
import io.clusterecho.client.load.FanOut;
import io.clusterecho.client.load.PacedIdleStrategy;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.control.remote.InventoryHost;
import io.clusterecho.host.Processors;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.confidence.PrecisionRule;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Complete configuration of a run, made once from the command line and checked as a whole. Immutable: a search, a sweep or a
 * worker derives the configuration of each run from it.
 *
 * @param intervalNs  length of an interval of the time series, in ns.
 * @param calibrations that results name, and whose floor the median is compared with.
 * @param others      texts of the options of one command alone, by name without dashes.
 * @param commandLine that repeats the command, without secrets.
 */
@OptionGroup("Output")
public record RunConfig(
    TargetConfig target,
    LoadConfig load,
    ClientsConfig clients,
    ThreadConfig threads,
    DriverConfig driver,
    @LoadOption(names = RunConfig.ASSERT, label = "CONDITIONS", kind = LoadOption.Kind.CONDITIONS, isOfWorker = false,
        text = "Conditions that the result must meet, such as 'p99<1ms,lost==0'; exit status 99 when one fails.")
    List<Threshold> thresholds,
    @LoadOption(
        names = RunConfig.LABEL, label = "TEXT", byDefault = RunConfig.DEFAULT_LABEL, kind = LoadOption.Kind.TITLE,
        isOfWorker = false,
        text = "Name of the result. Blanks and other special characters become dashes in the folder's name. " +
        "Default: ${DEFAULT-VALUE}.")
    String label,
    @LoadOption(names = { RunConfig.OUTPUT, "-o" }, label = "DIR", byDefault = "results", kind = LoadOption.Kind.FOLDER,
        isOfWorker = false, text = "Folder for result folders. Default: ${DEFAULT-VALUE}.")
    Path output,
    @LoadOption(names = RunConfig.INTERVAL, label = "TIME", byDefault = "1s", kind = LoadOption.Kind.TIME,
        text = "Length of an interval of the time series, at least 100ms. Default: ${DEFAULT-VALUE}.")
    long intervalNs,
    @LoadOption(names = "--config", label = "FILE", isOfWorker = false,
        text = "Property file with defaults of options, such as rate=100k; repeatable. The command line wins.")
    List<Path> configFiles,
    @LoadOption(names = "--causes", isOfWorker = false,
        text = "Say what held up the slowest messages. Needs root, tracefs and members on this machine; see docs/DIAGNOSIS.md.")
    boolean isExplained,
    Calibrations calibrations,
    SortedMap<String, String> others,
    String commandLine)
{
    public static final String DEFAULT_LABEL = "run";

    public static final String ASSERT = "--assert";
    public static final String INTERVAL = "--interval";
    static final String LABEL = "--label";
    static final String OUTPUT = "--output";
    private static final long MIN_INTERVAL_NS = 100_000_000L;
    private static final String UNTIL = "--until";
    private static final String JVM_OPTIONS = "config/jvm/client.options";

    public RunConfig
    {
        InvalidSettingException.throwIf(intervalNs < MIN_INTERVAL_NS, "--interval", intervalNs + "ns", "at least 100ms");
        InvalidSettingException.throwIf(
            isExplained && (clients.areApart() || null != target.inventory()), "--causes", true,
            "not given with " + ClientsConfig.COUNT + " or an inventory: threads of this machine alone are seen");
        checkEnds(load, clients, intervalNs);
        // Rejects options that the driver cannot have.
        driver.driver();
        threads.check(driver, clients.areApart());
        if (clients.areApart())
        {
            checkShared(load, target, clients);
        }
        thresholds = List.copyOf(thresholds);
        configFiles = List.copyOf(configFiles);
        others = Collections.unmodifiableSortedMap(new TreeMap<>(others));
    }

    /**
     * Read arguments of a load, {@code --name=value} or {@code --name value}, as a worker gets them: of those that are given
     * twice the last counts.
     */
    public static RunConfig parse(final List<String> arguments)
    {
        return of(DeclaredOption.values(arguments), new TreeMap<>(), "java -jar load-client.jar " + String.join(" ", arguments));
    }

    /**
     * Make the configuration from the values of all options.
     *
     * @param given  values by the first names of their options.
     * @param others texts of the options of the command alone, by name without dashes.
     */
    public static RunConfig of(final Map<String, Object> given, final SortedMap<String, String> others, final String commandLine)
    {
        final Map<String, Object> values = new TreeMap<>(given);
        values.put("load", DeclaredOption.read(LoadConfig.class, given).withFiles());
        values.put("target", DeclaredOption.read(TargetConfig.class, given).withInventory());
        final Consumer<String> warning = (text) -> System.err.println("warning: " + text);
        values.put("calibrations", Calibrations.below((Path)given.get(OUTPUT), warning));
        values.put("others", others);
        values.put("commandLine", commandLine);
        return DeclaredOption.read(RunConfig.class, values);
    }

    /**
     * Least time in ns from the beginning of a duty cycle of the agent that found work to the next, 0 for none.
     *
     * @param leaderCore see {@link Target#leaderCore()}; empty also for a client that is not alone.
     */
    public long dutyCycleIntervalNs(final Optional<Integer> leaderCore)
    {
        return threads.dutyCycleIntervalNs(
            load.rate().isConstant() ? load.rate().highestRatePerSecond() / load.sessionCount() : 0,
            leaderCore.isPresent(),
            ThreadingMode.INVOKER == threads.threadingMode(driver) && driver.driver().isInProcess());
    }

    /** A new idle strategy for the agent, which also paces its duty cycle. */
    public IdleStrategy idleStrategy(final Optional<Integer> leaderCore)
    {
        final long leastNs = dutyCycleIntervalNs(leaderCore);
        return 0 == leastNs ? threads.idle().strategy() :
            new PacedIdleStrategy(threads.idle().strategy(), leastNs, SystemNanoClock.INSTANCE);
    }

    public SortedMap<String, String> effectiveOptions(final Optional<Integer> leaderCore)
    {
        final SortedMap<String, String> options = options();
        options.put(ThreadConfig.DUTY_CYCLE_INTERVAL.substring(2), dutyCycleIntervalNs(leaderCore) + "ns");
        return options;
    }

    /** Every option of the command, by name without dashes, with its value in effect; for the record. */
    public SortedMap<String, String> options()
    {
        final SortedMap<String, String> options = new TreeMap<>(others);
        texts().forEach((name, texts) -> options.put(name, String.join(",", texts)));
        options.put(LoadConfig.RATE.substring(2), load.rate().toString());
        options.putAll(threads.effective(driver));
        if (clients.areApart())
        {
            options.put("clients", String.valueOf(clients.count()));
        }
        else
        {
            // They have no effect then.
            options.keySet().removeAll(List.of("clients", "client-command", "client-timeout"));
        }
        return options;
    }

    /** The command line of a worker, with options and values that this process knows better than the worker. */
    public List<String> workerArguments(final Map<String, String> resolved)
    {
        final SortedMap<String, List<String>> texts = texts();
        final List<String> arguments = new ArrayList<>();
        DeclaredOption.ALL.stream().filter((option) -> option.declaration().isOfWorker() && !resolved.containsKey(option.name()))
            .forEach((option) -> texts.getOrDefault(option.name().substring(2), List.of())
            .forEach((text) -> arguments.add(option.name() + "=" + text)));
        resolved.forEach((name, text) -> arguments.add(name + "=" + text));
        return arguments;
    }

    private SortedMap<String, List<String>> texts()
    {
        final SortedMap<String, List<String>> texts = DeclaredOption.texts(this);
        load.removeIneffective(texts);
        return texts;
    }

    private static void checkEnds(final LoadConfig load, final ClientsConfig clients, final long intervalNs)
    {
        InvalidSettingException.throwIf(
            (load.warmUp().isAuto() || null != load.goal()) && !load.rate().isConstant(), LoadConfig.RATE, load.rate(),
            "a constant rate with " + LoadConfig.WARM_UP + " auto or " + UNTIL + ": a load that varies is never steady");
        final long leastNs = Math.max(SteadyRule.MIN_LENGTH_NS, SteadyRule.MIN_COUNT * intervalNs);
        InvalidSettingException.throwIf(
            load.warmUp().isAuto() && load.warmUpNs() <= leastNs, LoadConfig.WARM_UP, "auto:" + load.warmUpNs() + "ns",
            "a bound above " + Quantity.formatNs(leastNs) + ": 10 s and " + SteadyRule.MIN_COUNT +
            " intervals are the least that show a steady state");
        // Only at the end of an interval is it known whether the state is steady.
        final long firstEndNs = (load.warmUp().shortestNs() + intervalNs - 1) / intervalNs * intervalNs;
        InvalidSettingException.throwIf(
            load.warmUp().isAuto() && load.warmUpNs() <= firstEndNs, LoadConfig.WARM_UP, "auto:" + load.warmUpNs() + "ns",
            "a bound above " + Quantity.formatNs(firstEndNs) + ", when the first interval after the shortest length ends");
        InvalidSettingException.throwIf(
            load.warmUp().isAuto() && clients.areApart(), LoadConfig.WARM_UP, "auto",
            "a time with " + ClientsConfig.COUNT + ", whose processes must measure the same messages");
        InvalidSettingException.throwIf(
            null != load.goal() && clients.areApart(), UNTIL, load.goal(),
            "not given with " + ClientsConfig.COUNT + ", whose processes must measure the same messages");
    }

    private static void checkShared(final LoadConfig load, final TargetConfig target, final ClientsConfig clients)
    {
        InvalidSettingException.throwIf(
            clients.count() * load.sessionCount() > LoadConfig.MAX_SESSION_COUNT, "--connections", load.sessionCount(),
            "1 to " + LoadConfig.MAX_SESSION_COUNT / clients.count() + " with " + ClientsConfig.COUNT + "=" + clients.count() +
            ", " + LoadConfig.MAX_SESSION_COUNT + " over all of them");
        InvalidSettingException.throwIf(
            clients.count() > 1 && null != target.egressEndpoint() && !target.egressEndpoint().endsWith(":0"), "--egress",
            target.egressEndpoint(), "a port of 0 with " + ClientsConfig.COUNT + ": each process needs its own");
    }

    public RunConfig withRate(final long ratePerSecond)
    {
        return with(LoadConfig.RATE, RateProfile.constant(ratePerSecond));
    }

    /** The same with another warm-up, of exactly that length. */
    public RunConfig withWarmUp(final long warmUpNs)
    {
        return with(LoadConfig.WARM_UP, new WarmUpTime(false, warmUpNs, warmUpNs));
    }

    /** The same run, which ends when a percentile is known precisely enough; null for the whole window. */
    public RunConfig until(final PrecisionGoal goal, final long durationNs)
    {
        if (null == goal)
        {
            return this;
        }

        InvalidSettingException.throwIf(
            durationNs < PrecisionRule.FIRST_LOOK * intervalNs, "--duration", durationNs + "ns",
            "with " + UNTIL + " at least " + PrecisionRule.FIRST_LOOK +
            " times --interval, the first time that the precision is looked at");
        InvalidSettingException.throwIf(
            null != target.snapshotEveryNs(), UNTIL, goal,
            "not given with " + TargetConfig.SNAPSHOT_EVERY + ": snapshots change what is measured");
        InvalidSettingException.throwIf(
            null != target.churnPerSecond(), UNTIL, goal,
            "not given with " + TargetConfig.CHURN + ": sessions that come and go change what is measured");
        return with("goal", goal);
    }

    /** The same run with another value of an option, by its first name. */
    public RunConfig with(final String option, final Object value)
    {
        return with(Map.of(option, value));
    }

    /** The same run with other values, by the first names of their options or the names of components. */
    public RunConfig with(final Map<String, ?> values)
    {
        return DeclaredOption.with(this, values);
    }

    /** The same run with other texts of options, {@code --name=value} or {@code --name value}. */
    public RunConfig with(final List<String> arguments)
    {
        return with(DeclaredOption.given(arguments));
    }

    /** Check that the other work on the cluster fits a measured window of this length. */
    public void checkBeside(final long durationNs)
    {
        final Long everyNs = target.snapshotEveryNs();
        if (null != everyNs)
        {
            InvalidSettingException.throwIf(
                everyNs < 1 || everyNs >= durationNs, TargetConfig.SNAPSHOT_EVERY, everyNs + "ns",
                "more than 0 and less than --duration");
            load.checkFixedWarmUp(TargetConfig.SNAPSHOT_EVERY);
            InvalidSettingException.throwIf(
                load.warmUpNs() + everyNs < intervalNs, TargetConfig.SNAPSHOT_EVERY, everyNs + "ns",
                "long enough that --warm-up and it last for one --interval: the first snapshot is taken after that");
        }
        if (null != target.churnPerSecond())
        {
            load.checkFixedWarmUp(TargetConfig.CHURN);
            InvalidSettingException.throwIf(
                target.churnPerSecond() > TargetConfig.MAX_CHURN, TargetConfig.CHURN, target.churnPerSecond(),
                "1 to " + TargetConfig.MAX_CHURN + " sessions per second");
            InvalidSettingException.throwIf(
                load.warmUpNs() + target.turnNs(durationNs) < intervalNs, LoadConfig.WARM_UP, load.warmUpNs() + "ns",
                "long enough that the first session is due after one --interval");
        }
        if (null != target.receivers())
        {
            checkReceivers(target.receivers(), durationNs);
        }
    }

    private void checkReceivers(final int count, final long durationNs)
    {
        InvalidSettingException.throwIf(
            count > FanOut.MAX_RECEIVERS, TargetConfig.RECEIVERS, count, "1 to " + FanOut.MAX_RECEIVERS);
        InvalidSettingException.throwIf(
            clients.areApart(), TargetConfig.RECEIVERS, count,
            "given only to a run of one client, whose process knows when each message was due");
        // Their accounts are made for the planned warm-up.
        load.checkFixedWarmUp(TargetConfig.RECEIVERS);
        final long messageCount = load.count(load.warmUpNs()) + load.count(durationNs);
        final long neededBytes = FanOut.lengthBytes(messageCount, count);
        final long availableBytes = Runtime.getRuntime().maxMemory() / 4;
        InvalidSettingException.throwIf(
            messageCount > FanOut.MAX_MESSAGES || neededBytes > availableBytes, TargetConfig.RECEIVERS, count,
            "few enough, and the run short enough, that the accounts of " + messageCount + " messages (" + neededBytes +
            " bytes) fit a quarter of the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");
    }

    /** The same run as the only load of this process. Clients of other systems have threads and code of their libraries. */
    public RunConfig ofOneLoad()
    {
        return sharedByInventory().clients().areApart() || !TransportNames.isCluster(target.transport()) ? this :
            with("threads", threads.ofOneLoad(
            load.rate().highestRatePerSecond() * (1 + target.receiverCount()), Processors.areFew()));
    }

    public RunConfig withResult(final String newLabel, final Path newOutput)
    {
        return with(Map.of(LABEL, newLabel, OUTPUT, newOutput));
    }

    /**
     * The same run, shared by the clients of the inventory if there are several and the user gave no clients. Each of them is
     * started over ssh; a single client is this process.
     */
    public RunConfig sharedByInventory()
    {
        final boolean isOfHosts = null != target.inventory() && TransportNames.isCluster(target.transport());
        final List<InventoryHost> hosts = isOfHosts ? target.inventory().clients() : List.of();
        if (hosts.size() < 2 || !clients.lines().isEmpty())
        {
            return this;
        }

        final int count = null != clients.givenCount() ? clients.givenCount() : hosts.size();
        return with("clients", new ClientsConfig(count, clients.commands(), clients.silenceNs(), IntStream.range(0, count)
            .mapToObj((number) -> workerCommand(hosts.get(number % hosts.size()))).toList()));
    }

    public String label(final String otherwise)
    {
        return DEFAULT_LABEL.equals(label) ? otherwise : label;
    }

    private static List<String> workerCommand(final InventoryHost host)
    {
        return host.overSsh("exec " + host.javaCommand(
            "@" + CommandHint.quoted(host.folder().resolve(JVM_OPTIONS)), "load-client.jar",
            ClientsConfig.WORKER));
    }
}
