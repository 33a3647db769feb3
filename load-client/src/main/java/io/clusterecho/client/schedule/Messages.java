package io.clusterecho.client.schedule;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.logbuffer.FrameDescriptor;

import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

/**
 * The messages of a load: each is of a kind with the probability of the kind's share of the rate, whatever the others are, and
 * has a length of its kind. Both are functions of its index and the seed, or recorded in a {@link Trace}. Kinds are lengths with
 * weights, which share the rate of a load, or have names and rates of their own. Immutable; does not allocate.
 */
public sealed class Messages permits Trace.Replayed, EncodedMessages
{
    /** Maximum number of kinds; each has histograms of its own. */
    public static final int MAX_KINDS = 32;

    /** Aeron's own limit in bytes, less the session header in front of each message of a cluster. */
    public static final int MAX_LENGTH = FrameDescriptor.MAX_MESSAGE_LENGTH - AeronCluster.SESSION_HEADER_LENGTH;

    static final String LENGTHS_ALLOWED =
        "a length or a range of lengths in bytes from " + EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH +
        ", or several with weights, as in 288, 64k..1m or 288*90,1344*9,16k*1; at most " +
        MAX_KINDS + ", each once, with whole weights from 1 to 1000000";

    static final String KIND_ALLOWED =
        "NAME:RATE:LENGTH with a name of letters, digits, dashes and underscores, messages per second, and a length or a range " +
        "of lengths in bytes from " + EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH + ", as in orders:10k:288";

    private static final Pattern KIND_PATTERN = Pattern.compile("([A-Za-z0-9_-]{1,32}):([^:]+):([^:]+)");
    private static final Pattern WEIGHTED_PATTERN = Pattern.compile("([^*]+)(?:\\*([0-9]{1,7}))?");
    private static final long MAX_WEIGHT = 1_000_000;
    private static final int KIND_SERIES = 1;
    private static final int LENGTH_SERIES = 2;

    private final List<MessageKind> kinds;
    private final double[] cumulativeShares;
    private final int[] minLengthsBytes;
    private final int[] lengthCounts;
    private final boolean isEven;
    private final long kindSeed;
    private final long lengthSeed;

    /**
     * Messages of kinds with rates from 0 and a sum above 0; the same seed yields the same messages.
     *
     * @param isEven whether each kind comes at nearly equal distances; otherwise the kind of each message is drawn.
     */
    public Messages(final List<MessageKind> kinds, final long seed, final boolean isEven)
    {
        final double wholeRate = wholeRate(kinds);
        IllegalArgument.throwIf(
            !(wholeRate > 0) || kinds.size() > MAX_KINDS || kinds.stream().anyMatch((kind) -> kind.ratePerSecond() < 0),
            "kinds=" + kinds + ", allowed 1 to " + MAX_KINDS + " with a rate above 0");

        this.kinds = List.copyOf(kinds);
        this.isEven = isEven;
        kindSeed = Draw.series(seed, KIND_SERIES);
        lengthSeed = Draw.series(seed, LENGTH_SERIES);
        minLengthsBytes = kinds.stream().mapToInt(MessageKind::minLengthBytes).toArray();
        lengthCounts = kinds.stream().mapToInt((kind) -> kind.maxLengthBytes() - kind.minLengthBytes() + 1).toArray();
        cumulativeShares = new double[kinds.size()];
        double sum = 0;
        for (int i = 0; i < cumulativeShares.length; i++)
        {
            sum += kinds.get(i).ratePerSecond();
            cumulativeShares[i] = sum / wholeRate;
        }
    }

    /** Read lengths with weights, such as {@code 288*90,1344*9,16k*1}; the message of an exception is what is allowed. */
    public static Messages parse(final String text)
    {
        final List<MessageKind> lengths = Stream.of(text.split(",", -1))
            .map((one) -> parsed(one, WEIGHTED_PATTERN, LENGTHS_ALLOWED, (found) ->
            {
                final long weight = null == found.group(2) ? 1 : Long.parseLong(found.group(2));
                IllegalArgument.throwIf(weight < 1 || weight > MAX_WEIGHT, one);
                return ranged(null, weight, found.group(1));
            })).toList();
        IllegalArgument.throwIf(
            lengths.size() > MAX_KINDS || lengths.stream().map(MessageKind::name).distinct().count() < lengths.size(),
            LENGTHS_ALLOWED);

        return new Messages(lengths, 0, false);
    }

    /** Read a kind with a rate of its own, such as {@code orders:10k:288}; the message of an exception is what is allowed. */
    public static MessageKind parseKind(final String text)
    {
        return parsed(text, KIND_PATTERN, KIND_ALLOWED, (found) ->
            ranged(found.group(1), Quantity.parseRate(found.group(2)), found.group(3)));
    }

    /** Messages of the same lengths, whose weights are their shares of a rate; the same seed yields the same messages. */
    public Messages at(final long ratePerSecond, final long seed)
    {
        final double sumOfWeights = wholeRate(kinds);
        return new Messages(kinds.stream().map((kind) -> new MessageKind(
            kind.name(), kind.minLengthBytes(), kind.maxLengthBytes(),
            ratePerSecond * (kind.ratePerSecond() / sumOfWeights))).toList(), seed, false);
    }

    /** Messages of one length, header included. */
    public static Messages ofLength(final int lengthBytes, final double ratePerSecond)
    {
        return new Messages(
            List.of(new MessageKind(String.valueOf(lengthBytes), lengthBytes, lengthBytes, ratePerSecond)), 0, false);
    }

    /** Kinds of messages, at least one, in the order of results. */
    public List<MessageKind> kinds()
    {
        return kinds;
    }

    /** Kinds of replies; none of an echo, which has one. */
    public List<MessageKind> replyKinds()
    {
        return List.of();
    }

    /** Length of the longest message in bytes. */
    public int maxLengthBytes()
    {
        return kinds.stream().mapToInt(MessageKind::maxLengthBytes).max().orElseThrow();
    }

    /** Kind of message n, from 0: its index in {@link #kinds()}. */
    public int kindOf(final long index)
    {
        final int last = cumulativeShares.length - 1;
        if (0 == last)
        {
            return 0;
        }
        final double drawn = isEven ? Draw.even(kindSeed, index) : Draw.uniform(kindSeed, index);
        int kind = 0;
        while (kind < last && drawn > cumulativeShares[kind])
        {
            kind++;
        }

        return kind;
    }

    /** Length of message n, from 0, header included. */
    public int lengthBytes(final long index)
    {
        final int kind = kindOf(index);
        return 1 == lengthCounts[kind] ? minLengthsBytes[kind] :
            minLengthsBytes[kind] + (int)Draw.below(lengthSeed, index, lengthCounts[kind]);
    }

    /** Lengths with weights as {@link #parse} reads them. */
    @Override
    public String toString()
    {
        return kinds.stream().map((one) -> 1 == kinds.size() ? one.lengths() : one.lengths() + "*" + (long)one.ratePerSecond())
            .collect(Collectors.joining(","));
    }

    private static double wholeRate(final List<MessageKind> kinds)
    {
        return kinds.stream().mapToDouble(MessageKind::ratePerSecond).sum();
    }

    private static MessageKind parsed(
        final String text, final Pattern pattern, final String allowed, final Function<Matcher, MessageKind> parser)
    {
        final Matcher matcher = pattern.matcher(text.trim());
        IllegalArgument.throwIf(!matcher.matches(), allowed);
        try
        {
            return parser.apply(matcher);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(allowed, ex);
        }
    }

    /** @param name of a kind, or null for one that is named by its lengths. */
    private static MessageKind ranged(final String name, final long rate, final String lengths)
    {
        final String[] ends = lengths.split("\\.\\.", -1);
        final long min = Quantity.parseSize(ends[0]);
        final long max = Quantity.parseSize(ends[ends.length - 1]);
        IllegalArgument.throwIf(ends.length > 2 || min < EchoMessage.MIN_LENGTH || max < min || max > MAX_LENGTH, lengths);
        final MessageKind kind = new MessageKind(name, (int)min, (int)max, rate);
        return null == name ? new MessageKind(kind.lengths(), (int)min, (int)max, rate) : kind;
    }
}
