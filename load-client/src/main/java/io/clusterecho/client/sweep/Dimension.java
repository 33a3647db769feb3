package io.clusterecho.client.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.run.ChurnConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.media.driver.DriverKind;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;

/** Dimensions of a sweep. Those of the measured system come first: cells that differ in none of them share its processes. */
public enum Dimension
{
    /** What carries the messages: a cluster, or a system that is compared with it. */
    TRANSPORT(
        true, TransportNames.CLUSTER, "cluster; with bin/peers also a system that it serves, as in aeron-udp",
        Dimension::transport),
    /** Members of the cluster. */
    MEMBERS(true, "3", "a whole number from 1 to 9", Dimension::members),
    /** Delays between the members. */
    PLACEMENT(true, Placement.NONE, Placement.ALLOWED, Dimension::placement),
    /** Media driver of members and client. */
    DRIVER(
        true, DriverKind.JAVA.text(), NodeSettings.DRIVER.kind().allowed(), (text) -> DriverKind.of(text).text()),
    /** Media driver of the client, if it has another. */
    CLIENT_DRIVER(
        true, Dimension.SAME, "same, which is that of the members, or " + NodeSettings.DRIVER.kind().allowed(),
        (text) -> Dimension.SAME.equals(text) ? text : DriverKind.of(text).text()),
    /** Datagrams that the C driver receives at once. */
    RECEIVE_VECTOR(true, NodeSettings.DRIVER.receiveVector()),
    /** Datagrams that the C driver sends at once. */
    SEND_VECTOR(true, NodeSettings.DRIVER.sendVector()),
    /** Datagrams of a stream that the C driver sends per duty cycle. */
    MESSAGES_PER_SEND(true, NodeSettings.DRIVER.messagesPerSend()),
    /** Threads and idle strategies of the members. */
    PROFILE(true, NodeSettings.PROFILE),
    /** File sync level. */
    FSYNC(true, NodeSettings.FSYNC),
    /** MTU of all channels. */
    MTU(true, NodeSettings.MTU),
    /** Length of the table in the service's state. */
    STATE_LENGTH(true, NodeSettings.STATE_LENGTH),
    /** Whether a backup runs beside the members. */
    BACKUP(true, "no", "yes or no", Dimension::yesOrNo),
    /** Length of a term of the log. */
    TERM_LENGTH(true, NodeSettings.LOG_TERM_LENGTH),
    /** Time without data after which a member's media driver ends an image. */
    IMAGE_LIVENESS(true, "10s", Dimension.TIME, Dimension::time),
    /** Fault that hits a follower, or none. */
    FAULT(
        false, Dimension.NONE, "none, or a fault of failover with an optional strength, as in kill or link-loss:10%",
        Dimension::fault),
    /** Time from the fault until the follower returns. */
    AWAY(false, "3s", Dimension.TIME, Dimension::time),
    /** By how much the log grows between a snapshot and the fault. */
    LOG_LENGTH(false, "0", "a number of bytes, as in 50m", (text) -> String.valueOf(Quantity.parseSize(text))),
    /** Snapshot before the fault: none, a snapshot, or also a purge of the log before it. */
    BEFORE_FAULT(false, "snapshot", "none, snapshot or purge", Dimension::beforeFault),
    /** Time from one snapshot to the next, or none. */
    SNAPSHOT_EVERY(false, Dimension.NONE, "a time, as in 5s, or none", Dimension::interval),
    /** Sessions per second that come and go beside the load. */
    CHURN(false, "0", "sessions per second, 0 to " + ChurnConfig.MAX_RATE, Dimension::churn),
    /** Length of the messages. */
    SIZE(false, "288", "a number of bytes from " + EchoMessage.MIN_LENGTH + ", with an optional k", Dimension::size),
    /** Rate: absolute, as a share of the highest one, or the highest one itself. */
    RATE(
        false, "10k", "messages per second, as in 10k, a share of the highest rate, as in 50%, or max, the highest rate itself",
        Dimension::rate);

    /** Value of a dimension that is not used. */
    public static final String NONE = "none";
    /** The client's driver is that of the members. */
    public static final String SAME = "same";
    /** Rate that is searched in each cell. */
    public static final String MAX = "max";
    /** Before a fault: a snapshot. */
    public static final String SNAPSHOT = "snapshot";
    /** Before a fault: a snapshot, and a purge of the log before it. */
    public static final String PURGE = "purge";

    static final String IMAGE_LIVENESS_KEY = "aeron.image.liveness.timeout";

    private static final String TIME = "a time above 0, as in 5s";
    private static final int MOST_MEMBERS = 9;
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;

    private final boolean isOfSystem;
    private final String defaultText;
    private final String allowed;
    private final UnaryOperator<String> parser;

    Dimension(final boolean isOfSystem, final Setting<?> setting)
    {
        this(
            isOfSystem, setting.defaultText(), setting.allowed(),
            (text) -> String.valueOf(setting.parser().apply(text)));
    }

    Dimension(
        final boolean isOfSystem, final String defaultText, final String allowed, final UnaryOperator<String> parser)
    {
        this.isOfSystem = isOfSystem;
        this.defaultText = defaultText;
        this.allowed = allowed;
        this.parser = parser;
    }

    /** Key in a sweep file: lower case with dashes. */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Values of a cell with the client's driver in place of the members'. */
    static Map<Dimension, String> ofClient(final Map<Dimension, String> values)
    {
        final Map<Dimension, String> own = new EnumMap<>(values);
        if (!SAME.equals(values.get(CLIENT_DRIVER)))
        {
            own.put(DRIVER, values.get(CLIENT_DRIVER));
        }
        return own;
    }

    /** All keys, separated by commas. */
    static String keys()
    {
        return Stream.of(values()).map(Dimension::key).collect(Collectors.joining(", "));
    }

    /** Whether another value needs another cluster, or other servers. */
    public boolean isOfSystem()
    {
        return isOfSystem;
    }

    String defaultText()
    {
        return defaultText;
    }

    /** Whether a value in canonical form is the default. */
    boolean isDefault(final String value)
    {
        return parse(defaultText).equals(value);
    }

    /** Canonical form of a value, so that 8k and 8192 are the same cell. */
    public String parse(final String text)
    {
        try
        {
            return parser.apply(text.trim());
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(key(), text.trim(), allowed);
        }
    }

    private static String transport(final String text)
    {
        final Set<String> names = new HashSet<>();
        new TransportNames().forEach(names::add);
        // Its echo has no process, and no setting to compare.
        names.remove(TransportNames.MEMORY);
        if (!names.contains(text))
        {
            throw new IllegalArgumentException();
        }

        return TransportNames.isCluster(text) ? TransportNames.CLUSTER : text;
    }

    private static String members(final String text)
    {
        final int count = Integer.parseInt(text);
        if (count < 1 || count > MOST_MEMBERS)
        {
            throw new IllegalArgumentException();
        }

        return String.valueOf(count);
    }

    private static String yesOrNo(final String text)
    {
        if (!Set.of("yes", "no").contains(text))
        {
            throw new IllegalArgumentException();
        }

        return text;
    }

    private static String placement(final String text)
    {
        if (Set.of(Placement.NONE, Placement.CLUSTER, Placement.PARTITION).contains(text))
        {
            return text;
        }

        final Path file = Path.of(text).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file))
        {
            throw new IllegalArgumentException();
        }

        return file.toString();
    }

    private static String interval(final String text)
    {
        if (NONE.equals(text))
        {
            return text;
        }

        return time(text);
    }

    private static String time(final String text)
    {
        final long timeNs = Quantity.parseDurationNs(text);
        if (timeNs < 1)
        {
            throw new IllegalArgumentException();
        }

        return timeNs % NS_PER_MS != 0 ? timeNs + "ns" :
            timeNs % NS_PER_S != 0 ? timeNs / NS_PER_MS + "ms" : timeNs / NS_PER_S + "s";
    }

    private static String fault(final String text)
    {
        if (!text.matches("[a-z-]+(:[-+0-9.a-z%]+)?"))
        {
            throw new IllegalArgumentException();
        }

        return text;
    }

    private static String beforeFault(final String text)
    {
        if (!Set.of(NONE, SNAPSHOT, PURGE).contains(text))
        {
            throw new IllegalArgumentException();
        }

        return text;
    }

    private static String churn(final String text)
    {
        final long ratePerSecond = "0".equals(text) ? 0 : Quantity.parseRate(text);
        if (ratePerSecond > ChurnConfig.MAX_RATE)
        {
            throw new IllegalArgumentException();
        }

        return String.valueOf(ratePerSecond);
    }

    private static String size(final String text)
    {
        final long lengthBytes = Quantity.parseSize(text);
        if (lengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new IllegalArgumentException();
        }

        return String.valueOf(lengthBytes);
    }

    private static String rate(final String text)
    {
        if (MAX.equals(text))
        {
            return text;
        }
        if (!text.endsWith("%"))
        {
            return String.valueOf(Quantity.parseRate(text));
        }

        final double share = Quantity.parseShare(text);
        if (share <= 0)
        {
            throw new IllegalArgumentException();
        }

        return String.valueOf(Math.round(share * 1e4) / 1e2).replaceFirst("\\.0$", "") + "%";
    }
}
