package io.clusterecho.node.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.Configuration;
import io.aeron.logbuffer.FrameDescriptor;

import io.clusterecho.host.RealPath;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import org.agrona.BitUtil;

/** Configuration of one member, checked when it is made, and the values derived from it. Immutable. */
public final class NodeConfig
{
    /** Largest MTU in bytes on a channel with the shortest term, 64 KB: a packet may be at most an eighth of a term. */
    public static final int MAX_MTU_OF_SHORT_TERM = 8192;

    /** Duration of an election beyond its timeouts in ns, as measured. */
    public static final long ELECTION_OVERHEAD_NS = 250_000_000L;

    /** Values of members with Aeron's defaults, for settings that are not given. */
    private static final Map<Setting<?>, Object> STOCK = Map.of(
        NodeSettings.MTU, String.valueOf(Configuration.MTU_LENGTH_DEFAULT),
        NodeSettings.LOG_TERM_LENGTH, 64 << 20,
        NodeSettings.CLIENT_TERM_LENGTH, Configuration.TERM_BUFFER_LENGTH_DEFAULT,
        NodeSettings.CORES, NodeSettings.ANY_CORES);

    /** The first is not for the plain service either. */
    private static final List<Setting<?>> OF_ECHO = List.of(
        NodeSettings.STATE_LENGTH, NodeSettings.SERVICE, NodeSettings.SERVICE_TIME, NodeSettings.MAX_CLIENTS,
        NodeSettings.EGRESS_BACKLOG);

    /** Largest MTU that every channel can have, including those of short terms. */
    private static final int LOOPBACK_MTU = MAX_MTU_OF_SHORT_TERM;
    private static final int NETWORK_MTU = 1408;
    private static final int CORES_OF_SHARED_MEMBER = 4;
    private static final int CORES_OF_DEDICATED_MEMBER = 16;
    private static final int SESSION_HEADER_LENGTH = 32;
    private static final int MESSAGES_PER_TURN = ClusteredServiceContainer.Configuration.LOG_FRAGMENT_LIMIT_DEFAULT;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final SortedMap<String, String> effective = new TreeMap<>();
    private final List<MemberEndpoints> members;
    private final DriverPlan driver;
    private final Optional<Credentials> credentials;
    private final Optional<Placement> placement;
    private final boolean isBackup;

    /** Check and freeze settings; rejects the first invalid one with key, value and what is allowed. */
    public NodeConfig(final Settings settings)
    {
        this(settings, false);
    }

    private NodeConfig(final Settings settings, final boolean isBackup)
    {
        this.isBackup = isBackup;
        for (final Setting<?> setting : NodeSettings.ALL)
        {
            // Rejects one that is not allowed.
            settings.value(setting);
            put(setting, settings.text(setting).trim());
        }
        if (isStock())
        {
            STOCK.entrySet().stream().filter((stock) -> !settings.isGiven(stock.getKey()))
                .forEach((stock) -> put(stock.getKey(), stock.getValue()));
        }

        checkMemberId();
        placement = Placement.emulated(
            NodeSettings.PLACEMENT.key(), value(NodeSettings.PLACEMENT), value(NodeSettings.HOSTS));
        placement.ifPresent(this::place);
        checkTimeouts();
        if (NodeSettings.AUTO.equals(value(NodeSettings.MTU)))
        {
            put(NodeSettings.MTU, autoMtu());
        }
        if (!settings.isGiven(NodeSettings.CLIENT_TERM_LENGTH) && placement.map(Placement::longestClientNs).orElse(0L) > 0)
        {
            // A stream can carry the receiver's window in flight, but at most half a term, which must not be the limit.
            final long termLength = BitUtil.findNextPositivePowerOfTwo(2 * SocketBuffers.windowLength(mtuLength()));
            put(NodeSettings.CLIENT_TERM_LENGTH, Math.max(termLength, value(NodeSettings.CLIENT_TERM_LENGTH)));
        }
        checkLengths();
        checkServiceTime();
        // Distances are emulated by address, and the backup has that of a member.
        require(
            !value(NodeSettings.BACKUP) || placement.isEmpty(), NodeSettings.BACKUP,
            "false with " + named(NodeSettings.PLACEMENT) + ", because no distance to the backup is emulated");

        final String credentialsFile = value(NodeSettings.CREDENTIALS_FILE);
        credentials =
            credentialsFile.isEmpty() ? Optional.empty() : Optional.of(Credentials.read(
                NodeSettings.CREDENTIALS_FILE.key(), Path.of(credentialsFile)));
        checkExposure();

        members = MemberEndpoints.ofAll(
            value(NodeSettings.HOSTS), value(NodeSettings.BASE_PORT), value(NodeSettings.SAME_PORTS));
        put(
            NodeSettings.CLASS_PATH,
            value(NodeSettings.CLASS_PATH).stream().map(Path::toString).collect(Collectors.joining(":")));
        put(NodeSettings.BASE_DIR, RealPath.of(Path.of(value(NodeSettings.BASE_DIR))));
        final String givenAeronDir = value(NodeSettings.AERON_DIR);
        put(NodeSettings.AERON_DIR, givenAeronDir.isEmpty() ? defaultAeronDir(baseDir(), endpoints().memberId()) :
            Path.of(givenAeronDir).toAbsolutePath());
        driver = DriverPlan.of(settings, NodeSettings.DRIVER);
        if (NodeSettings.AUTO.equals(profile()))
        {
            put(NodeSettings.PROFILE, autoProfile());
        }
        require(
            !driver.isEmbedded() || "compact".equals(profile()), NodeSettings.PROFILE,
            "auto or compact with " + named(NodeSettings.DRIVER.kind()) + ", because the member's one thread runs the driver");
        require(
            driver.isJava() || !value(NodeSettings.FAULT_FILTER), NodeSettings.FAULT_FILTER,
            "false with " + named(NodeSettings.DRIVER.kind()) + ", because only the Java driver has the filter");
        require(
            driver.isJava() || placement.isEmpty(), NodeSettings.PLACEMENT,
            "none with " + named(NodeSettings.DRIVER.kind()) + ", because only the Java driver emulates distances");

        checkService();
        // 8k and 8192 are the same cluster, and the same condition of a result.
        put(NodeSettings.MTU, mtuLength());
    }

    /**
     * Configuration of the backup of a cluster, with an address of its own: that of member 0, and ports as of a further member.
     */
    public static NodeConfig ofBackup(final Settings settings)
    {
        final NodeConfig config = new NodeConfig(settings, true);
        config.require(
            config.value(NodeSettings.BACKUP), NodeSettings.BACKUP, "true, so that the members allow a backup to copy from them");
        return config;
    }

    /**
     * Default folder of a member's media driver, below {@code /dev/shm} or else the folder for temporary files. Derived from
     * the base folder, so that clusters with different base folders never share a driver.
     */
    public static Path defaultAeronDir(final Path baseDir, final int memberId)
    {
        final CRC32 crc = new CRC32();
        crc.update(RealPath.of(baseDir).toString().getBytes(UTF_8));
        final Path parent = Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("cluster-echo-%08x-%d".formatted(crc.getValue(), memberId));
    }

    public static Path memberDir(final Path baseDir, final int memberId)
    {
        return RealPath.of(baseDir).resolve("member-" + memberId);
    }

    public static Path backupDir(final Path baseDir)
    {
        return RealPath.of(baseDir).resolve("backup");
    }

    public boolean isBackup()
    {
        return isBackup;
    }

    /** Name of the process in its output: {@code member 2}, or {@code backup}. */
    public String processName()
    {
        return isBackup ? "backup" : "member " + memberId();
    }

    public <T> T value(final Setting<T> setting)
    {
        return setting.parse(effective.get(setting.key()));
    }

    public int memberId()
    {
        return value(NodeSettings.MEMBER_ID);
    }

    public List<MemberEndpoints> members()
    {
        return members;
    }

    /** Endpoints of the members whose hosts appear to be this machine, this member among them, in the order of their ids. */
    public List<MemberEndpoints> localMembers()
    {
        final String ownHost = endpoints().host();
        return members.stream()
            .filter((member) -> member.host().equals(ownHost) ||
                Placement.isLoopback(member.host()) && Placement.isLoopback(ownHost))
            .toList();
    }

    public MemberEndpoints endpoints()
    {
        return isBackup ? backupEndpoints() : members.get(memberId());
    }

    /** Endpoints of the backup, whether there is one or not: those of a further member, by default on the host of member 0. */
    public MemberEndpoints backupEndpoints()
    {
        final String host = value(NodeSettings.BACKUP_HOST).trim();
        return MemberEndpoints.of(
            members.size(), host.isEmpty() ? members.get(0).host() : host, value(NodeSettings.BASE_PORT), false);
    }

    /** Parent folder of the folders of all members on this machine, as an absolute path. */
    public Path baseDir()
    {
        return Path.of(value(NodeSettings.BASE_DIR));
    }

    /** Folder of this member, or of the backup, as an absolute path. */
    public Path memberDir()
    {
        return isBackup ? backupDir(baseDir()) : memberDir(baseDir(), memberId());
    }

    /** Folder of this member's media driver, as an absolute path. */
    public Path aeronDir()
    {
        return Path.of(value(NodeSettings.AERON_DIR));
    }

    public boolean isStock()
    {
        return NodeSettings.STOCK.equals(value(NodeSettings.PROFILE));
    }

    public boolean isFirstCompilerAlone()
    {
        return NodeSettings.FIRST_COMPILER.equals(value(NodeSettings.COMPILERS));
    }

    /** Name of the profile: {@code compact}, {@code shared}, {@code dedicated} or {@code stock}. */
    public String profile()
    {
        return value(NodeSettings.PROFILE);
    }

    public DriverPlan driver()
    {
        return driver;
    }

    /** Credentials that clients and members must present, or empty if none are required. */
    public Optional<Credentials> credentials()
    {
        return credentials;
    }

    /** Emulated placement of members and clients, or empty if none is emulated. */
    public Optional<Placement> placement()
    {
        return placement;
    }

    /** MTU of channels that carry messages, in bytes. */
    public int mtuLength()
    {
        return Integer.parseInt(value(NodeSettings.MTU));
    }

    /** MTU of channels that carry control messages in short terms, in bytes, at most {@link #MAX_MTU_OF_SHORT_TERM}. */
    public int controlMtuLength()
    {
        return Math.min(mtuLength(), MAX_MTU_OF_SHORT_TERM);
    }

    /** Number of services of each member, at least 1. */
    public int serviceCount()
    {
        return Math.max(1, value(NodeSettings.SERVICE_CLASS).size());
    }

    /** @return true for the plain service, false for the echo service. */
    public boolean isPlainService()
    {
        return "plain".equals(value(NodeSettings.SERVICE));
    }

    /**
     * Longest time in ns that a cluster of more than one member is without a leader after its leader was killed: heartbeat
     * timeout, nomination delay, ballot, and the measured rest of an election.
     */
    public long outageBoundNs()
    {
        final long electionTimeoutNs = value(NodeSettings.ELECTION_TIMEOUT);
        return value(NodeSettings.HEARTBEAT_TIMEOUT) + electionTimeoutNs / 2 + electionTimeoutNs + ELECTION_OVERHEAD_NS;
    }

    /** Every setting with its effective value by its key, as in a property file. Contains no secret. */
    public SortedMap<String, String> effective()
    {
        return new TreeMap<>(effective);
    }

    /**
     * Nothing on the way between loopback addresses fragments a datagram, and each datagram costs several system calls and a
     * wake-up of its receiver, whatever its length: with queued messages, larger datagrams sustain a higher rate. A placement
     * emulates a network, whose frames are shorter.
     */
    private int autoMtu()
    {
        final boolean isLoopback = value(NodeSettings.HOSTS).stream().allMatch(Placement::isLoopback);
        return placement.isEmpty() && isLoopback ? LOOPBACK_MTU : NETWORK_MTU;
    }

    private String autoProfile()
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        final int localCount = localMembers().size();
        if (driver.isEmbedded() || cores < CORES_OF_SHARED_MEMBER * localCount)
        {
            return "compact";
        }

        return cores < CORES_OF_DEDICATED_MEMBER * localCount ? "shared" : "dedicated";
    }

    private void checkMemberId()
    {
        final int memberCount = value(NodeSettings.HOSTS).size();
        require(
            memberId() < memberCount, NodeSettings.MEMBER_ID,
            "a whole number from 0 to " + (memberCount - 1) + ", because " + NodeSettings.HOSTS.key() + " lists " + memberCount +
            " members");
        require(
            value(NodeSettings.PREFERRED_LEADER) < memberCount, NodeSettings.PREFERRED_LEADER,
            "-1 for none, or a member id from 0 to " + (memberCount - 1));
        // Other ports need no check: the last of 99 members with the highest base port is 64984, and no two are the same.
        require(
            !value(NodeSettings.SAME_PORTS) || Set.copyOf(value(NodeSettings.HOSTS)).size() == memberCount,
            NodeSettings.SAME_PORTS, "false, unless each member in " + NodeSettings.HOSTS.key() + " has a host of its own");
    }

    private void put(final Setting<?> setting, final Object value)
    {
        effective.put(setting.key(), value.toString());
    }

    private void place(final Placement given)
    {
        put(NodeSettings.HOSTS, String.join(",", Placement.distinctHosts(value(NodeSettings.HOSTS))));
        if (Files.isRegularFile(Path.of(given.name())))
        {
            put(NodeSettings.PLACEMENT, Path.of(given.name()).toAbsolutePath().normalize());
        }
    }

    private void checkTimeouts()
    {
        final long heartbeatTimeoutNs = value(NodeSettings.HEARTBEAT_TIMEOUT);
        for (final Setting<Long> timeout : List.of(
            NodeSettings.HEARTBEAT_TIMEOUT, NodeSettings.HEARTBEAT_INTERVAL, NodeSettings.ELECTION_TIMEOUT,
            NodeSettings.ELECTION_STATUS_INTERVAL, NodeSettings.CANVASS_TIMEOUT, NodeSettings.SESSION_TIMEOUT,
            NodeSettings.BACKUP_INTERVAL, NodeSettings.BACKUP_RESPONSE_TIMEOUT, NodeSettings.BACKUP_PROGRESS_TIMEOUT,
            NodeSettings.BACKUP_COOL_DOWN))
        {
            require(value(timeout) >= 1_000_000L, timeout, "at least 1ms, the resolution of the clock of cluster and backup");
        }
        require(
            value(NodeSettings.HEARTBEAT_INTERVAL) < heartbeatTimeoutNs, NodeSettings.HEARTBEAT_INTERVAL,
            "less than " + named(NodeSettings.HEARTBEAT_TIMEOUT));
        require(
            value(NodeSettings.ELECTION_STATUS_INTERVAL) < value(NodeSettings.ELECTION_TIMEOUT),
            NodeSettings.ELECTION_STATUS_INTERVAL, "less than " + named(NodeSettings.ELECTION_TIMEOUT));
        require(
            value(NodeSettings.CANVASS_TIMEOUT) / heartbeatTimeoutNs >= 2, NodeSettings.CANVASS_TIMEOUT,
            "at least twice " + named(NodeSettings.HEARTBEAT_TIMEOUT));
    }

    /** The other services do not have the state of the echo. */
    private void checkService()
    {
        final boolean isOwn = !value(NodeSettings.SERVICE_CLASS).isEmpty();
        OF_ECHO.subList(0, isOwn ? OF_ECHO.size() : isPlainService() ? 1 : 0).forEach((ofEcho) -> require(
            ofEcho.parse(ofEcho.defaultText()).equals(value(ofEcho)), ofEcho, ofEcho.defaultText() + " with " +
            named(isOwn ? NodeSettings.SERVICE_CLASS : NodeSettings.SERVICE) + ": it is for the echo"));
        require(
            isOwn || value(NodeSettings.CLASS_PATH).isEmpty(), NodeSettings.CLASS_PATH,
            "nothing without " + NodeSettings.SERVICE_CLASS.key() + ", whose classes it has");
        require(
            value(NodeSettings.AERON_JARS).isEmpty() || !value(NodeSettings.AERON_VERSION).isEmpty(), NodeSettings.AERON_JARS,
            "nothing without " + NodeSettings.AERON_VERSION.key() + ", whose jar it has");
    }

    /**
     * A compact member sends heartbeats and reads those of others between turns of its service, each of which may apply as many
     * messages as the container reads at once.
     */
    private void checkServiceTime()
    {
        final long turnNs = value(NodeSettings.SERVICE_TIME).boundNs(MESSAGES_PER_TURN);
        for (final Setting<Long> timeout : List.of(NodeSettings.HEARTBEAT_TIMEOUT, NodeSettings.SESSION_TIMEOUT))
        {
            require(
                turnNs <= value(timeout) / 2, NodeSettings.SERVICE_TIME,
                "a time at which " + MESSAGES_PER_TURN + " messages take at most half of " + named(timeout) +
                "; these take up to " + Quantity.formatNs(turnNs));
        }
    }

    private void checkLengths()
    {
        for (final Setting<Integer> termLength : List.of(NodeSettings.LOG_TERM_LENGTH, NodeSettings.CLIENT_TERM_LENGTH))
        {
            final long maxMessageLength = FrameDescriptor.computeMaxMessageLength(value(termLength));
            require(
                mtuLength() <= maxMessageLength, NodeSettings.MTU,
                "at most " + maxMessageLength + ", an eighth of " + named(termLength));
            require(
                value(NodeSettings.MAX_MESSAGE_LENGTH) + SESSION_HEADER_LENGTH <= maxMessageLength,
                NodeSettings.MAX_MESSAGE_LENGTH,
                "at most " + (maxMessageLength - SESSION_HEADER_LENGTH) + ", the largest message of " + named(termLength) +
                " minus the session header of " + SESSION_HEADER_LENGTH);
        }
        require(
            value(NodeSettings.MAX_MESSAGE_LENGTH) >= EchoMessage.MIN_LENGTH, NodeSettings.MAX_MESSAGE_LENGTH,
            "at least " + EchoMessage.MIN_LENGTH + ", the smallest echo message");
    }

    private void checkExposure()
    {
        value(NodeSettings.HOSTS).forEach((host) -> require(
            credentials.isPresent() || value(NodeSettings.INSECURE) || Placement.isLoopback(host), NodeSettings.HOSTS,
            "loopback addresses only, because other hosts can reach " + host + ": set " +
            NodeSettings.CREDENTIALS_FILE.key() + ", or --insecure (" + NodeSettings.INSECURE.key() +
            "=true) if every machine that can reach it is trusted"));
    }

    private void require(final boolean isAllowed, final Setting<?> setting, final String allowed)
    {
        InvalidSettingException.throwIf(!isAllowed, setting.key(), effective.get(setting.key()), allowed);
    }

    private String named(final Setting<?> setting)
    {
        return setting.key() + "=" + effective.get(setting.key());
    }
}
