package io.clusterecho.client.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/** Dimensions of a sweep. Those of the measured system come first: cells that differ in none of them share its processes. */
public enum Dimension
{
    /** What carries the messages: a cluster, or a system that is compared with it. */
    TRANSPORT(
        TransportNames.CLUSTER, "cluster; with bin/peers also a system that it serves, as in aeron-udp", Dimension::transport),
    MEMBERS(NodeSettings.HOSTS.key(), Setting.ofInt("members", "3", 1, 9, "")),
    PLACEMENT(NodeSettings.PLACEMENT.with(Dimension::placement)),
    AERON(NodeSettings.AERON_VERSION),
    DRIVER(NodeSettings.DRIVER.kind()),
    /** Media driver of the client, if it has another. */
    CLIENT_DRIVER(
        Dimension.SAME, "same, which is that of the members, or " + NodeSettings.DRIVER.kind().allowed(),
        or(Dimension.SAME, NodeSettings.DRIVER.kind().parser()::apply)),
    /** Datagrams that the C driver receives at once. */
    RECEIVE_VECTOR(NodeSettings.DRIVER.receiveVector()),
    /** Datagrams that the C driver sends at once. */
    SEND_VECTOR(NodeSettings.DRIVER.sendVector()),
    /** Datagrams of a stream that the C driver sends per duty cycle. */
    MESSAGES_PER_SEND(NodeSettings.DRIVER.messagesPerSend()),
    PROFILE(NodeSettings.PROFILE),
    FSYNC(NodeSettings.FSYNC),
    MTU(NodeSettings.MTU),
    STATE_LENGTH(NodeSettings.STATE_LENGTH),
    BACKUP(NodeSettings.BACKUP.key(), Setting.ofWord("backup", Dimension.NO, "", Dimension.YES, Dimension.NO)),
    TERM_LENGTH(NodeSettings.LOG_TERM_LENGTH),
    /** Heap of the servers of another system, and of a client that is started for a load. */
    HEAP(
        Dimension.AUTO, "auto, which is that of the JVM, or a size, as in 128m",
        or(Dimension.AUTO, (text) -> Setting.checked(Quantity.parseSize(text) > 0, text))),
    /** Time without data after which a member's media driver ends an image. */
    IMAGE_LIVENESS(new Setting<>("aeron.image.liveness.timeout", "10s", Dimension.TIME, "", Dimension::time)),
    FAULT(
        Dimension.NONE, "none, or a fault of failover with an optional strength, as in kill or link-loss:10%",
        (text) -> Setting.checked(text.matches("[a-z-]+(:[-+0-9.a-z%]+)?"), text)),
    /** Time from the fault until the follower returns. */
    AWAY("3s", Dimension.TIME, Dimension::time),
    /** By how much the log grows between a snapshot and the fault. */
    LOG_LENGTH("0", "a number of bytes, as in 50m", number(Quantity::parseSize, 0, Long.MAX_VALUE)),
    /** Snapshot before the fault: none, a snapshot, or also a purge of the log before it. */
    BEFORE_FAULT(
        null, Setting.ofWord("before-fault", Dimension.SNAPSHOT, "", Dimension.NONE, Dimension.SNAPSHOT, Dimension.PURGE)),
    SNAPSHOT_EVERY(Dimension.NONE, "a time, as in 5s, or none", or(Dimension.NONE, Dimension::time)),
    /** Sessions per second that come and go beside the load. */
    CHURN(
        "0", "sessions per second, 0 to " + TargetConfig.MAX_CHURN,
        or("0", number(Quantity::parseRate, 1, TargetConfig.MAX_CHURN))),
    /** What the client does: messages at a rate, or as fast as they go. */
    LOAD(
        Dimension.AT_A_RATE, "rate, ping-pong, calls, one-way or, with a number of prices, price-stream:1M", Dimension::load),
    /** Messages in flight on each session of a load that is not at a rate. */
    IN_FLIGHT(Dimension.AUTO, "auto, which is 1, or a number", or(Dimension.AUTO, number(Long::parseLong, 1, 1 << 20))),
    CONNECTIONS(
        Dimension.AUTO, "auto, which is that of --connections, or a number",
        or(Dimension.AUTO, number(Long::parseLong, 1, 1 << 20))),
    IDLE(
        Dimension.AUTO, "one of " + List.of(Idle.values()) + "; auto is that of --idle; or " + Dimension.BACKOFF_IF_FEW +
        ", backoff where cores are few and else auto, with :N only from N messages in flight",
        (text) -> text.matches(Dimension.BACKOFF_IF_FEW + "(:[1-9][0-9]{0,6})?") ? text : Idle.valueOf(text).name()),
    /** Length of a message; {@link #NONE} for messages that have their own. */
    SIZE("288", "a number of bytes from " + EchoMessage.MIN_LENGTH + ", with an optional k, or none with --messages",
        or(Dimension.NONE, number(Quantity::parseSize, 1, Long.MAX_VALUE))),
    /** Rate, or the highest one, which is searched. */
    RATE(
        "10k", "messages per second, as in 10k, or max, the highest rate",
        or(Dimension.MAX, number(Quantity::parseRate, 1, Long.MAX_VALUE)));

    /** Value of a dimension that is not used. */
    public static final String NONE = "none";
    /** Value of a dimension that is left to the system, or to an option of the command. */
    static final String AUTO = "auto";
    /** Idle strategy that depends on the cores and, after a colon, on the least number of messages in flight. */
    static final String BACKOFF_IF_FEW = "backoff-if-few";
    /** The load of messages at a rate. */
    static final String AT_A_RATE = "rate";
    /** The client's driver is that of the members. */
    public static final String SAME = "same";
    /** Rate that is searched in each cell. */
    public static final String MAX = "max";
    /** Before a fault: a snapshot. */
    public static final String SNAPSHOT = "snapshot";
    /** Before a fault: a snapshot, and a purge of the log before it. */
    public static final String PURGE = "purge";

    /** Those that only the C driver has. */
    static final Set<Dimension> VECTORS = EnumSet.of(RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND);

    private static final String YES = "yes";
    private static final String NO = "no";
    private static final String TIME = "a time above 0, as in 5s";

    private final String memberKey;
    private final Setting<?> setting;

    Dimension(final Setting<?> setting)
    {
        this(setting.key(), setting);
    }

    Dimension(final String defaultText, final String allowed, final UnaryOperator<String> parser)
    {
        this(null, new Setting<>("", defaultText, allowed, "", parser));
    }

    /** @param memberKey of the members' setting, or null if they have none. */
    Dimension(final String memberKey, final Setting<?> setting)
    {
        this.memberKey = memberKey;
        this.setting = setting;
    }

    /** Key in a sweep file: lower case with dashes. */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Values of a cell with the client's driver in place of the members'. */
    static Map<Dimension, String> ofClient(final Map<Dimension, String> values)
    {
        return SAME.equals(values.get(CLIENT_DRIVER)) ? values : with(values, DRIVER, values.get(CLIENT_DRIVER));
    }

    /** The same values but for one dimension. */
    static Map<Dimension, String> with(final Map<Dimension, String> values, final Dimension dimension, final String value)
    {
        final Map<Dimension, String> changed = new EnumMap<>(Dimension.class);
        changed.putAll(values);
        changed.put(dimension, value);
        return changed;
    }

    /** Key of the setting of another system than the cluster, which some have; null if none has it. */
    String peerKey()
    {
        return null == memberKey || !memberKey.startsWith(NodeSettings.PREFIX) ? null :
            PeerSystem.PREFIX + memberKey.substring(NodeSettings.PREFIX.length());
    }

    /** The dimension that sets a key of members or of another system. */
    static Optional<Dimension> ofSetting(final String key)
    {
        return Stream.of(values()).filter((one) -> key.equals(one.memberKey) || key.equals(one.peerKey())).findFirst();
    }

    /** Whether the system of a cell has it: with the Java driver there are no vectors. */
    boolean isUsed(final Map<Dimension, String> values)
    {
        return !VECTORS.contains(this) || !NodeSettings.DRIVER.kind().defaultText().equals(values.get(DRIVER));
    }

    /** Put what a cell sets at its members, except their hosts. */
    static void putMembers(final Settings settings, final Map<Dimension, String> values, final String source)
    {
        values.forEach((dimension, value) ->
        {
            if (null != dimension.memberKey && MEMBERS != dimension && dimension.isUsed(values))
            {
                settings.put(
                    dimension.memberKey, BACKUP == dimension ? String.valueOf(YES.equals(value)) : value, source);
            }
        });
    }

    /** The dimension of a key in a sweep file, if there is one. */
    public static Optional<Dimension> of(final String key)
    {
        return Stream.of(values()).filter((one) -> one.key().equals(key)).findFirst();
    }

    static String keys()
    {
        return Stream.of(values()).map(Dimension::key).collect(Collectors.joining(", "));
    }

    /** Whether another value needs another cluster, or other servers. */
    public boolean isOfSystem()
    {
        return compareTo(IMAGE_LIVENESS) <= 0;
    }

    String defaultText()
    {
        return setting.defaultText();
    }

    String allowed()
    {
        return setting.allowed();
    }

    /** Whether a value in canonical form is the default. */
    boolean isDefault(final String value)
    {
        return parse(defaultText()).equals(value);
    }

    /** Canonical form of a value, so that 8k and 8192 are the same cell. */
    public String parse(final String text)
    {
        return String.valueOf(InvalidSettingException.<Object>parsed(key(), text.trim(), allowed(), setting.parser()::apply));
    }

    private static UnaryOperator<String> or(final String word, final UnaryOperator<String> parser)
    {
        return (text) -> word.equals(text) ? text : parser.apply(text);
    }

    private static UnaryOperator<String> number(final ToLongFunction<String> parser, final long least, final long most)
    {
        return (text) ->
        {
            final long value = parser.applyAsLong(text);
            return Setting.checked(value >= least && value <= most, String.valueOf(value));
        };
    }

    private static String transport(final String text)
    {
        final Set<String> names = new HashSet<>();
        new TransportNames().forEach(names::add);
        // Its echo has no process, and no setting to compare.
        names.remove(TransportNames.MEMORY);
        return Setting.checked(names.contains(text), text);
    }

    private static String placement(final String text)
    {
        if (Set.of(Placement.NONE, Placement.CLUSTER, Placement.PARTITION).contains(text))
        {
            return text;
        }

        final Path file = Path.of(text).toAbsolutePath().normalize();
        return Setting.checked(Files.isRegularFile(file), file.toString());
    }

    private static String time(final String text)
    {
        final long timeNs = Quantity.parseDurationNs(text);
        return Setting.checked(timeNs >= 1, RateProfile.text(timeNs));
    }

    private static String load(final String text)
    {
        return text.startsWith(Cell.PRICES) ? Cell.PRICES + Quantity.parseRate(text.substring(Cell.PRICES.length())) :
            Setting.checked(List.of(AT_A_RATE, Cell.PING_PONG, TransportKind.CALLS, TransportKind.ONE_WAY).contains(text), text);
    }
}
