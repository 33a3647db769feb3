package io.clusterecho.client.run;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.logbuffer.FrameDescriptor;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** Lengths of the messages of a load: a mix by weights, or kinds with rates of their own. */
public record MixConfig(List<Kind> kinds, boolean isOfKinds)
{
    /** Aeron's own limit in bytes, less the session header in front of each message of a cluster. */
    public static final int MAX_LENGTH = FrameDescriptor.MAX_MESSAGE_LENGTH - AeronCluster.SESSION_HEADER_LENGTH;

    public static final String LENGTHS_ALLOWED =
        "a length or a range of lengths in bytes from " + EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH +
        ", or several with weights, as in 288, 64k..1m or 288*90,1344*9,16k*1; at most " +
        Messages.MAX_KINDS + ", each once, with whole weights from 1 to 1000000";

    public static final String KIND_ALLOWED =
        "NAME:RATE:LENGTH with a name of letters, digits, dashes and underscores, messages per second, and a length or a range " +
        "of lengths in bytes from " + EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH + ", as in orders:10k:288";

    private static final long MAX_RATE = 1_000_000_000L;
    private static final Pattern KIND_PATTERN = Pattern.compile("([A-Za-z0-9_-]{1,32}):([^:]+):([^:]+)");
    private static final Pattern WEIGHTED_PATTERN = Pattern.compile("([^*]+)(?:\\*([0-9]{1,7}))?");
    private static final long MAX_WEIGHT = 1_000_000;

    /** A length, header included, or a range of equally likely lengths. */
    public record Range(int minBytes, int maxBytes)
    {
        private static Range parse(final String text)
        {
            final String[] ends = text.split("\\.\\.", -1);
            final long min = Quantity.parseSize(ends[0]);
            final long max = Quantity.parseSize(ends[ends.length - 1]);
            IllegalArgument.throwIf(ends.length > 2 || min < EchoMessage.MIN_LENGTH || max < min || max > MAX_LENGTH, text);

            return new Range((int)min, (int)max);
        }

        @Override
        public String toString()
        {
            return minBytes == maxBytes ? String.valueOf(minBytes) : minBytes + ".." + maxBytes;
        }
    }

    /**
     * A kind of message, or lengths with a weight.
     *
     * @param rate messages per second of a kind; a weight relative to the sum of all weights.
     */
    public record Kind(String name, long rate, Range range)
    {
        /** Read a kind, such as {@code orders:10k:288}; the message of an exception is what is allowed. */
        public static Kind parse(final String text)
        {
            return parsed(text, KIND_PATTERN, KIND_ALLOWED, (found) ->
                new Kind(found.group(1), Quantity.parseRate(found.group(2)), Range.parse(found.group(3))));
        }

        private static Kind parseWeighted(final String text)
        {
            return parsed(text, WEIGHTED_PATTERN, LENGTHS_ALLOWED, (found) ->
            {
                final long weight = null == found.group(2) ? 1 : Long.parseLong(found.group(2));
                IllegalArgument.throwIf(weight < 1 || weight > MAX_WEIGHT, text);
                return weighted(Range.parse(found.group(1)), weight);
            });
        }

        private static Kind weighted(final Range range, final long weight)
        {
            return new Kind(range.toString(), weight, range);
        }

        @Override
        public String toString()
        {
            return name + ":" + rate + ":" + range;
        }
    }

    /** Messages of one length, header included. */
    public static MixConfig ofLength(final long lengthBytes)
    {
        InvalidSettingException.throwIf(
            lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > MAX_LENGTH, LoadConfig.SIZE, lengthBytes,
            EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH + " bytes");

        return new MixConfig(List.of(Kind.weighted(new Range((int)lengthBytes, (int)lengthBytes), 1)), false);
    }

    /** Read lengths with weights, such as {@code 288*90,1344*9,16k*1}; the message of an exception is what is allowed. */
    public static MixConfig parse(final String text)
    {
        final List<Kind> lengths = Stream.of(text.split(",", -1)).map(Kind::parseWeighted).toList();
        IllegalArgument.throwIf(
            lengths.size() > Messages.MAX_KINDS || lengths.stream().map(Kind::range).distinct().count() < lengths.size(),
            LENGTHS_ALLOWED);

        return new MixConfig(lengths, false);
    }

    /** Kinds with their own rates, at least one. */
    public static MixConfig of(final List<Kind> kinds)
    {
        final Set<String> names = new HashSet<>();
        for (final Kind kind : kinds)
        {
            InvalidSettingException.throwIf(!names.add(kind.name), LoadConfig.KIND, kind, "a name of its own for each kind");
        }
        if (kinds.size() > Messages.MAX_KINDS)
        {
            throw new InvalidSettingException(
                LoadConfig.KIND, kinds.get(Messages.MAX_KINDS), "at most " + Messages.MAX_KINDS + " kinds");
        }
        final MixConfig mix = new MixConfig(List.copyOf(kinds), true);
        InvalidSettingException.throwIf(
            mix.sumOfRates() > MAX_RATE, LoadConfig.KIND, kinds.get(kinds.size() - 1),
            "a sum of the rates of all kinds of at most " + MAX_RATE + "/s");
        return mix;
    }

    /** Sum of the rates of all kinds, or of all weights. */
    long sumOfRates()
    {
        return kinds.stream().mapToLong(Kind::rate).sum();
    }

    /** The only length of all messages, in bytes. */
    public int onlyLengthBytes(final String command)
    {
        final int minBytes = kinds.stream().mapToInt((kind) -> kind.range.minBytes).min().orElseThrow();
        InvalidSettingException.throwIf(
            minBytes != maxLengthBytes(), isOfKinds ? LoadConfig.KIND : LoadConfig.SIZE, isOfKinds ? kinds.get(0) : this,
            "one length for " + command);

        return minBytes;
    }

    @Override
    public String toString()
    {
        return kinds.stream().map((one) -> 1 == kinds.size() ? one.range.toString() : one.range + "*" + one.rate)
            .collect(Collectors.joining(","));
    }

    int maxLengthBytes()
    {
        return kinds.stream().mapToInt((kind) -> kind.range.maxBytes).max().orElseThrow();
    }

    /** @param isEven whether messages have equal intervals; kinds with rates of their own then come at nearly equal ones. */
    Messages messages(final long ratePerSecond, final long seed, final boolean isEven)
    {
        final double sumOfWeights = sumOfRates();
        return new Messages(kinds.stream().map((kind) -> new MessageKind(
            kind.name, kind.range.minBytes, kind.range.maxBytes,
            isOfKinds ? kind.rate : ratePerSecond * (kind.rate / sumOfWeights))).toList(), seed, isEven && isOfKinds);
    }

    private static Kind parsed(
        final String text, final Pattern pattern, final String allowed, final Function<Matcher, Kind> parser)
    {
        final Matcher matcher = pattern.matcher(text.trim());
        try
        {
            if (matcher.matches())
            {
                return parser.apply(matcher);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(allowed, ex);
        }
        throw new IllegalArgumentException(allowed);
    }
}
