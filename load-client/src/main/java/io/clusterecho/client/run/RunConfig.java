package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.calibration.Baselines;
import io.clusterecho.client.load.PacedIdleStrategy;
import io.clusterecho.client.record.FanOutLedger;
import io.clusterecho.client.schedule.ConstantRate;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.control.remote.InventoryHost;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.confidence.PrecisionRule;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.Cores;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Complete configuration of a run, made once from the command line and checked as a whole. Immutable: a search, a sweep or a
 * worker derives the configuration of each run from it.
 *
 * @param baselines   for the floor of the median.
 * @param commandLine that repeats the command, without secrets.
 */
public record RunConfig(
    LoadConfig load,
    TargetConfig target,
    ThreadConfig threads,
    DriverConfig driver,
    ClientsConfig clients,
    List<Threshold> thresholds,
    String label,
    Path output,
    long intervalNs,
    Baselines baselines,
    OptionTexts texts,
    String commandLine)
{
    public static final String DEFAULT_LABEL = "run";
    static final String RECEIVERS = "--receivers";

    private static final long MIN_INTERVAL_NS = 100_000_000L;
    private static final String JVM_OPTIONS = "config/jvm/client.options";
    private static final String RATE = "rate";
    static final String WARM_UP = "--warm-up";
    private static final String UNTIL = "--until";

    public RunConfig
    {
        InvalidSettingException.throwIf(intervalNs < MIN_INTERVAL_NS, "--interval", intervalNs + "ns", "at least 100ms");
        checkEnds(load, clients, intervalNs);
        threads.check(driver, clients.areApart());
        if (clients.areApart())
        {
            checkShared(load, target, clients);
        }
        thresholds = List.copyOf(thresholds);
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
            ThreadingMode.INVOKER == threads.threadingMode(driver) && driver.driver().plan().isInProcess());
    }

    /** A new idle strategy for the agent, which also paces its duty cycle. */
    public IdleStrategy idleStrategy(final Optional<Integer> leaderCore)
    {
        final long leastNs = dutyCycleIntervalNs(leaderCore);
        return 0 == leastNs ? threads.idle().strategy() :
            new PacedIdleStrategy(threads.idle().strategy(), leastNs, SystemNanoClock.INSTANCE);
    }

    /** Options in effect in a run, for its result. */
    public SortedMap<String, String> effectiveOptions(final Optional<Integer> leaderCore)
    {
        final SortedMap<String, String> options = options();
        options.put(ThreadConfig.DUTY_CYCLE_INTERVAL.substring(2), dutyCycleIntervalNs(leaderCore) + "ns");
        return options;
    }

    /** Every option of the command, by name without dashes, with its value in effect; for the record. */
    public SortedMap<String, String> options()
    {
        final SortedMap<String, String> options = texts.recorded();
        options.put(RATE, load.rate().toString());
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

    private static void checkEnds(final LoadConfig load, final ClientsConfig clients, final long intervalNs)
    {
        InvalidSettingException.throwIf(
            load.ends().isAny() && !load.rate().isConstant(), "--rate", load.rate(),
            "a constant rate with " + WARM_UP + " auto or " + UNTIL + ": a load that varies is never steady");
        final long leastNs = Math.max(SteadyRule.MIN_LENGTH_NS, SteadyRule.MIN_COUNT * intervalNs);
        InvalidSettingException.throwIf(
            load.ends().isWarmUpAuto() && load.warmUpNs() <= leastNs, WARM_UP, "auto:" + load.warmUpNs() + "ns",
            "a bound above " + Quantity.formatNs(leastNs) + ": 10 s and " + SteadyRule.MIN_COUNT +
            " intervals are the least that show a steady state");
        // Only at the end of an interval is it known whether the state is steady.
        final long firstEndNs = (load.ends().shortestWarmUpNs() + intervalNs - 1) / intervalNs * intervalNs;
        InvalidSettingException.throwIf(
            load.ends().isWarmUpAuto() && load.warmUpNs() <= firstEndNs, WARM_UP, "auto:" + load.warmUpNs() + "ns",
            "a bound above " + Quantity.formatNs(firstEndNs) + ", when the first interval after the shortest length ends");
        InvalidSettingException.throwIf(
            load.ends().isWarmUpAuto() && clients.areApart(), WARM_UP, "auto",
            "a time with " + ClientsConfig.COUNT + ", whose processes must measure the same messages");
        InvalidSettingException.throwIf(
            null != load.ends().goal() && clients.areApart(), UNTIL, load.ends().goal(),
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
        InvalidSettingException.throwIf(
            load.delivery().isEndingAtBound(), "--at-bound", "end",
            "wait with " + ClientsConfig.COUNT + ": no process knows whether another is at its bound");
    }

    public RunConfig withRate(final long ratePerSecond)
    {
        return withRate(new ConstantRate(ratePerSecond));
    }

    public RunConfig withRate(final RateProfile rate)
    {
        return with(load.withRate(rate), RATE, rate.toString());
    }

    public RunConfig withLength(final long lengthBytes)
    {
        return with(load.withLength(lengthBytes), "size", String.valueOf(lengthBytes));
    }

    public RunConfig withWarmUp(final long warmUpNs)
    {
        return with(load.withWarmUp(warmUpNs), WARM_UP.substring(2), warmUpNs + "ns");
    }

    /** The same run, which ends when a percentile is known precisely enough. */
    public RunConfig until(final PrecisionGoal goal, final long durationNs)
    {
        InvalidSettingException.throwIf(
            durationNs < PrecisionRule.FIRST_LOOK * intervalNs, "--duration", durationNs + "ns",
            "with " + UNTIL + " at least " + PrecisionRule.FIRST_LOOK +
            " times --interval, the first time that the precision is looked at");
        return with(load.withEnds(load.ends().withGoal(goal)), UNTIL.substring(2), goal.toString());
    }

    public RunConfig withInterval(final long newIntervalNs)
    {
        return new RunConfig(
            load, target, threads, driver, clients, thresholds, label, output, newIntervalNs, baselines,
            texts.with("interval", newIntervalNs + "ns"), commandLine);
    }

    public RunConfig withClusterDir(final Path clusterDir)
    {
        return with(target.withClusterDir(clusterDir), "base-dir", clusterDir.toString());
    }

    /** The same run over another transport with its own settings, KEY=VALUE. */
    public RunConfig withTransport(final String transport, final List<String> assignments, final String endpoints)
    {
        return with(
            target.withTransport(transport, assignments, endpoints),
            texts.with("transport", transport).with("transport-set", assignments.toArray(String[]::new))
            .with("endpoints", endpoints));
    }

    /** The same run with snapshots of the cluster at this interval during the measured window; 0 for none. */
    public RunConfig withSnapshots(final long everyNs)
    {
        InvalidSettingException.throwIf(
            everyNs > 0 && load.warmUpNs() + everyNs < intervalNs, "--snapshot-every", everyNs + "ns",
            "long enough that --warm-up and it last for one --interval: the first snapshot is taken after that");

        return everyNs == target.beside().snapshotEveryNs() ? this : with(
            target.with(new TargetConfig.Beside(everyNs, target.beside().receiverCount(), target.beside().churn())),
            "snapshot-every", everyNs + "ns");
    }

    /** The same run with sessions that come and go during the measured window. */
    public RunConfig withChurn(final ChurnConfig churn)
    {
        if (churn.equals(target.beside().churn()))
        {
            return this;
        }

        InvalidSettingException.throwIf(
            churn.isAny() && load.warmUpNs() + churn.turnNs() < intervalNs, WARM_UP, load.warmUpNs() + "ns",
            "long enough that the first session is due after one --interval");

        return with(
            target.with(new TargetConfig.Beside(target.beside().snapshotEveryNs(), target.beside().receiverCount(), churn)),
            ChurnConfig.RATE.substring(2), String.valueOf(churn.ratePerSecond()));
    }

    /** The same run with further sessions, 1 or more, that send nothing and receive a copy of each reply. */
    public RunConfig withReceivers(final int count, final long durationNs)
    {
        InvalidSettingException.throwIf(
            count > FanOutLedger.MAX_RECEIVERS, RECEIVERS, count, "1 to " + FanOutLedger.MAX_RECEIVERS);
        InvalidSettingException.throwIf(
            clients.areApart(), RECEIVERS, count,
            "given only to a run of one client, whose process knows when each message was due");
        // Their accounts are made for the planned warm-up.
        load.checkFixedWarmUp(RECEIVERS);
        final long messageCount = load.count(load.warmUpNs()) + load.count(durationNs);
        final long neededBytes = FanOutLedger.lengthBytes(messageCount, count);
        final long availableBytes = Runtime.getRuntime().maxMemory() / 4;
        InvalidSettingException.throwIf(
            messageCount > FanOutLedger.maxMessageCount() || neededBytes > availableBytes, RECEIVERS, count,
            "few enough, and the run short enough, that the accounts of " + messageCount + " messages (" + neededBytes +
            " bytes) fit a quarter of the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");

        return with(
            target.with(new TargetConfig.Beside(target.beside().snapshotEveryNs(), count, target.beside().churn())),
            RECEIVERS.substring(2), String.valueOf(count));
    }

    /** The same run with another driver of this client: java, embedded, c or external. */
    public RunConfig withDriver(
        final String kind, final String receiveVector, final String sendVector, final String messagesPerSend)
    {
        final DriverConfig newDriver = driver.with(kind, receiveVector, sendVector, messagesPerSend);
        OptionTexts changed = texts;
        for (final String option : DriverConfig.TUNING)
        {
            changed = changed.with(option.substring(2), newDriver.text(option));
        }
        return with(newDriver, changed);
    }

    /** The same run as the only load of this process. Clients of other systems have threads and code of their libraries. */
    public RunConfig ofOneLoad()
    {
        if (sharedByInventory().clients().areApart() || !TransportNames.isCluster(target.transport()))
        {
            return this;
        }

        return with(
            threads.ofOneLoad(load.rate().highestRatePerSecond() * (1 + target.beside().receiverCount()), Cores.areFew()), texts);
    }

    public RunConfig withThresholds(final List<Threshold> newThresholds)
    {
        return new RunConfig(
            load, target, threads, driver, clients, newThresholds, label, output, intervalNs, baselines,
            texts.with("assert", Threshold.join(newThresholds)), commandLine);
    }

    public RunConfig withResult(final String newLabel, final Path newOutput)
    {
        return new RunConfig(
            load, target, threads, driver, clients, thresholds, newLabel, newOutput, intervalNs, baselines,
            texts.with("label", newLabel).with("output", newOutput.toString()), commandLine);
    }

    /**
     * The same run, shared by the clients of the inventory if there are several and the user gave no clients. Each of them is
     * started over ssh; a single client is this process.
     */
    public RunConfig sharedByInventory()
    {
        final List<InventoryHost> hosts = null == target.inventory() ? List.of() : target.inventory().clients();
        if (hosts.size() < 2 || !clients.lines().isEmpty())
        {
            return this;
        }

        return with(clients.startedBy(
            IntStream.range(0, clients.isCountGiven() ? clients.count() : hosts.size())
            .mapToObj((number) -> hosts.get(number % hosts.size())).map(RunConfig::workerCommand).toList()), texts);
    }

    /** Label, or a default if none was given. */
    public String label(final String otherwise)
    {
        return DEFAULT_LABEL.equals(label) ? otherwise : label;
    }

    private RunConfig with(final Object part, final String option, final String text)
    {
        return with(part, texts.with(option, text));
    }

    /** The same where a part replaces that of its class. */
    private RunConfig with(final Object part, final OptionTexts newTexts)
    {
        return new RunConfig(
            part instanceof LoadConfig newLoad ? newLoad : load,
            part instanceof TargetConfig newTarget ? newTarget : target,
            part instanceof ThreadConfig newThreads ? newThreads : threads,
            part instanceof DriverConfig newDriver ? newDriver : driver,
            part instanceof ClientsConfig newClients ? newClients : clients,
            thresholds, label, output, intervalNs, baselines, newTexts, commandLine);
    }

    private static List<String> workerCommand(final InventoryHost host)
    {
        return host.overSsh("exec " + host.javaCommand(
            "@" + CommandHint.quoted(host.folder().resolve(JVM_OPTIONS)), "load-client.jar",
            ClientsConfig.WORKER));
    }
}
