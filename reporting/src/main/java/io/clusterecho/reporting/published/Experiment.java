package io.clusterecho.reporting.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one figure measures, of this project or of a report, in terms that both use. Two figures are of the same experiment if all
 * of these are equal. An empty value of a published experiment means that its report does not state it, which counts as a
 * difference, except for the message length: that is named beside a ratio instead.
 *
 * @param system      that was measured, with its media driver and durability where it has such.
 * @param callStyle   how messages are exchanged, one of the constants here.
 * @param content     of a message, one of the constants here.
 * @param load        open or closed loop, with its rate, or the number of messages in flight.
 * @param settings    by name, such as MTU, demand and the version of a library. One that a report does not state is named beside
 *                    a ratio.
 */
public record Experiment(
    String system, String callStyle, String content, String lengthBytes, String load, String metric,
    Map<String, String> settings)
{
    /** Maximum length of a datagram of Aeron in bytes. */
    public static final String MTU = "MTU";
    /** Messages that the receiver of a stream of gRPC requests at once. */
    public static final String DEMAND = "demand";
    /** Version of KryoNet's serializer. */
    public static final String KRYO = "Kryo";
    /** What KryoNet's sender of prices lets wait in its write buffer. */
    public static final String QUEUED = "queued";

    /** A reply for each request, on a session that carries many. */
    public static final String REQUEST_RESPONSE = "request/response";
    public static final String UNARY = "unary calls";
    public static final String BIDIRECTIONAL = "a stream in both directions";
    public static final String ONE_WAY = "one way";
    public static final String SERVER_STREAM = "a stream for one request";

    public static final String BYTES = "bytes";
    public static final String PRICE = "a price of one long and five ints, serialized by the system";
    public static final String PROTOBUF_BYTES = "bytes in a Protobuf message";
    public static final String PING = "a small ping";

    public static final String FULL_SPEED = "full speed";
    public static final String THROUGHPUT = "messages/s";

    private static final String LENGTH = "message length";

    public static String openLoop(final String ratePerSecond)
    {
        return "open loop at " + ratePerSecond + "/s";
    }

    public static String closedLoop(final long concurrency)
    {
        return "closed loop, " + concurrency + " in flight";
    }

    public static String prices(final long count)
    {
        return count + " prices";
    }

    /** The metric of a search for the highest rate with a condition such as {@code p99<1ms}. */
    public static String highestRate(final String condition)
    {
        return "highest rate with " + condition;
    }

    /** How this experiment of this project differs from a published one: a phrase for each difference. */
    public List<String> differencesFrom(final Experiment published)
    {
        final List<String> differences = new ArrayList<>();
        add(differences, "system", system, published.system);
        add(differences, "call style", callStyle, published.callStyle);
        add(differences, "message", content, published.content);
        add(differences, LENGTH, lengthBytes, published.lengthBytes);
        add(differences, "load", load, published.load);
        add(differences, "metric", metric, published.metric);
        new TreeMap<>(published.settings).forEach(
            (name, theirs) -> add(differences, name, settings.getOrDefault(name, "not set"), theirs));
        return differences;
    }

    /** What the report of a published experiment does not state although a ratio may be shown beside it. */
    List<String> notStatedBy(final Experiment published)
    {
        final List<String> names = new ArrayList<>(published.lengthBytes.isEmpty() ? List.of(LENGTH) : List.of());
        settings.keySet().stream().filter((name) -> !published.settings.containsKey(name)).sorted().forEach(names::add);
        return names;
    }

    private static void add(final List<String> differences, final String name, final String ours, final String theirs)
    {
        if (!theirs.equals(ours) && !(theirs.isEmpty() && LENGTH.equals(name)))
        {
            differences.add(
                name + ": " + ours + " here, " + (theirs.isEmpty() ? "not stated" : theirs) + " in the report");
        }
    }
}
