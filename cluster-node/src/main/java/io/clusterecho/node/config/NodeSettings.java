package io.clusterecho.node.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.host.CpuList;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.service.ServiceTime;
import io.clusterecho.node.service.StateTable;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.SettingKeys;

/** Every key of a member, described in {@code descriptions.txt}. {@code docs/configuration.md} is generated from this list. */
public final class NodeSettings
{
    public static final String PREFIX = SettingKeys.PREFIX;

    private static final Map<String, String> DESCRIPTIONS =
        BuildFacts.text("/io/clusterecho/node/config/descriptions.txt").lines().map((line) -> line.split("\\|", 2))
        .collect(Collectors.toMap((fields) -> fields[0], (fields) -> fields[1]));

    /** A name, an IPv4 address, or an IPv6 address in brackets, as it appears before a port in a channel. */
    private static final String HOST = "[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]";

    public static final Setting<Integer> MEMBER_ID = of(Setting.ofInt(PREFIX + "member.id", "0", 0, 99, ""));

    public static final Setting<List<String>> HOSTS = of(
        new Setting<>(SettingKeys.HOSTS, "127.0.0.1,127.0.0.1,127.0.0.1",
        "1 to 99 names, IPv4 addresses or IPv6 addresses in brackets, separated by commas", "", NodeSettings::parseHosts));

    public static final Setting<Integer> BASE_PORT = of(Setting.ofInt(SettingKeys.BASE_PORT, "20000", 1024, 64000, ""));

    public static final Setting<Boolean> SAME_PORTS = of(Setting.ofBoolean(PREFIX + "same.ports", "false", ""));

    public static final Setting<String> BASE_DIR = of(
        Setting.ofText(SettingKeys.BASE_DIR, "cluster-data", "a writable folder, which is created if missing", ""));

    public static final Setting<String> AERON_DIR = of(
        Setting.ofText(PREFIX + "aeron.dir", "", "a folder on a memory file system", ""));

    public static final Setting<String> AERON_VERSION = of(
        new Setting<>(PREFIX + "aeron.version", "", "a version from 1.49.0 on, as in 1.51.0", "",
        (text) -> Setting.checked(text.matches("(1\\.(49|[5-9]\\d)\\.\\d+)?"), text)));

    public static final Setting<String> AERON_JARS = of(
        Setting.ofText(PREFIX + "aeron.jars", "", "a folder with the jar of echo.aeron.version", ""));

    public static final DriverKeys DRIVER = DriverKeys.below(PREFIX, AERON_DIR.key());

    public static final Setting<Integer> FSYNC = of(Setting.ofInt(SettingKeys.FSYNC, "0", 0, 2, ""));

    /** The value is derived from the machine and from other settings. */
    public static final String AUTO = "auto";

    /** MTU of all channels: a number of bytes, or {@link #AUTO}. */
    public static final Setting<String> MTU = of(
        new Setting<>(SettingKeys.MTU, AUTO, "auto, or a multiple of 32 from 256 to 65504, with an optional k", "",
        NodeSettings::parseMtu));

    public static final Setting<Integer> LOG_TERM_LENGTH = of(
        new Setting<>(PREFIX + "log.term.length", "16m", "a power of two from 64k to 1g", "",
        NodeSettings::parseTermLength));

    public static final Setting<Integer> CLIENT_TERM_LENGTH = of(
        new Setting<>(PREFIX + "client.term.length", "1m", "a power of two from 64k to 1g", "",
        NodeSettings::parseTermLength));

    /** Value of {@link #PROFILE} for members as Aeron starts them by default. */
    public static final String STOCK = "stock";

    public static final Setting<String> PROFILE = of(
        Setting.ofWord(SettingKeys.PROFILE, "auto", "", "auto", "compact", "shared", "dedicated", STOCK));

    /** Value of {@link #COMPILERS} for the first alone. */
    public static final String FIRST_COMPILER = "first";

    public static final Setting<String> COMPILERS = of(
        Setting.ofWord(SettingKeys.COMPILERS, "both", "", "both", FIRST_COMPILER));

    public static final String ANY_CORES = "any";

    public static final Setting<String> CORES = of(
        new Setting<>(SettingKeys.CORES, AUTO, "auto, any, or a list of processors as in 2-9,12", "",
        (text) -> Setting.checked(Set.of(AUTO, ANY_CORES).contains(text) || !CpuList.parse(text).isEmpty(), text)));

    public static final Setting<Long> HEARTBEAT_TIMEOUT = of(Setting.ofDuration(PREFIX + "heartbeat.timeout", "10s", ""));

    public static final Setting<Long> HEARTBEAT_INTERVAL = of(
        Setting.ofDuration(PREFIX + "heartbeat.interval", "200ms", ""));

    public static final Setting<Long> ELECTION_TIMEOUT = of(Setting.ofDuration(PREFIX + "election.timeout", "1s", ""));

    public static final Setting<Long> ELECTION_STATUS_INTERVAL = of(
        Setting.ofDuration(PREFIX + "election.status.interval", "100ms", ""));

    public static final Setting<Long> CANVASS_TIMEOUT = of(Setting.ofDuration(PREFIX + "canvass.timeout", "60s", ""));

    public static final Setting<Integer> PREFERRED_LEADER = of(
        Setting.ofInt(PREFIX + "preferred.leader", "-1", -1, 1_000, ""));

    public static final Setting<Long> SESSION_TIMEOUT = of(Setting.ofDuration(PREFIX + "session.timeout", "10s", ""));

    public static final Setting<Integer> MAX_SESSIONS = of(Setting.ofInt(PREFIX + "max.sessions", "256", 1, 10_000, ""));

    public static final Setting<Long> MAX_MESSAGE_LENGTH = of(Setting.ofSize(SettingKeys.MAX_MESSAGE_LENGTH, "64k", ""));

    public static final Setting<String> SERVICE = of(Setting.ofWord(SettingKeys.SERVICE, "echo", "", "echo", "plain"));

    public static final Setting<List<String>> SERVICE_CLASS = of(
        new Setting<>(SettingKeys.SERVICE_CLASS, "", "names of classes as in com.acme.OrderBook, separated by commas", "",
        NodeSettings::parseClasses));

    public static final Setting<List<Path>> CLASS_PATH = of(
        new Setting<>(PREFIX + "class.path", "", "jars and folders, separated by colons", "", NodeSettings::parsePaths));

    public static final Setting<ServiceTime> SERVICE_TIME = of(
        new Setting<>(PREFIX + "service.time", ServiceTime.NONE, ServiceTime.ALLOWED, "", ServiceTime::of));

    public static final Setting<Integer> MAX_CLIENTS = of(Setting.ofInt(PREFIX + "max.clients", "10000", 1, 1_000_000, ""));

    public static final Setting<Long> STATE_LENGTH = of(
        new Setting<>(PREFIX + "state.length", "0", "a multiple of 8 from 0 to 1g", "", NodeSettings::parseStateLength));

    public static final Setting<Long> EGRESS_BACKLOG = of(Setting.ofSize(PREFIX + "egress.backlog.length", "64m", ""));

    public static final Setting<Boolean> INSECURE = of(Setting.ofBoolean(PREFIX + "insecure", "false", ""));

    public static final Setting<String> CREDENTIALS_FILE = of(
        Setting.ofText(SettingKeys.CREDENTIALS_FILE, "", "a file that only its owner can read, with one line name:secret",
        ""));

    public static final Setting<String> PLACEMENT = of(
        Setting.ofText(SettingKeys.PLACEMENT, Placement.NONE, Placement.ALLOWED, ""));

    public static final Setting<Boolean> FAULT_FILTER = of(Setting.ofBoolean(PREFIX + "fault.filter", "false", ""));

    public static final Setting<String> FAULT_LIBRARY = of(
        Setting.ofText(PREFIX + "fault.library", "", "a file made by scripts/build-fault-library.sh", ""));

    public static final Setting<String> LAUNCH_PREFIX = of(
        Setting.ofText(PREFIX + "launch.prefix", "", "words separated by blanks, as in numactl -N {id}", ""));

    public static final Setting<Boolean> STAGES = of(Setting.ofBoolean(SettingKeys.STAGES, "false", ""));

    public static final Setting<Boolean> BACKUP = of(Setting.ofBoolean(PREFIX + "backup", "false", ""));

    public static final Setting<String> BACKUP_HOST = of(
        Setting.ofText(PREFIX + "backup.host", "", "a name or an address, or nothing", ""));

    public static final Setting<String> BACKUP_SOURCE = of(
        Setting.ofWord(PREFIX + "backup.source", "any", "", "any", "leader", "follower"));

    public static final Setting<Long> BACKUP_INTERVAL = of(Setting.ofDuration(PREFIX + "backup.interval", "10s", ""));

    public static final Setting<Long> BACKUP_RESPONSE_TIMEOUT = of(
        Setting.ofDuration(PREFIX + "backup.response.timeout", "2s", ""));

    public static final Setting<Long> BACKUP_PROGRESS_TIMEOUT = of(
        Setting.ofDuration(PREFIX + "backup.progress.timeout", "10s", ""));

    public static final Setting<Long> BACKUP_COOL_DOWN = of(Setting.ofDuration(PREFIX + "backup.cool.down", "1s", ""));

    /** All of them, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(
        MEMBER_ID, HOSTS, BASE_PORT, SAME_PORTS, BASE_DIR, AERON_DIR, AERON_VERSION, AERON_JARS, DRIVER.kind(),
        DRIVER.command(), DRIVER.receiveVector(), DRIVER.sendVector(), DRIVER.messagesPerSend(), PROFILE, COMPILERS, CORES,
        FSYNC, MTU, LOG_TERM_LENGTH, CLIENT_TERM_LENGTH,
        HEARTBEAT_TIMEOUT, HEARTBEAT_INTERVAL, ELECTION_TIMEOUT, ELECTION_STATUS_INTERVAL, CANVASS_TIMEOUT,
        PREFERRED_LEADER, SESSION_TIMEOUT, MAX_SESSIONS, MAX_MESSAGE_LENGTH, SERVICE, SERVICE_CLASS, CLASS_PATH,
        SERVICE_TIME, MAX_CLIENTS, STATE_LENGTH,
        EGRESS_BACKLOG, CREDENTIALS_FILE, INSECURE, PLACEMENT, FAULT_FILTER, FAULT_LIBRARY, LAUNCH_PREFIX, STAGES,
        BACKUP, BACKUP_HOST, BACKUP_SOURCE, BACKUP_INTERVAL, BACKUP_RESPONSE_TIMEOUT, BACKUP_PROGRESS_TIMEOUT, BACKUP_COOL_DOWN);

    private static <T> Setting<T> of(final Setting<T> setting)
    {
        return new Setting<>(
            setting.key(), setting.defaultText(), setting.allowed(), DESCRIPTIONS.get(setting.key()), setting.parser());
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
