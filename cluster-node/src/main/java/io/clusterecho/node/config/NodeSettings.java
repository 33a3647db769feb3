package io.clusterecho.node.config;

import java.util.List;
import java.util.Set;

import io.clusterecho.host.CpuList;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.SettingKeys;

/**
 * Every key that a member understands. {@code docs/configuration.md} is generated from this list.
 */
public final class NodeSettings
{
    /**
     * All our keys begin with this.
     */
    public static final String PREFIX = SettingKeys.PREFIX;

    /** A name, an IPv4 address, or an IPv6 address in brackets: what can stand before a port in a channel. */
    private static final String HOST = "[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]";

    /**
     * Which member this process is.
     */
    public static final Setting<Integer> MEMBER_ID = Setting.ofInt(
        PREFIX + "member.id", "0", 0, 99, "Index of this member in echo.hosts.");

    /**
     * Hosts of all members.
     */
    public static final Setting<List<String>> HOSTS = new Setting<>(
        SettingKeys.HOSTS, "127.0.0.1,127.0.0.1,127.0.0.1",
        "1 to 99 names, IPv4 addresses or IPv6 addresses in brackets, separated by commas",
        "Host of each member, in the order of member ids.", NodeSettings::parseHosts);

    /**
     * First port of member 0.
     */
    public static final Setting<Integer> BASE_PORT = Setting.ofInt(
        SettingKeys.BASE_PORT, "20000", 1024, 64000,
        "First port; member N takes the ports base + 10 N + 0 to 4 (ingress, consensus, log, catch-up, archive).");

    /**
     * Folder that holds the folders of all members of this machine.
     */
    public static final Setting<String> BASE_DIR = Setting.ofText(
        SettingKeys.BASE_DIR, "cluster-data", "a folder that can be made or written",
        "Base folder; member N keeps its log, snapshots and mark files in member-N below it.");

    /**
     * Folder of the member's media driver.
     */
    public static final Setting<String> AERON_DIR = Setting.ofText(
        PREFIX + "aeron.dir", "", "a folder on a memory file system",
        "Folder of the media driver; derived from base folder and member id when empty.");

    /**
     * Media driver of the member.
     */
    public static final DriverKeys DRIVER = DriverKeys.below(PREFIX, AERON_DIR.key());

    /**
     * File sync level.
     */
    public static final Setting<Integer> FSYNC = Setting.ofInt(
        SettingKeys.FSYNC, "0", 0, 2,
        "File sync level of archive, catalog and consensus module alike: 0 page cache, 1 data, 2 data and metadata.");

    /** MTU that the addresses decide. */
    public static final String AUTO_MTU = "auto";

    /**
     * MTU of all channels: a number of bytes, or {@link #AUTO_MTU}.
     */
    public static final Setting<String> MTU = new Setting<>(
        SettingKeys.MTU, AUTO_MTU, "auto, or a multiple of 32 from 256 to 65504, with an optional k",
        "MTU in bytes of UDP and IPC channels alike; auto is 8192 where all members have loopback addresses and no distances " +
        "between them, and else 1408, which fits an Ethernet frame.", NodeSettings::parseMtu);

    /**
     * Term length of the log channel in bytes.
     */
    public static final Setting<Long> LOG_TERM_LENGTH = new Setting<>(
        PREFIX + "log.term.length", "16m", "a power of two from 64k to 1g",
        "Term length of the log channel; a message may be an eighth of it at most.", NodeSettings::parseTermLength);

    /**
     * Term length of ingress and egress channels in bytes.
     */
    public static final Setting<Long> CLIENT_TERM_LENGTH = new Setting<>(
        PREFIX + "client.term.length", "1m", "a power of two from 64k to 1g",
        "Term length of each session's egress, whatever the client asks for. With an emulated distance of clients, and unless " +
        "it is given, twice the window, so that the term is not what limits.", NodeSettings::parseTermLength);

    /**
     * Named set of threading modes and idle strategies.
     */
    public static final Setting<String> PROFILE = new Setting<>(
        SettingKeys.PROFILE, "auto", "auto, compact, shared or dedicated",
        "Threads and idle strategies: compact (one thread for all of the member, waiting at its sockets when idle), shared " +
        "(one thread per component, yielding), dedicated (one spinning thread per agent), auto (compact with fewer than 4 " +
        "cores for each member on the machine, dedicated with 16 or more, else shared).",
        (text) -> oneOf(text, Set.of("auto", "compact", "shared", "dedicated")));

    /** Processors by the profile and by what the machine has. */
    public static final String AUTO_CORES = "auto";

    /** Processors that the system chooses. */
    public static final String ANY_CORES = "any";

    /**
     * Processors of the threads that carry messages.
     */
    public static final Setting<String> CORES = new Setting<>(
        SettingKeys.CORES, AUTO_CORES, "auto, any, or a list of processors as in 2-9,12",
        "Processors of the threads that carry messages: of a list each member on this machine takes one for each such thread, " +
        "in the order of member ids; a list that is too short for all is gone through again, unless they spin. auto gives " +
        "each thread that spins a core of its own if there are enough for all members on this machine, and three compact " +
        "members on two processors one for the leader and one for the followers; any leaves it to the system. A driver that " +
        "is a process of its own is not meant.", NodeSettings::parseCores);

    /**
     * Leader heartbeat timeout.
     */
    public static final Setting<Long> HEARTBEAT_TIMEOUT = Setting.ofDuration(
        PREFIX + "heartbeat.timeout", "10s", "How long followers wait for a silent leader before they elect another.");

    /**
     * Leader heartbeat interval.
     */
    public static final Setting<Long> HEARTBEAT_INTERVAL = Setting.ofDuration(
        PREFIX + "heartbeat.interval", "200ms", "How often an idle leader shows that it lives.");

    /**
     * Election timeout.
     */
    public static final Setting<Long> ELECTION_TIMEOUT = Setting.ofDuration(
        PREFIX + "election.timeout", "1s", "How long a candidate waits for votes; the nomination delay is up to half of it.");

    /**
     * Election status interval.
     */
    public static final Setting<Long> ELECTION_STATUS_INTERVAL = Setting.ofDuration(
        PREFIX + "election.status.interval", "100ms", "How often members tell their positions during an election.");

    /**
     * Startup canvass timeout.
     */
    public static final Setting<Long> CANVASS_TIMEOUT = Setting.ofDuration(
        PREFIX + "canvass.timeout", "60s",
        "How long a starting cluster waits for all members before a majority will do; at least twice the heartbeat timeout.");

    /**
     * Session timeout.
     */
    public static final Setting<Long> SESSION_TIMEOUT = Setting.ofDuration(
        PREFIX + "session.timeout", "10s", "How long a silent client keeps its session.");

    /**
     * Sessions at most.
     */
    public static final Setting<Integer> MAX_SESSIONS = Setting.ofInt(
        PREFIX + "max.sessions", "256", 1, 10_000, "Sessions that may be open at once.");

    /**
     * Largest message in bytes.
     */
    public static final Setting<Long> MAX_MESSAGE_LENGTH = Setting.ofSize(
        SettingKeys.MAX_MESSAGE_LENGTH, "64k", "Largest echo request; a larger one is counted and ignored.");

    /**
     * What the service does with a message.
     */
    public static final Setting<String> SERVICE = new Setting<>(
        SettingKeys.SERVICE, "echo", "echo or plain",
        "What is done with a message: echo (checked, applied once for each client and answered) or plain (its bytes are sent " +
        "back as they came, for clients that know nothing of our messages; nothing is remembered, so there is neither " +
        "exactly-once delivery nor an audit). Equal on all members, and for the life of a log.",
        (text) -> oneOf(text, Set.of("echo", "plain")));

    /**
     * Clients that the service remembers.
     */
    public static final Setting<Integer> MAX_CLIENTS = Setting.ofInt(
        PREFIX + "max.clients", "10000", 1, 1_000_000,
        "Client ids that the service remembers; beyond that it forgets the one that was silent longest.");

    /**
     * Replies that may wait for one slow session, in bytes.
     */
    public static final Setting<Long> EGRESS_BACKLOG = Setting.ofSize(
        PREFIX + "egress.backlog.length", "64m",
        "Replies held back for one session whose egress is back-pressured; beyond that the session is closed.");

    /**
     * Addresses other than loopback without credentials.
     */
    public static final Setting<Boolean> INSECURE = Setting.ofBoolean(
        PREFIX + "insecure", "false",
        "Allow addresses other than loopback without credentials: whoever reaches the ports can then read and destroy the log.");

    /**
     * Credentials of clients and members.
     */
    public static final Setting<String> CREDENTIALS_FILE = Setting.ofText(
        SettingKeys.CREDENTIALS_FILE, "", "a file that only its owner can read, with one line name:secret",
        "Credentials that clients and members must present when they connect.");

    /**
     * Begin with no data.
     */
    public static final Setting<Boolean> DELETE_DATA = Setting.ofBoolean(
        PREFIX + "delete.data", "false",
        "Delete this member's log, snapshots and votes before it starts; only for a member whose data is corrupt, and only " +
        "while a majority of the others is up, for what no other member holds is lost.");

    /**
     * Emulated placement.
     */
    public static final Setting<String> PLACEMENT = Setting.ofText(
        SettingKeys.PLACEMENT, Placement.NONE, Placement.ALLOWED,
        "Zones of members and clients, whose distances the members and clients of this machine emulate; members whose host is " +
        "127.0.0.1 take 127.0.0.2 and so on.");

    /**
     * Filter of the network for fault tests.
     */
    public static final Setting<Boolean> FAULT_FILTER = Setting.ofBoolean(
        PREFIX + "fault.filter", "false",
        "Let whoever may write this member's folder cut it off from the network within its own media driver, for fault tests; " +
        "see the command link.");

    /**
     * What starts each member's process on this machine.
     */
    public static final Setting<String> LAUNCH_PREFIX = Setting.ofText(
        PREFIX + "launch.prefix", "", "words separated by blanks, as in numactl -N {id}",
        "Words that stand before java where members are started on this machine; {id} becomes the member's id. The program " +
        "must become the member's process in the end (exec), as numactl, taskset, nsenter and ip netns exec do.");

    /**
     * Times of stages.
     */
    public static final Setting<Boolean> STAGES = Setting.ofBoolean(
        SettingKeys.STAGES, "false",
        "Take down when the leader had which message where, for load clients that ask for it with --stages. The cluster's time " +
        "is in nanoseconds then. Equal on all members, and for the life of a log.");

    /**
     * All of them, in the order of the documentation.
     */
    public static final List<Setting<?>> ALL = List.of(
        MEMBER_ID, HOSTS, BASE_PORT, BASE_DIR, AERON_DIR, DRIVER.kind(), DRIVER.command(), DRIVER.receiveVector(),
        DRIVER.sendVector(), DRIVER.messagesPerSend(), PROFILE, CORES, FSYNC, MTU, LOG_TERM_LENGTH, CLIENT_TERM_LENGTH,
        HEARTBEAT_TIMEOUT, HEARTBEAT_INTERVAL, ELECTION_TIMEOUT, ELECTION_STATUS_INTERVAL, CANVASS_TIMEOUT,
        SESSION_TIMEOUT, MAX_SESSIONS, MAX_MESSAGE_LENGTH, SERVICE, MAX_CLIENTS, EGRESS_BACKLOG, CREDENTIALS_FILE, INSECURE,
        DELETE_DATA, PLACEMENT, FAULT_FILTER, LAUNCH_PREFIX, STAGES);

    private NodeSettings()
    {
    }

    private static List<String> parseHosts(final String text)
    {
        final List<String> hosts = List.of(text.split("\\s*,\\s*", -1));
        if (hosts.size() > 99 || !hosts.stream().allMatch((host) -> host.matches(HOST)))
        {
            throw new IllegalArgumentException();
        }

        return hosts;
    }

    private static String parseMtu(final String text)
    {
        if (AUTO_MTU.equals(text))
        {
            return text;
        }

        final long mtu = io.clusterecho.settings.Quantity.parseSize(text);
        if (mtu < 256 || mtu > 65504 || mtu % 32 != 0)
        {
            throw new IllegalArgumentException();
        }

        return String.valueOf(mtu);
    }

    private static String parseCores(final String text)
    {
        if (!Set.of(AUTO_CORES, ANY_CORES).contains(text) && CpuList.parse(text).isEmpty())
        {
            throw new IllegalArgumentException();
        }

        return text;
    }

    private static long parseTermLength(final String text)
    {
        final long length = io.clusterecho.settings.Quantity.parseSize(text);
        if (length < 64 * 1024 || length > 1L << 30 || Long.bitCount(length) != 1)
        {
            throw new IllegalArgumentException();
        }

        return length;
    }

    private static String oneOf(final String text, final Set<String> allowed)
    {
        if (!allowed.contains(text))
        {
            throw new IllegalArgumentException();
        }

        return text;
    }
}
