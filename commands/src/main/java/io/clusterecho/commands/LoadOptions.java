package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.client.baseline.Baselines;
import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Options of a load, whatever is done with it: read by picocli, and made into a configuration once.
 */
public final class LoadOptions
{
    /** What a worker has no use for: it keeps no results and starts no others. */
    private static final Set<String> KEPT_HERE = Set.of(
        "--cluster-dir", "--inventory", "--assert", "--label", "--output", "--baseline", "--clients", "--client-command",
        "--client-timeout", ThreadConfig.CORE);

    /** What is done about messages that may be lost. */
    enum DeliveryName
    {
        /** Nothing: what is lost is counted. */
        at_most_once,
        /** What is not acknowledged is sent again; the service applies each once. */
        exactly_once
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
    private long ratePerSecond;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288",
        converter = Converters.Size.class,
        description = "Length of the whole message, at least 32. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = "--warm-up", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Load at the same rate before the measured window. Default: ${DEFAULT-VALUE}.")
    private long warmUpNs;

    @Option(names = "--drain-timeout", paramLabel = "TIME", defaultValue = "5s", converter = Converters.Duration.class,
        description = "How long replies and late sends are waited for at the end. Default: ${DEFAULT-VALUE}.")
    private long drainTimeoutNs;

    @Option(names = "--late-after", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Response time beyond which an answer counts as late. Default: ${DEFAULT-VALUE}.")
    private long lateAfterNs;

    @Option(names = { "--connections", "--sessions" }, paramLabel = "N", defaultValue = "1",
        converter = Converters.PositiveInt.class,
        description = "Sessions that take turns, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int sessionCount;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "1",
        converter = Converters.PositiveInt.class,
        description = "Messages that are due at the same time. Default: ${DEFAULT-VALUE}.")
    private int batchLength;

    @Option(names = "--arrivals", paramLabel = "PROCESS", defaultValue = "constant",
        description = "Distances between messages: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private LoadConfig.Arrivals arrivals;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of Poisson arrivals. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--endpoints", paramLabel = "LIST",
        description = "Ingress endpoints of the members, as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--cluster-dir, else of a default cluster on this machine.")
    private String endpoints;

    @Option(names = "--egress", paramLabel = "HOST:PORT",
        description = "Where replies are received; port 0 is any. Default: the address that this machine reaches the first " +
        "member from, any port.")
    private String egressEndpoint;

    @Option(names = "--cluster-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of a cluster on this machine, for its endpoints and settings. Default: ${DEFAULT-VALUE}.")
    private Path clusterDir;

    @Option(names = "--inventory", paramLabel = "FILE",
        description = "Hosts of the cluster in --cluster-dir; see docs/MANY-HOSTS.md. Default: those that it was started on " +
        "from here.")
    private Path inventoryFile;

    @Option(names = "--placement", paramLabel = "NAME|FILE",
        description = "Distances that the members emulate, so that this client does the same: cluster, partition or a file of " +
        "zones. Default: those of the cluster in --cluster-dir.")
    private String placement;

    @Option(names = "--mtu", paramLabel = "BYTES", converter = Converters.Size.class,
        description = "MTU of this client's channels. Default: the cluster's, if known, else 1408.")
    private Long mtuLength;

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "How long a session is waited for. Default: ${DEFAULT-VALUE}.")
    private long connectTimeoutNs;

    @Option(names = "--new-leader-timeout", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "How long a session waits for a new leader before it is opened anew. Default: what the timeouts of " +
        "the cluster allow for without a leader, if they are known, and 5 s at least; else 30 s.")
    private Long newLeaderTimeoutNs;

    @Option(names = "--session-recovery", paramLabel = "MODE", defaultValue = "probe",
        description = "What a session does whose leader is out of reach: probe (ask for another session at once, beside " +
        "waiting for a new leader) or wait (for --new-leader-timeout, as a plain AeronCluster client). " +
        "Default: ${DEFAULT-VALUE}.")
    private SessionRecovery sessionRecovery;

    @Option(names = "--credentials-file", paramLabel = "FILE",
        description = "File with one line name:secret, readable by its owner only.")
    private Path credentialsFile;

    @Option(names = "--delivery", paramLabel = "MODE", defaultValue = "at-most-once", converter = Converters.DeliveryMode.class,
        description = "at-most-once (what is lost is counted) or exactly-once (what is not acknowledged is sent again, and " +
        "the service applies each message once). Default: ${DEFAULT-VALUE}.")
    private DeliveryName delivery;

    @Option(names = "--service", paramLabel = "NAME",
        description = "What the members do with a message: echo (it is checked, applied once and answered) or plain (it comes " +
        "back as it was sent; no exactly-once delivery, no audit). Default: what the cluster is set to, if known, else echo.")
    private TargetConfig.Service service;

    @Option(names = "--resend-after", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "With exactly-once: how long an acknowledgement is waited for. Default: ${DEFAULT-VALUE}.")
    private long resendAfterNs;

    @Option(names = "--unacknowledged", paramLabel = "N", defaultValue = "1000000",
        converter = Converters.PositiveInt.class,
        description = "With exactly-once: messages of a session that may be unacknowledged at once. Default: ${DEFAULT-VALUE}.")
    private int unacknowledgedCount;

    @Option(names = "--at-bound", paramLabel = "ACTION", defaultValue = "wait",
        description = "With exactly-once, what happens at that bound: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private AtBound atBound;

    @Mixin
    private ThreadOptions threads;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private ClientOptions clients;

    @Option(names = "--transport", paramLabel = "NAME", defaultValue = TransportNames.CLUSTER,
        completionCandidates = TransportNames.class,
        description = "What carries the messages: ${COMPLETION-CANDIDATES}; memory calibrates the client. " +
        "Default: ${DEFAULT-VALUE}.")
    private String transport;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE",
        description = "Setting of a transport that is neither cluster nor memory; may be given again.")
    private List<String> transportAssignments = List.of();

    @Option(names = "--memory-delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of the transport in memory. Default: ${DEFAULT-VALUE}.")
    private long memoryDelayNs;

    @Option(names = "--memory-stall", paramLabel = "TIME@TIME", defaultValue = "0s@0s", converter = Converters.Stall.class,
        description = "Stall of the transport in memory, as 1s@5s: for 1 s, 5 s after the start. Default: none.")
    private Converters.StallSpan memoryStall;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = Converters.Duration.class,
        description = "Length of the intervals that are shown and stored, at least 100ms. Default: ${DEFAULT-VALUE}.")
    private long intervalNs;

    @Option(names = "--stages",
        description = "Ask members that were started with echo.stages=true when they had which message where: how much time " +
        "goes to leader, log, quorum, service and the way back. Costs a little, see docs/MEASURING.md.")
    private boolean isStaged;

    @Option(names = "--assert", paramLabel = "CONDITIONS", converter = Converters.Thresholds.class,
        description = "Conditions that the result must meet, as 'p99<1ms,lost==0'; exit status 99 when one does not.")
    private List<Threshold> thresholds = List.of();

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = RunConfig.DEFAULT_LABEL, converter = Converters.Label.class,
        description = "Name of the run in its folder and report. Default: ${DEFAULT-VALUE}.")
    private String label;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "results",
        description = "Folder below which the result folder is made. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Option(names = "--baseline", paramLabel = "DIR",
        description = "Folder of a baseline that the median is held against. Default: the newest one of this machine that " +
        "fits, below --output.")
    private Path baseline;

    /**
     * The configuration that these options come to.
     *
     * @param spec of the command that holds them.
     * @return checked, and independent of these options.
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    RunConfig config(final CommandSpec spec)
    {
        return new RunConfig(
            load(), target(), threads.config(), driver.config(), clients.config(), thresholds, label, output, intervalNs,
            baselines(), effective(spec), workerOptions(spec), TypedCommand.of(spec));
    }

    private LoadConfig load()
    {
        return new LoadConfig(
            ratePerSecond, lengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            DeliveryName.at_most_once == delivery ? Delivery.AT_MOST_ONCE :
                new Delivery(true, resendAfterNs, unacknowledgedCount, AtBound.end == atBound), isStaged);
    }

    private TargetConfig target()
    {
        return new TargetConfig(
            transport, transportAssignments, endpoints, egressEndpoint, clusterDir, inventoryFile, inventory(), placement,
            mtuLength, connectTimeoutNs, newLeaderTimeoutNs, sessionRecovery, credentialsFile, service, memoryDelayNs,
            memoryStall.beginNs(), memoryStall.lengthNs());
    }

    private Baselines baselines()
    {
        return null != baseline ? Baselines.named(baseline) :
            Baselines.below(output, (warning) -> System.err.println("warning: " + warning));
    }

    /**
     * The inventory that was given, else that of the cluster in the base folder, or null.
     */
    private Inventory inventory()
    {
        if (null != inventoryFile)
        {
            return Inventory.read(inventoryFile);
        }

        return null == endpoints && TransportNames.isCluster(transport) ? Inventory.recordedIn(clusterDir).orElse(null) : null;
    }

    /**
     * Every option with its effective value, for the record: first name of an option without dashes to value; secrets are not
     * among them.
     */
    private SortedMap<String, String> effective(final CommandSpec spec)
    {
        final SortedMap<String, String> values = new TreeMap<>();
        for (final OptionSpec option : spec.options())
        {
            final Object value = option.getValue();
            if (!option.hidden() && !option.usageHelp() && !option.versionHelp() && null != value)
            {
                values.put(option.names()[0].substring(2), text(option, value));
            }
        }
        final ClientsConfig configured = clients.config();
        if (configured.areApart())
        {
            values.put("clients", String.valueOf(configured.count()));
        }
        else
        {
            // They decide about nothing then.
            values.keySet().removeAll(List.of("clients", "client-command", "client-timeout"));
        }
        values.putAll(threads.config().effective());
        return values;
    }

    /**
     * The options that decide about the load itself: name to values, of a switch none.
     */
    static Map<String, List<String>> workerOptions(final CommandSpec spec)
    {
        final Map<String, List<String>> options = new TreeMap<>();
        for (final OptionSpec option : CommandSpec.forAnnotatedObject(new WorkerLoad()).options())
        {
            final String name = option.names()[0];
            final OptionSpec own = spec.findOption(name);
            final Object value = null == own ? null : own.getValue();
            if (KEPT_HERE.contains(name) || null == value)
            {
                continue;
            }
            if (value instanceof Boolean isGiven)
            {
                if (isGiven)
                {
                    options.put(name, List.of());
                }
                continue;
            }
            final List<?> all = value instanceof List<?> list ? list : List.of(value);
            if (!all.isEmpty())
            {
                options.put(name, all.stream().map((one) -> text(option, one)).toList());
            }
        }

        return options;
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
        if (value instanceof SessionRecovery recovery)
        {
            return recovery.name().toLowerCase(Locale.ROOT);
        }

        return "TIME".equals(option.paramLabel()) && !(value instanceof VictimReturn) ? value + "ns" : value.toString();
    }
}
