package io.clusterecho.client.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.client.transport.cluster.ClusterAddress;
import io.clusterecho.client.transport.cluster.ClusterConnector;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.LocalMember;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.host.HostFiles;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.media.zone.Placement.Distances;
import io.clusterecho.node.config.Credentials;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.node.member.MemberThreads.CorePinning;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.PathMtu;
import io.clusterecho.reporting.results.MemberStart;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.reporting.results.WindowEnd;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.SystemNanoClock;

/**
 * What a run sends to: a cluster with all that is known of it, the echo in memory, or a kind of transport found on the class
 * path.
 */
public final class Target
{
    private static final String IPC_ALLOWED = "aeron.cluster.ingress.ipc.allowed";
    private static final int DEFAULT_MTU_LENGTH = 1408;
    /** Text in every result without emulated delays. */
    public static final String NO_PLACEMENT = "none emulated";
    /** Key of the folder in which a client with messages of its own was started. */
    public static final String FOLDER = "started-in";
    /** Between the settings of such messages, whose values may have commas. */
    public static final String NEXT_SETTING = "\t";
    private static final int ERRORS_SHOWN = 10;
    private static final int LEAST_TERM_LENGTH = 64 * 1024;
    private static final long LEAST_NEW_LEADER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long NEW_LEADER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final RunConfig config;
    private final TargetConfig options;
    private final AnsweringCluster answering;
    private final boolean isCluster;
    /** Whether the messages are those of a service of the user. */
    private final boolean isOwn;
    /** Null for the cluster and the echo in memory. */
    private final TransportKind kind;
    private final Map<String, String> settings;
    private final String endpoints;
    private final long mtuLength;
    /** Null until measured; the paths are the same for all runs of a series. */
    private List<String> pathWarnings;
    private final List<String> hosts;
    private final Optional<Placement> placement;
    private final ClusterFlows flows;

    public Target(final RunConfig config)
    {
        this(config, AnsweringCluster.of(config.target(), RecordedClusters::servedAt));
    }

    Target(final RunConfig config, final AnsweringCluster answering)
    {
        this.config = config;
        this.answering = answering;
        options = config.target();
        isCluster = TransportNames.isCluster(options.transport());
        isOwn = config.load().codec().isGiven();
        kind = TransportNames.kind(options.transport());
        InvalidSettingException.throwIf(
            null == kind && !options.transportAssignments().isEmpty(), "--transport-set",
            options.transportAssignments().stream().findFirst().orElse(""),
            "not given with --transport " + options.transport());

        endpoints = answering.endpoints();
        settings = null != kind ? kind.facts() : answering.settings();
        mtuLength = null != options.mtuLength() ? options.mtuLength() :
            settings.containsKey(SettingKeys.MTU) ? Quantity.parseSize(settings.get(SettingKeys.MTU)) : DEFAULT_MTU_LENGTH;
        InvalidSettingException.throwIf(
            mtuLength < 256 || mtuLength > 65504 || mtuLength % 32 != 0, "--mtu", mtuLength,
            "a multiple of 32 from 256 to 65504");
        hosts = Stream.of(endpoints.split(",")).map(Target::hostOf).toList();
        placement = newPlacement();
        InvalidSettingException.throwIf(
            placement.isPresent() && !config.driver().driver().isJava(), "--driver", config.driver().kind(),
            "java, because only this driver emulates the delays of a placement");
        checkOptions();
        flows = new ClusterFlows(config, settings, mtuLength, placement);
    }

    private void checkOptions()
    {
        final TargetConfig.Service service = options.service();
        final String known = settings.get(SettingKeys.SERVICE);
        InvalidSettingException.throwIf(
            !isCluster && null != service, "--service", service, "not given with --transport " + options.transport());
        InvalidSettingException.throwIf(
            isCluster && null != known && null != service && !known.equals(service.name()), "--service", service,
            known + ", the service of the members in " + answering.folder());
        InvalidSettingException.throwIf(
            isCluster && isPlain() && config.load().delivery().isExactlyOnce(), "--delivery", "exactly-once",
            "at-most-once with members that run the plain service, which does not detect duplicates");

        InvalidSettingException.throwIf(
            isOwn && (!isCluster || null != service), CodecConfig.MESSAGES, config.load().codec().source(),
            "given only with --transport " + TransportNames.CLUSTER + ", and without --service");
        if (!settings.isEmpty())
        {
            config.load().codec().checkService(settings.getOrDefault(SettingKeys.SERVICE_CLASS, ""), answering.folder());
        }
        final boolean isStaged = config.load().isStaged();
        final String key = NodeSettings.STAGES.key();
        InvalidSettingException.throwIf(
            isStaged && !isCluster, "--stages", true, "given only with --transport " + TransportNames.CLUSTER);
        InvalidSettingException.throwIf(
            isStaged && !settings.isEmpty() && !"true".equals(settings.get(key)), "--stages", true,
            "given only if the members were started with " + key + "=true; those in " + answering.folder() + " were not");

        final Set<String> ids = new HashSet<>();
        for (final String dir : options.aeronDirs())
        {
            InvalidSettingException.throwIf(
                !isCluster || !settings.isEmpty() || !dir.matches("[0-9]+=.+") ||
                !("," + endpoints).contains("," + dir.split("=")[0] + "=") || !ids.add(dir.split("=")[0]),
                TargetConfig.AERON_DIR, dir,
                "the id of a member in --endpoints that cluster-node did not start, once, and a folder: 0=/dev/shm/aeron-0");
            InvalidSettingException.throwIf(
                DriverFile.read(Path.of(dir.split("=", 2)[1])).isEmpty(), TargetConfig.AERON_DIR, dir,
                "the folder of a media driver, with cnc.dat");
        }

        final Long churn = options.churnPerSecond();
        InvalidSettingException.throwIf(
            options.isIpc() && (!isCluster || !config.driver().driver().isFound() || null != churn ||
            null != options.receivers()), TargetConfig.IPC, true, "given only with a cluster whose leader's driver " +
            "--driver external --driver-dir names, without --churn and --receivers");
        InvalidSettingException.throwIf(
            options.isIpc() && !settings.isEmpty() && !"true".equals(settings.get(IPC_ALLOWED)), TargetConfig.IPC, true,
            "given only if the members were started with " + IPC_ALLOWED + "=true; those in " + answering.folder() + " were not");
        InvalidSettingException.throwIf(
            null != options.snapshotEveryNs() && cluster().isEmpty(), TargetConfig.SNAPSHOT_EVERY,
            options.snapshotEveryNs() + "ns", "given only with a cluster that was started from this machine, in --base-dir");
        checkEcho(null != options.receivers(), TargetConfig.RECEIVERS, options.receivers(), ", which sends them copies");
        checkEcho(null != churn, TargetConfig.CHURN, churn, "");
        InvalidSettingException.throwIf(
            null != churn && placement.isPresent(), TargetConfig.CHURN, churn,
            "given only without a placement: its sessions do not emulate distances");
    }

    private void checkEcho(final boolean isGiven, final String option, final Object value, final String why)
    {
        InvalidSettingException.throwIf(
            isGiven && (!isCluster || isPlain() || isOwn), option, value,
            "given only with --transport " + TransportNames.CLUSTER + " and the echo service" + why);
    }

    /** Target from the options alone, without the settings recorded on this machine. */
    public static Target ofWorker(final RunConfig config)
    {
        return new Target(config, AnsweringCluster.unknown(config.target()));
    }

    /** Options that a worker on another machine needs to send to the same target. */
    public Map<String, String> resolved()
    {
        final Map<String, String> resolved = new TreeMap<>();
        if (isCluster)
        {
            resolved.put("--endpoints", endpoints);
            resolved.put("--mtu", String.valueOf(mtuLength));
            if (!isOwn)
            {
                resolved.put("--service", (isPlain() ? TargetConfig.Service.plain : TargetConfig.Service.echo).name());
            }
            resolved.put("--new-leader-timeout", newLeaderTimeoutNs() + "ns");
            if (placement.isPresent() && null == options.placement())
            {
                resolved.put("--placement", settings.get(NodeSettings.PLACEMENT.key()));
            }
        }

        return resolved;
    }

    /** Processor that the client should share with the leader, according to the members on this machine. */
    public Optional<Integer> leaderCore()
    {
        return cluster()
            .flatMap((found) -> CorePinning.of(found.config(), HostFiles.ofThisMachine())).map(CorePinning::leader);
    }

    private boolean isPlain()
    {
        return null == options.service() ? "plain".equals(settings.get(SettingKeys.SERVICE)) :
            TargetConfig.Service.plain == options.service();
    }

    /** A connection with the cluster for sessions that come and go, apart from that of the load. */
    public ClusterConnector churnConnector()
    {
        return ClusterConnector.beside(
            clusterAddress(Math.max(LEAST_TERM_LENGTH, Integer.highestOneBit((int)mtuLength * 16 - 1)), null),
            SystemNanoClock.INSTANCE, newErrorHandler());
    }

    public Map<String, String> settings()
    {
        return settings;
    }

    /** The start of the members, or null if it is not known. */
    public MemberStart memberStart()
    {
        final Map<String, String> start =
            !isCluster || settings.isEmpty() ? Map.of() : new ClusterFiles(answering.folder()).readStart();
        return start.isEmpty() ? null : new MemberStart(start.get("id"), start.get("time"));
    }

    /** Hosts of the members, if the cluster was started in the base folder. */
    public List<MemberHost> memberHosts()
    {
        return cluster().map(Cluster::hosts).orElse(List.of());
    }

    /** The cluster, if it was started in the base folder. */
    public Optional<Cluster> cluster()
    {
        // No launcher is needed because nothing is started here.
        return !isCluster || settings.isEmpty() ? Optional.empty() : RecordedClusters.in(answering.folder(), null);
    }

    public void checkLength()
    {
        config.load().checkLength(maxLengthBytes(), isCluster);
    }

    /** Check that disks of members on this machine hold the log of a load, unless it is purged meanwhile. */
    public void checkDisks(final String option, final long measuredNs)
    {
        cluster().ifPresent((found) -> flows.checkDisks(found.members(), found.config().baseDir(), option, measuredNs));
    }

    /** Maximum message length, or null if unknown. */
    private Long maxLengthBytes()
    {
        if (null != kind)
        {
            return kind.maxLengthBytes();
        }
        if (!isCluster)
        {
            return (long)Integer.MAX_VALUE / MemoryTransport.CAPACITY - 64;
        }

        final String text = settings.get(SettingKeys.MAX_MESSAGE_LENGTH);
        return null == text ? null : Quantity.parseSize(text);
    }

    public String durability()
    {
        return null != kind ? kind.durability() : !isCluster ? "none: an echo in this process" : answering.durability();
    }

    /** Where members and this client are, in words; begins with "emulated" if delays are emulated. */
    public String placementWords()
    {
        return placement.map(Placement::text).orElse(NO_PLACEMENT);
    }

    /**
     * Warnings about the network and the machine between client and members. Measured at the first call, which takes a few
     * seconds if hosts do not answer: do not call it during a load.
     */
    public List<String> warnings()
    {
        if (!isCluster)
        {
            return List.of();
        }

        if (null == pathWarnings)
        {
            pathWarnings = measurePaths();
        }
        final List<String> warnings = new ArrayList<>(pathWarnings);
        answering.warning().ifPresent(warnings::add);
        warnings.addAll(flows.warnings());
        sessionWarning().ifPresent(warnings::add);
        ClusterFlows.capacityWarning(settings, config.load().rate().highestRatePerSecond()).ifPresent(warnings::add);
        return warnings;
    }

    private Optional<String> sessionWarning()
    {
        final HostFiles files = HostFiles.ofThisMachine();
        final Optional<String> own = files.schedulingGroup(ProcessHandle.current().pid());
        final String others = memberHosts().stream().flatMap((host) -> host.members().stream())
            .filter((member) -> member instanceof LocalMember && member.pid().isPresent() &&
                !files.schedulingGroup(member.pid().getAsLong()).equals(own))
            .map((member) -> String.valueOf(member.memberId())).collect(Collectors.joining(", "));
        return own.isEmpty() || others.isEmpty() ? Optional.empty() : Optional.of(
            "members " + others + " run in another session than this client, and kernel.sched_autogroup_enabled=1 shares cores " +
            "between sessions first: on few cores start both from one terminal, or use --idle sleep");
    }

    private List<String> measurePaths()
    {
        final String ours = BuildFacts.versions().get("aeron");
        final List<String> warnings = cluster().stream().flatMap((found) -> found.members().stream())
            .flatMap((member) -> MemberVersion.of(member).stream()).map(MemberVersion::aeron).distinct()
            .filter((aeron) -> !aeron.equals(ours)).map((aeron) -> "members have Aeron " + aeron + ", this client " + ours)
            .collect(Collectors.toCollection(ArrayList::new));
        final Set<String> asked = new HashSet<>();
        for (final String endpoint : endpoints.split(","))
        {
            final String host = hostOf(endpoint);
            final int port = Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
            if (asked.add(host))
            {
                PathMtu.to(host, port + MemberEndpoints.PROBE_PORT_OFFSET, (int)mtuLength).ifPresent((path) ->
                {
                    path.warning("mtu", mtuLength, host).ifPresent(warnings::add);
                    path.gap(host).ifPresent(warnings::add);
                });
            }
        }
        return warnings;
    }

    /** Options derived from the members: from the delays of their placement, and the folder in which they were started. */
    public Map<String, String> derived()
    {
        final Map<String, String> derived = new TreeMap<>(isCluster ? flows.derived() : Map.of());
        if (!answering.folder().equals(options.clusterDir()))
        {
            derived.put("base-dir", answering.folder().toString());
        }
        return derived;
    }

    /** A run of this target, by how its threads were scheduled; null for ends of windows, or a start, that it does not state. */
    public RunDescription describe(
        final Instant start, final Optional<Integer> leaderCore, final List<String> scheduling, final long ceilingPerSecond,
        final WarmUpEnd warmUp, final WindowEnd until, final MemberStart members)
    {
        final Map<String, String> configuration = new TreeMap<>(config.effectiveOptions(leaderCore));
        configuration.putAll(derived());
        configuration.put("threads", String.join("; ", scheduling));
        if (isOwn)
        {
            configuration.put(FOLDER, Path.of("").toAbsolutePath().toString());
            configuration.computeIfPresent(
                "messages-set", (name, joined) -> String.join(NEXT_SETTING, config.load().codec().assignments()));
        }
        return new RunDescription(
            config.label(), start, config.commandLine(), configuration, settings, durability(), placementWords(),
            ceilingPerSecond, warmUp, until, null, members);
    }

    private static String hostOf(final String endpoint)
    {
        return endpoint.replaceAll("^[0-9]+=|:[0-9]+$", "");
    }

    public Sessions open(final LoadPlan plan)
    {
        return open(plan.sessionCount(), plan.messages().maxLengthBytes());
    }

    public Sessions open(final int sessionCount, final int lengthBytes)
    {
        try
        {
            if (isCluster)
            {
                new LocalPorts().await(endpoints, options.connectTimeoutNs());
                answering.confirm(options);
            }
            return Sessions.open(
                newConnector(sessionCount, lengthBytes), sessionCount, options.receiverCount(), options.connectTimeoutNs());
        }
        catch (final NotConnectedException ex)
        {
            throw explained(ex);
        }
    }

    public NotConnectedException explained(final NotConnectedException failure)
    {
        final List<String> ended = endedMembers();
        return ended.isEmpty() ? failure :
            new NotConnectedException(failure.getMessage() + "\n" + String.join("\n", ended), failure);
    }

    /** How members of a cluster that was started in the base folder ended without being stopped, and what brings them back. */
    public List<String> endedMembers()
    {
        return cluster().map((found) -> Endings.of(found.members(), found.config().baseDir())).orElse(List.of());
    }

    /** Placement of the members, which is only known if a command on this machine started them. */
    private Optional<Placement> newPlacement()
    {
        final String known = isCluster ? settings.getOrDefault(NodeSettings.PLACEMENT.key(), Placement.NONE) : Placement.NONE;
        if (null == options.placement())
        {
            return Placement.emulated(NodeSettings.PLACEMENT.key(), known, hosts);
        }
        InvalidSettingException.throwIf(
            !isCluster, "--placement", options.placement(), "not given with --transport " + options.transport());

        final Optional<Placement> asked = Placement.emulated("--placement", options.placement(), hosts);
        final String absolute = asked.isPresent() && Files.isRegularFile(Path.of(options.placement())) ?
            Path.of(options.placement()).toAbsolutePath().normalize().toString() : options.placement();
        InvalidSettingException.throwIf(
            !settings.isEmpty() && !absolute.equals(known), "--placement", options.placement(),
            known + ", the placement of the members in " + answering.folder());
        InvalidSettingException.throwIf(
            asked.isPresent() && !Placement.distinctHosts(hosts).equals(hosts), "--placement", options.placement(),
            "given only with --endpoints of members with distinct addresses, as in 0=127.0.0.2:20000,1=127.0.0.3:20010");

        return asked;
    }

    private TransportConnector newConnector(final int sessionCount, final int lengthBytes)
    {
        final ErrorHandler errorHandler = newErrorHandler();
        if (null != kind)
        {
            return kind.newConnector(new TransportRequest(
                options.endpoints(),
                lengthBytes,
                sessionCount,
                ThreadingMode.INVOKER == config.threads().threadingMode(config.driver()),
                new Settings("peer.", kind.settings()).putAssignments(options.transportAssignments(), "--transport-set"),
                errorHandler));
        }

        return !isCluster ? () -> new MemoryTransport(
            SystemNanoClock.INSTANCE, lengthBytes, options.memoryDelayNs(), options.memoryStall().beginNs(),
            options.memoryStall().lengthNs(), sessionCount) : new ClusterConnector(
            clusterAddress(flows.ingressTermLength(), placement.map((placed) -> placed.ofClient(hosts)).orElse(null)),
            config.driver().driver(),
            config.threads().threadingMode(config.driver()),
            SystemNanoClock.INSTANCE,
            errorHandler);
    }

    private static ErrorHandler newErrorHandler()
    {
        final AtomicInteger errorCount = new AtomicInteger();
        return (error) ->
        {
            if (errorCount.incrementAndGet() <= ERRORS_SHOWN)
            {
                System.err.println("warning: " + error);
            }
        };
    }

    private ClusterAddress clusterAddress(final int ingressTermLength, final Distances distances)
    {
        return new ClusterAddress(
            options.isIpc() ? null : endpoints,
            null != options.egressEndpoint() ? options.egressEndpoint() :
                OwnAddress.towards(endpoints.substring(endpoints.indexOf('=') + 1).split(",", 2)[0]) + ":0",
            (int)mtuLength, ingressTermLength, newLeaderTimeoutNs(), options.sessionRecovery(),
            null == options.credentialsFile() ? null :
                Credentials.supplier(Optional.of(Credentials.read("--credentials-file", options.credentialsFile()))),
            distances,
            isPlain(), config.load().isStaged());
    }

    /**
     * Members that were all restarted, and a leader that came back and leads again before anyone missed it, have closed all
     * sessions silently; a session would wait for such a leader in vain. A session that gives up during an election only loses
     * messages in flight.
     */
    private long newLeaderTimeoutNs()
    {
        return null != options.newLeaderTimeoutNs() ? options.newLeaderTimeoutNs() : cluster()
            .map((found) -> Math.max(LEAST_NEW_LEADER_TIMEOUT_NS, found.config().outageBoundNs())).orElse(NEW_LEADER_TIMEOUT_NS);
    }
}
