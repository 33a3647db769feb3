package io.clusterecho.client.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.clusterecho.client.baseline.Baselines;
import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.results.Threshold;
import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.node.remote.Inventory;
import io.clusterecho.node.remote.InventoryHost;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.BitUtil;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Options of a load, whatever is done with it, and what follows from them. Checked as a whole by {@link #check(long)}.
 */
public final class LoadOptions
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Of all sessions of all clients. */
    static final int MAX_SESSION_COUNT = 1000;

    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NEWEST_SECONDS = 60;
    private static final int ASSUMED_MAX_LENGTH = 64 * 1024;
    /** What a worker has no use for: it keeps no results and starts no others. */
    private static final Set<String> KEPT_BY_THE_LEADER = Set.of(
        "--cluster-dir", "--inventory", "--assert", "--label", "--output", "--baseline", "--clients", "--client-command",
        "--client-timeout", ThreadOptions.CORE);
    private static final String JVM_OPTIONS = "config/jvm/client.options";
    private static final String DEFAULT_LABEL = "run";

    /** How the times between messages are distributed. */
    enum Arrivals
    {
        /** Equal. */
        constant,
        /** Exponential. */
        poisson
    }

    /** What is done about messages that may be lost. */
    enum DeliveryName
    {
        /** Nothing: what is lost is counted. */
        at_most_once,
        /** What is not acknowledged is sent again; the service applies each once. */
        exactly_once
    }

    /** What the members do with a message. */
    enum Service
    {
        /** They check it, apply it once, and answer. */
        echo,
        /** They send it back as it came. */
        plain
    }

    /** What happens when too many messages are unacknowledged. */
    enum AtBound
    {
        /** Further messages wait. */
        wait,
        /** The run ends. */
        end
    }

    @Option(names = "--rate", paramLabel = "N", defaultValue = "10k", converter = Converters.Rate.class,
        description = "Messages per second over all sessions and clients, as 100k or 1M. Default: ${DEFAULT-VALUE}.")
    long ratePerSecond;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
        converter = Converters.Size.class,
        description = "Length of the whole message, at least 32. Default: ${DEFAULT-VALUE}.")
    long lengthBytes;

    @Option(names = "--warm-up", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Load at the same rate before the measured window. Default: ${DEFAULT-VALUE}.")
    long warmUpNs;

    @Option(names = "--drain-timeout", paramLabel = "TIME", defaultValue = "5s", converter = Converters.Duration.class,
        description = "How long replies and late sends are waited for at the end. Default: ${DEFAULT-VALUE}.")
    long drainTimeoutNs;

    @Option(names = "--late-after", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Response time beyond which an answer counts as late. Default: ${DEFAULT-VALUE}.")
    long lateAfterNs;

    @Option(names = { "--connections", "--sessions" }, paramLabel = "N", defaultValue = "1",
        converter = Converters.PositiveInt.class,
        description = "Sessions that take turns, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    int sessionCount;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "1",
        converter = Converters.PositiveInt.class,
        description = "Messages that are due at the same time. Default: ${DEFAULT-VALUE}.")
    int batchLength;

    @Option(names = "--arrivals", paramLabel = "PROCESS", defaultValue = "constant",
        description = "Distances between messages: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Arrivals arrivals;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of Poisson arrivals. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(names = "--endpoints", paramLabel = "LIST",
        description = "Ingress endpoints of the members, as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--cluster-dir, else of a default cluster on this machine.")
    String endpoints;

    @Option(names = "--egress", paramLabel = "HOST:PORT",
        description = "Where replies are received; port 0 is any. Default: the address that this machine reaches the first " +
        "member from, any port.")
    String egressEndpoint;

    @Option(names = "--cluster-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of a cluster on this machine, for its endpoints and settings. Default: ${DEFAULT-VALUE}.")
    Path clusterDir;

    @Option(names = "--inventory", paramLabel = "FILE",
        description = "Hosts of the cluster in --cluster-dir; see docs/MANY-HOSTS.md. Default: those that it was started on " +
        "from here.")
    Path inventoryFile;

    @Option(names = "--placement", paramLabel = "NAME|FILE",
        description = "Distances that the members emulate, so that this client does the same: cluster, partition or a file of " +
        "zones. Default: those of the cluster in --cluster-dir.")
    String placement;

    @Option(names = "--mtu", paramLabel = "BYTES", converter = Converters.Size.class,
        description = "MTU of this client's channels. Default: the cluster's, if known, else 1408.")
    Long mtuLength;

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "How long a session is waited for. Default: ${DEFAULT-VALUE}.")
    long connectTimeoutNs;

    @Option(names = "--new-leader-timeout", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "How long a session waits for a new leader before it is opened anew. Default: what the timeouts of " +
        "the cluster allow for without a leader, if they are known, and 5 s at least; else 30 s.")
    Long newLeaderTimeoutNs;

    @Option(names = "--credentials-file", paramLabel = "FILE",
        description = "File with one line name:secret, readable by its owner only.")
    Path credentialsFile;

    @Option(names = "--delivery", paramLabel = "MODE", defaultValue = "at-most-once", converter = Converters.DeliveryMode.class,
        description = "at-most-once (what is lost is counted) or exactly-once (what is not acknowledged is sent again, and " +
        "the service applies each message once). Default: ${DEFAULT-VALUE}.")
    DeliveryName delivery;

    @Option(names = "--service", paramLabel = "NAME",
        description = "What the members do with a message: echo (it is checked, applied once and answered) or plain (it comes " +
        "back as it was sent; no exactly-once delivery, no audit). Default: what the cluster is set to, if known, else echo.")
    Service service;

    @Option(names = "--resend-after", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "With exactly-once: how long an acknowledgement is waited for. Default: ${DEFAULT-VALUE}.")
    long resendAfterNs;

    @Option(names = "--unacknowledged", paramLabel = "N", defaultValue = "1000000",
        converter = Converters.PositiveInt.class,
        description = "With exactly-once: messages of a session that may be unacknowledged at once. Default: ${DEFAULT-VALUE}.")
    int unacknowledgedCount;

    @Option(names = "--at-bound", paramLabel = "ACTION", defaultValue = "wait",
        description = "With exactly-once, what happens at that bound: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    AtBound atBound;

    @Mixin
    ThreadOptions threads;

    @Mixin
    DriverOptions driver;

    @Mixin
    ClientOptions clients;

    @Option(names = "--transport", paramLabel = "NAME", defaultValue = TransportNames.CLUSTER,
        completionCandidates = TransportNames.class,
        description = "What carries the messages: ${COMPLETION-CANDIDATES}; memory calibrates the client. " +
        "Default: ${DEFAULT-VALUE}.")
    String transport;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE",
        description = "Setting of a transport that is neither cluster nor memory; may be given again.")
    List<String> transportAssignments = List.of();

    @Option(names = "--memory-delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of the transport in memory. Default: ${DEFAULT-VALUE}.")
    long memoryDelayNs;

    @Option(names = "--memory-stall", paramLabel = "TIME@TIME", defaultValue = "0s@0s", converter = Converters.Stall.class,
        description = "Stall of the transport in memory, as 1s@5s: for 1 s, 5 s after the start. Default: none.")
    Converters.StallSpan memoryStall;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = Converters.Duration.class,
        description = "Length of the intervals that are shown and stored, at least 100ms. Default: ${DEFAULT-VALUE}.")
    long intervalNs;

    @Option(names = "--stages",
        description = "Ask members that were started with echo.stages=true when they had which message where: how much time " +
        "goes to leader, log, quorum, service and the way back. Costs a little, see docs/MEASURING.md.")
    boolean isStaged;

    @Option(names = "--assert", paramLabel = "CONDITIONS", converter = Converters.Thresholds.class,
        description = "Conditions that the result must meet, as 'p99<1ms,lost==0'; exit status 99 when one does not.")
    List<Threshold> thresholds = List.of();

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = DEFAULT_LABEL, converter = Converters.Label.class,
        description = "Name of the run in its folder and report. Default: ${DEFAULT-VALUE}.")
    String label;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "results",
        description = "Folder below which the result folder is made. Default: ${DEFAULT-VALUE}.")
    Path output;

    @Option(names = "--baseline", paramLabel = "DIR",
        description = "Folder of a baseline that the median is held against. Default: the newest one of this machine that " +
        "fits, below --output.")
    Path baseline;

    private Baselines baselines;
    private Inventory inventory;

    /**
     * What a command that measures several runs sets anew for each.
     */
    record Saved(
        long ratePerSecond,
        long lengthBytes,
        long warmUpNs,
        Path clusterDir,
        List<Threshold> thresholds,
        String label,
        Path output,
        DriverOptions.Saved driver)
    {
    }

    Saved save()
    {
        // Those below the folder of results, not below the one that the runs of a series will have.
        baselines();
        return new Saved(
            ratePerSecond, lengthBytes, warmUpNs, clusterDir, thresholds, label, output, driver.save());
    }

    void restore(final Saved saved)
    {
        ratePerSecond = saved.ratePerSecond();
        lengthBytes = saved.lengthBytes();
        warmUpNs = saved.warmUpNs();
        clusterDir = saved.clusterDir();
        thresholds = saved.thresholds();
        label = saved.label();
        output = saved.output();
        driver.restore(saved.driver());
    }

    /**
     * Label, or another where none was given.
     */
    String label(final String otherwise)
    {
        return DEFAULT_LABEL.equals(label) ? otherwise : label;
    }

    /**
     * The baselines that runs are held against, read the first time.
     *
     * @throws InvalidSettingException if the one that was named cannot be read.
     */
    Baselines baselines()
    {
        if (null == baselines)
        {
            baselines = null != baseline ? Baselines.named(baseline) :
                Baselines.below(output, (warning) -> System.err.println("warning: " + warning));
        }

        return baselines;
    }

    /**
     * The inventory that was given, else that of the cluster in the base folder, read the first time, or null.
     *
     * @throws InvalidSettingException if it cannot be used.
     */
    Inventory inventory()
    {
        if (null == inventory && null != inventoryFile)
        {
            inventory = Inventory.read(inventoryFile);
        }
        else if (null == inventory && null == endpoints && TransportNames.isCluster(transport))
        {
            inventory = Inventory.recordedIn(clusterDir).orElse(null);
        }

        return inventory;
    }

    /**
     * Have the clients of the inventory offer the load together, if there are several and nothing else was said: each is
     * started over ssh. One client alone is this process.
     */
    void shareByInventory()
    {
        final List<InventoryHost> hosts = null == inventory() ? List.of() : inventory().clients();
        if (hosts.size() > 1 && clients.commands.isEmpty())
        {
            clients.startBy(IntStream.range(0, null == clients.count ? hosts.size() : clients.count)
                .mapToObj((number) -> hosts.get(number % hosts.size())).map(LoadOptions::workerCommand).toList());
            clients.check(this);
        }
    }

    private static List<String> workerCommand(final InventoryHost host)
    {
        return host.overSsh("exec " + host.javaCommand(
            "@" + InventoryHost.quoted(host.folder().resolve(JVM_OPTIONS).toString()), "load-client.jar", ClientOptions.WORKER));
    }

    /**
     * Check what no single option can tell.
     *
     * @param measuredNs length of the measured window in ns, at the most.
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    void check(final long measuredNs)
    {
        if (lengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new InvalidSettingException("--size", lengthBytes, "at least " + EchoMessage.MIN_LENGTH + " bytes");
        }
        if (sessionCount > MAX_SESSION_COUNT)
        {
            throw new InvalidSettingException("--connections", sessionCount, "1 to " + MAX_SESSION_COUNT);
        }
        if (intervalNs < NS_PER_SECOND / 10)
        {
            throw new InvalidSettingException("--interval", intervalNs + "ns", "at least 100ms");
        }
        driver.driver();
        threads.check(clients.areApart());
        clients.check(this);
        if (connectTimeoutNs < 1)
        {
            throw new InvalidSettingException("--connect-timeout", connectTimeoutNs + "ns", "more than 0");
        }

        baselines();
        final long messageCount = count(warmUpNs) + count(measuredNs);
        final long neededBytes = messageCount / 4 + 16L * newestCount(messageCount);
        final long availableBytes = Runtime.getRuntime().maxMemory() / 2;
        if (neededBytes > availableBytes)
        {
            throw new InvalidSettingException(
                "the length of the run", measuredNs + "ns",
                "short enough that the accounts of " + messageCount + " messages (" + neededBytes +
                " bytes) fit half the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");
        }
    }

    /**
     * Check the length against what the transport takes.
     *
     * @param maxLengthBytes that it allows, or null when that is not known.
     */
    void checkLength(final Long maxLengthBytes)
    {
        final long max = null == maxLengthBytes ? ASSUMED_MAX_LENGTH : maxLengthBytes;
        if (lengthBytes > max)
        {
            throw new InvalidSettingException(
                "--size", lengthBytes,
                EchoMessage.MIN_LENGTH + " to " + max + " bytes" +
                (TransportNames.isCluster(transport) ? " (the cluster's echo.max.message.length)" : ""));
        }
    }

    boolean isExactlyOnce()
    {
        return DeliveryName.exactly_once == delivery;
    }

    /**
     * Number of messages that are due in a time.
     */
    long count(final long timeNs)
    {
        final long seconds = timeNs / NS_PER_SECOND;
        return seconds * ratePerSecond + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * ratePerSecond);
    }

    LoadPlan plan(final long measuredNs)
    {
        return new LoadPlan(
            ratePerSecond, (int)lengthBytes, count(warmUpNs), count(measuredNs), sessionCount, drainTimeoutNs, lateAfterNs,
            newestCount(count(warmUpNs) + count(measuredNs)),
            DeliveryName.at_most_once == delivery ? Delivery.AT_MOST_ONCE :
                new Delivery(true, resendAfterNs, unacknowledgedCount, AtBound.end == atBound)).staged(isStaged);
    }

    Schedule schedule(final LoadPlan plan)
    {
        final Schedule single = Arrivals.poisson == arrivals ?
            new PoissonSchedule(ratePerSecond, plan.messageCount(), seed) : new ConstantSchedule(ratePerSecond);
        return 1 == batchLength ? single : new BatchedSchedule(single, batchLength);
    }

    /**
     * Term length of the ingress channel: eight messages at least fit a term, and no less than 1 MiB.
     */
    int ingressTermLength()
    {
        return Math.max(1 << 20, BitUtil.findNextPositivePowerOfTwo((int)Math.min(1 << 27, 8 * (lengthBytes + 1024))));
    }

    /**
     * Every option with its effective value, for the record.
     *
     * @param spec of the command that holds these options.
     * @return first name of an option without dashes to value, sorted; secrets are not among them.
     */
    Map<String, String> effective(final CommandSpec spec)
    {
        final Map<String, String> values = new TreeMap<>();
        for (final OptionSpec option : spec.options())
        {
            final Object value = option.getValue();
            if (!option.hidden() && !option.usageHelp() && !option.versionHelp() && null != value)
            {
                values.put(option.names()[0].substring(2), text(option, value));
            }
        }
        if (clients.areApart())
        {
            values.put("clients", String.valueOf(clients.count()));
        }
        else
        {
            // They decide about nothing then.
            values.keySet().removeAll(List.of("clients", "client-command", "client-timeout"));
        }
        values.putAll(threads.effective());
        return values;
    }

    /**
     * The options that decide about the load itself, as a command line that a worker is told.
     *
     * @param spec     of the command that holds these options.
     * @param resolved option to value, where it is known better here than at the worker.
     * @return names with values.
     */
    static List<String> arguments(final CommandSpec spec, final Map<String, String> resolved)
    {
        final List<String> arguments = new ArrayList<>();
        for (final OptionSpec option : CommandSpec.forAnnotatedObject(new WorkerLoad()).options())
        {
            final String name = option.names()[0];
            final Object value = spec.findOption(name).getValue();
            if (KEPT_BY_THE_LEADER.contains(name) || resolved.containsKey(name) || null == value)
            {
                continue;
            }
            if (value instanceof Boolean isGiven)
            {
                // A switch takes no value.
                if (isGiven)
                {
                    arguments.add(name);
                }
                continue;
            }
            for (final Object one : value instanceof List<?> list ? list : List.of(value))
            {
                arguments.add(name + "=" + text(option, one));
            }
        }
        resolved.forEach((name, value) -> arguments.add(name + "=" + value));
        return arguments;
    }

    private static String text(final OptionSpec option, final Object value)
    {
        if (value instanceof List<?> list)
        {
            return String.join(",", list.stream().map(Object::toString).toList());
        }

        if (value instanceof DeliveryName name)
        {
            return name.name().replace('_', '-');
        }

        return "TIME".equals(option.paramLabel()) ? value + "ns" : value.toString();
    }

    private int newestCount(final long messageCount)
    {
        return (int)Math.min(
            NEWEST_COUNT_MAX, Math.max(1024, Math.min(messageCount, NEWEST_SECONDS * ratePerSecond)));
    }
}
