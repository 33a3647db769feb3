package io.clusterecho.node.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.clusterecho.host.CpuList;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.service.ServiceTime;
import io.clusterecho.node.service.StateTable;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.SettingKeys;

/** Every key of a member. {@code docs/configuration.md} is generated from this list. */
public final class NodeSettings
{
    /** Prefix of all our keys. */
    public static final String PREFIX = SettingKeys.PREFIX;

    /** A name, an IPv4 address, or an IPv6 address in brackets, as it appears before a port in a channel. */
    private static final String HOST = "[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]";

    public static final Setting<Integer> MEMBER_ID = Setting.ofInt(
        PREFIX + "member.id", "0", 0, 99, "Index of this member in echo.hosts.");

    public static final Setting<List<String>> HOSTS = new Setting<>(
        SettingKeys.HOSTS, "127.0.0.1,127.0.0.1,127.0.0.1",
        "1 to 99 names, IPv4 addresses or IPv6 addresses in brackets, separated by commas",
        "Host of each member, in the order of member ids.", NodeSettings::parseHosts);

    public static final Setting<Integer> BASE_PORT = Setting.ofInt(
        SettingKeys.BASE_PORT, "20000", 1024, 64000,
        "First port; member N uses ports base + 10 N + 0 to 4 (ingress, consensus, log, catch-up, archive).");

    public static final Setting<String> BASE_DIR = Setting.ofText(
        SettingKeys.BASE_DIR, "cluster-data", "a writable folder, which is created if missing",
        "Base folder; log, snapshots and mark files of member N are in its subfolder member-N.");

    public static final Setting<String> AERON_DIR = Setting.ofText(
        PREFIX + "aeron.dir", "", "a folder on a memory file system",
        "Folder of the media driver; empty: derived from base folder and member id.");

    public static final Setting<String> AERON_VERSION = new Setting<>(
        PREFIX + "aeron.version", "", "a version from 1.49.0 on, as in 1.51.0",
        "Aeron of the members, if not that of cluster-node.jar: aeron-all-VERSION.jar of echo.aeron.jars, or of the local " +
        "Maven repository, into which mvn fetches it if need be. 1.49.3 and 1.51.0 are known to work.",
        (text) -> Setting.checked(text.matches("(1\\.(49|[5-9]\\d)\\.\\d+)?"), text));

    public static final Setting<String> AERON_JARS = Setting.ofText(
        PREFIX + "aeron.jars", "", "a folder with the jar of echo.aeron.version", "Folder of jars of Aeron, if not Maven's.");

    public static final DriverKeys DRIVER = DriverKeys.below(PREFIX, AERON_DIR.key());

    public static final Setting<Integer> FSYNC = Setting.ofInt(
        SettingKeys.FSYNC, "0", 0, 2,
        "File sync level of archive, catalog and consensus module: 0 page cache, 1 data, 2 data and metadata.");

    /** The value is derived from the machine and from other settings. */
    public static final String AUTO = "auto";

    /** MTU of all channels: a number of bytes, or {@link #AUTO}. */
    public static final Setting<String> MTU = new Setting<>(
        SettingKeys.MTU, AUTO, "auto, or a multiple of 32 from 256 to 65504, with an optional k",
        "MTU of UDP and IPC channels in bytes; auto: 8192 if all members have loopback addresses and no emulated distances, " +
        "else 1408, which fits an Ethernet frame.", NodeSettings::parseMtu);

    public static final Setting<Integer> LOG_TERM_LENGTH = new Setting<>(
        PREFIX + "log.term.length", "16m", "a power of two from 64k to 1g",
        "Term length of the log channel; a message may be at most an eighth of it.", NodeSettings::parseTermLength);

    public static final Setting<Integer> CLIENT_TERM_LENGTH = new Setting<>(
        PREFIX + "client.term.length", "1m", "a power of two from 64k to 1g",
        "Term length of each session's egress, whatever the client requests. Unless it is set, twice the window if clients " +
        "have an emulated distance, so that the term is not the limit.", NodeSettings::parseTermLength);

    /** Value of {@link #PROFILE} for members as Aeron starts them by default. */
    public static final String STOCK = "stock";

    public static final Setting<String> PROFILE = Setting.ofWord(
        SettingKeys.PROFILE, "auto",
        "Threads and idle strategies: compact (one thread per member, which waits at its sockets when idle), shared (one " +
        "thread per component, yielding), dedicated (one spinning thread per agent), stock (Aeron's defaults: one thread per " +
        "agent, which backs off, its windows, socket buffers and segments, no checksums, and unless they are set the MTU, term " +
        "lengths and cores that Aeron has by default), auto (compact with the embedded driver or fewer than 4 " +
        "cores per member on the machine, dedicated with 16 or more, else shared).",
        "auto", "compact", "shared", "dedicated", STOCK);

    /** Value of {@link #COMPILERS} for the first alone. */
    public static final String FIRST_COMPILER = "first";

    public static final Setting<String> COMPILERS = Setting.ofWord(
        SettingKeys.COMPILERS, "both",
        "Compilers of a member's JVM: both, or the first (C1) alone. It takes little time from threads that share few cores, " +
        "so that in the first minutes p99 is shorter up to some 10,000 messages/s, but its code is slower: p99 at 100,000/s " +
        "is longer, and the highest rate lower.",
        "both", FIRST_COMPILER);

    public static final String ANY_CORES = "any";

    public static final Setting<String> CORES = new Setting<>(
        SettingKeys.CORES, AUTO, "auto, any, or a list of processors as in 2-9,12",
        "Cores for the threads that carry messages. A list: each member on this machine takes one core per thread, in the " +
        "order of member ids; unless threads spin, a list that is too short is reused from its beginning. auto: a core for " +
        "each spinning thread, if there are enough for all members on this machine; for three compact members on two cores, " +
        "one for the leader and one for the followers. any: no pinning. Not for threads of a driver in a separate process.",
        NodeSettings::parseCores);

    public static final Setting<Long> HEARTBEAT_TIMEOUT = Setting.ofDuration(
        PREFIX + "heartbeat.timeout", "10s", "Time without a message from the leader after which followers start an election.");

    public static final Setting<Long> HEARTBEAT_INTERVAL = Setting.ofDuration(
        PREFIX + "heartbeat.interval", "200ms", "Interval of the heartbeats of an idle leader.");

    public static final Setting<Long> ELECTION_TIMEOUT = Setting.ofDuration(
        PREFIX + "election.timeout", "1s", "Time that a candidate waits for votes; the nomination delay is up to half of it.");

    public static final Setting<Long> ELECTION_STATUS_INTERVAL = Setting.ofDuration(
        PREFIX + "election.status.interval", "100ms", "Interval at which members exchange their positions during an election.");

    public static final Setting<Long> CANVASS_TIMEOUT = Setting.ofDuration(
        PREFIX + "canvass.timeout", "60s",
        "Time that a starting cluster waits for all members before a majority suffices; at least twice the heartbeat timeout.");

    public static final Setting<Integer> PREFERRED_LEADER = Setting.ofInt(
        PREFIX + "preferred.leader", "-1", -1, 1_000,
        "Member that leads if it can, -1: none. In an election it nominates itself at once, and the others wait for 1/4 to 1/2 " +
        "of the election timeout; they elect one of themselves if it is down or its log is shorter. It does not take over from " +
        "a leader that serves.");

    public static final Setting<Long> SESSION_TIMEOUT = Setting.ofDuration(
        PREFIX + "session.timeout", "10s", "Time without a message from a client after which its session is closed.");

    public static final Setting<Integer> MAX_SESSIONS = Setting.ofInt(
        PREFIX + "max.sessions", "256", 1, 10_000, "Maximum number of open sessions.");

    public static final Setting<Long> MAX_MESSAGE_LENGTH = Setting.ofSize(
        SettingKeys.MAX_MESSAGE_LENGTH, "64k", "Largest echo request; larger ones are counted and ignored.");

    public static final Setting<String> SERVICE = Setting.ofWord(
        SettingKeys.SERVICE, "echo",
        "Clustered service: echo (checks a message, applies it once per client, sends it back) or plain (sends bytes back as " +
        "received, for clients with other message formats; it keeps no state, so there is neither exactly-once delivery nor an " +
        "audit). Must be the same on all members and for the life of a log.",
        "echo", "plain");

    public static final Setting<List<String>> SERVICE_CLASS = new Setting<>(
        SettingKeys.SERVICE_CLASS, "", "names of classes as in com.acme.OrderBook, separated by commas",
        "Clustered service of the user, in place of that of echo.service: a class that implements " +
        "io.aeron.cluster.service.ClusteredService, with a public constructor without parameters. Several classes are several " +
        "services of one cluster, whose ids are their places in the list, from 0. Must be the same on all members and for the " +
        "life of a log.", NodeSettings::parseClasses);

    public static final Setting<List<Path>> CLASS_PATH = new Setting<>(
        PREFIX + "class.path", "", "jars and folders, separated by colons",
        "Jars and folders with the classes of echo.service.class, on the machine of each member. A class that is also in " +
        "cluster-node.jar, as those of Aeron, is taken from there.", NodeSettings::parsePaths);

    public static final Setting<ServiceTime> SERVICE_TIME = new Setting<>(
        PREFIX + "service.time", ServiceTime.NONE, ServiceTime.ALLOWED,
        "Time for which the service's thread spins for each message that it applies, in place of the work of a real service. " +
        "A function of the message's position in the log: the same on all members, and again when a start replays the log.",
        ServiceTime::of);

    public static final Setting<Integer> MAX_CLIENTS = Setting.ofInt(
        PREFIX + "max.clients", "10000", 1, 1_000_000,
        "Maximum number of client ids in the service's state; beyond that, the one silent for longest is evicted.");

    public static final Setting<Long> STATE_LENGTH = new Setting<>(
        PREFIX + "state.length", "0", "a multiple of 8 from 0 to 1g",
        "Length of a table in the service's state, outside the heap: each applied request changes a word of it, each snapshot " +
        "contains all of it, and each start loads it. Only with echo.service=echo. Must be the same on all members and for the " +
        "life of a log.", NodeSettings::parseStateLength);

    public static final Setting<Long> EGRESS_BACKLOG = Setting.ofSize(
        PREFIX + "egress.backlog.length", "64m",
        "Maximum backlog of replies for one session with a back-pressured egress; beyond that, the session is closed.");

    public static final Setting<Boolean> INSECURE = Setting.ofBoolean(
        PREFIX + "insecure", "false",
        "Allow addresses other than loopback without credentials: anyone who reaches the ports can then read and destroy the " +
        "log.");

    public static final Setting<String> CREDENTIALS_FILE = Setting.ofText(
        SettingKeys.CREDENTIALS_FILE, "", "a file that only its owner can read, with one line name:secret",
        "Credentials that clients and members must present when they connect.");

    public static final Setting<Boolean> DELETE_DATA = Setting.ofBoolean(
        PREFIX + "delete.data", "false",
        "Delete this member's log, snapshots and votes before the start. Only for a member that is started by hand (heal does " +
        "it for others) and whose data is damaged, while a majority is up without it: data that no other member has is lost.");

    public static final Setting<String> PLACEMENT = Setting.ofText(
        SettingKeys.PLACEMENT, Placement.NONE, Placement.ALLOWED,
        "Zones of members and clients; members and clients on this machine emulate the distances between them. Members with " +
        "host 127.0.0.1 use 127.0.0.2 and so on. Of other hosts, cluster and partition say where they are: nothing is emulated.");

    public static final Setting<Boolean> FAULT_FILTER = Setting.ofBoolean(
        PREFIX + "fault.filter", "false",
        "Allow anyone with write access to this member's folder to cut it off from the network, within its media driver, for " +
        "fault tests.");

    public static final Setting<String> FAULT_LIBRARY = Setting.ofText(
        PREFIX + "fault.library", "", "a file made by scripts/build-fault-library.sh",
        "Library that is preloaded into the process of each member, on its own host. It allows anyone with write access to a " +
        "member's folder to make its writes and syncs slow, wait or fail, and to shift its wall clock, for fault tests. " +
        "Empty: none.");

    public static final Setting<String> LAUNCH_PREFIX = Setting.ofText(
        PREFIX + "launch.prefix", "", "words separated by blanks, as in numactl -N {id}",
        "Words before java in the command that starts a member on this machine; {id} is replaced by the member's id. The " +
        "program must exec the rest, like numactl, taskset, nsenter and ip netns exec do.");

    public static final Setting<Boolean> STAGES = Setting.ofBoolean(
        SettingKeys.STAGES, "false",
        "Record at the leader when each message reached which stage, for load clients with --stages. The cluster's time unit " +
        "is then nanoseconds. Must be the same on all members and for the life of a log.");

    public static final Setting<Boolean> BACKUP = Setting.ofBoolean(
        PREFIX + "backup", "false",
        "Start a backup: a process that copies the committed log and each snapshot from one of the members, on their machine " +
        "or on the host of an inventory with that role; and allow it to ask for them.");

    public static final Setting<String> BACKUP_HOST = Setting.ofText(
        PREFIX + "backup.host", "", "a name or an address, or nothing",
        "Address of the backup; its ports are those that one more member would use. Default: that of member 0; with an " +
        "inventory that of the host with the role backup.");

    public static final Setting<String> BACKUP_SOURCE = Setting.ofWord(
        PREFIX + "backup.source", "any",
        "Member that the backup copies from: any, leader or follower. A source that gets another role is replaced after the " +
        "next query.",
        "any", "leader", "follower");

    public static final Setting<Long> BACKUP_INTERVAL = Setting.ofDuration(
        PREFIX + "backup.interval", "10s",
        "Interval at which the backup asks its source for new snapshots and leadership terms. The log is copied continuously.");

    public static final Setting<Long> BACKUP_RESPONSE_TIMEOUT = Setting.ofDuration(
        PREFIX + "backup.response.timeout", "2s",
        "Time without an answer after which the backup asks another member.");

    public static final Setting<Long> BACKUP_PROGRESS_TIMEOUT = Setting.ofDuration(
        PREFIX + "backup.progress.timeout", "10s",
        "Time without progress, in copying a snapshot or until the log is copied, after which the backup starts over.");

    public static final Setting<Long> BACKUP_COOL_DOWN = Setting.ofDuration(
        PREFIX + "backup.cool.down", "1s",
        "Time for which the backup waits after a failure, such as the end of its source, before it asks again. It falls behind " +
        "meanwhile.");

    /** All of them, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(
        MEMBER_ID, HOSTS, BASE_PORT, BASE_DIR, AERON_DIR, AERON_VERSION, AERON_JARS, DRIVER.kind(), DRIVER.command(),
        DRIVER.receiveVector(), DRIVER.sendVector(), DRIVER.messagesPerSend(), PROFILE, COMPILERS, CORES, FSYNC, MTU,
        LOG_TERM_LENGTH, CLIENT_TERM_LENGTH,
        HEARTBEAT_TIMEOUT, HEARTBEAT_INTERVAL, ELECTION_TIMEOUT, ELECTION_STATUS_INTERVAL, CANVASS_TIMEOUT,
        PREFERRED_LEADER, SESSION_TIMEOUT, MAX_SESSIONS, MAX_MESSAGE_LENGTH, SERVICE, SERVICE_CLASS, CLASS_PATH,
        SERVICE_TIME, MAX_CLIENTS, STATE_LENGTH,
        EGRESS_BACKLOG, CREDENTIALS_FILE, INSECURE, DELETE_DATA, PLACEMENT, FAULT_FILTER, FAULT_LIBRARY, LAUNCH_PREFIX, STAGES,
        BACKUP, BACKUP_HOST, BACKUP_SOURCE, BACKUP_INTERVAL, BACKUP_RESPONSE_TIMEOUT, BACKUP_PROGRESS_TIMEOUT, BACKUP_COOL_DOWN);

    private NodeSettings()
    {
    }

    private static List<String> parseHosts(final String text)
    {
        final List<String> hosts = List.of(text.split("\\s*,\\s*", -1));
        return Setting.checked(hosts.size() <= 99 && hosts.stream().allMatch((host) -> host.matches(HOST)), hosts);
    }

    private static String parseMtu(final String text)
    {
        if (AUTO.equals(text))
        {
            return text;
        }

        final long mtu = Quantity.parseSize(text);
        return Setting.checked(mtu >= 256 && mtu <= 65504 && mtu % 32 == 0, String.valueOf(mtu));
    }

    private static String parseCores(final String text)
    {
        return Setting.checked(Set.of(AUTO, ANY_CORES).contains(text) || !CpuList.parse(text).isEmpty(), text);
    }

    private static int parseTermLength(final String text)
    {
        final long length = Quantity.parseSize(text);
        return (int)(long)Setting.checked(length >= 64 * 1024 && length <= 1L << 30 && Long.bitCount(length) == 1, length);
    }

    private static long parseStateLength(final String text)
    {
        final long length = Quantity.parseSize(text);
        return Setting.checked(StateTable.isAllowed(length), length);
    }

    private static List<String> parseClasses(final String text)
    {
        final List<String> names = text.isEmpty() ? List.of() : List.of(text.split("\\s*,\\s*", -1));
        return Setting.checked(names.stream().noneMatch(String::isEmpty), names);
    }

    private static List<Path> parsePaths(final String text)
    {
        return text.isEmpty() ? List.of() : Stream.of(text.split("\\s*:\\s*", -1)).map((path) ->
            Setting.checked(!path.isEmpty(), Path.of(path).toAbsolutePath().normalize())).toList();
    }
}
