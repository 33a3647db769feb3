package io.clusterecho.client.transport.cluster;

import java.util.Locale;
import java.util.Optional;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.settings.Quantity;

import org.agrona.BitUtil;

/**
 * A stream that carries messages over a distance. At no time may more of it be under way than the receiver's window, which is
 * half a term at the most; and the sender hears of what was received when another quarter of the window was. So three quarters
 * of the smaller of both are what it can count on for each round trip. A stream that needs more loses rate and says nothing.
 *
 * @param name           of the stream.
 * @param bytesPerSecond that it must carry.
 * @param roundTripNs    from its sender to its receiver and back.
 * @param windowLength   of its receiver in bytes.
 * @param windowAdvice   what makes the window longer.
 * @param termLength     in bytes.
 * @param termAdvice     what makes terms longer.
 */
public record StreamFlow(
    String name,
    double bytesPerSecond,
    long roundTripNs,
    long windowLength,
    String windowAdvice,
    long termLength,
    String termAdvice)
{
    private static final long MIN_TERM_LENGTH = 64 * 1024;
    private static final long MAX_TERM_LENGTH = 1L << 30;
    private static final int SESSION_HEADER_LENGTH = 32;
    private static final double USABLE_PART = 0.75;

    /**
     * What a message takes in a stream of the cluster, with all headers.
     *
     * @param messageLength in bytes.
     * @param mtuLength     in bytes.
     * @return in bytes.
     */
    public static long frameLength(final long messageLength, final long mtuLength)
    {
        return LogBufferDescriptor.computeFragmentedFrameLength(
            (int)messageLength + SESSION_HEADER_LENGTH, (int)mtuLength - DataHeaderFlyweight.HEADER_LENGTH);
    }

    /**
     * Least terms that a rate over a distance needs.
     *
     * @param bytesPerSecond as above.
     * @param roundTripNs    as above.
     * @return in bytes, a power of two that Aeron allows.
     */
    public static long termLength(final double bytesPerSecond, final long roundTripNs)
    {
        final double needed = 2 * bytesPerSecond * roundTripNs / 1e9 / USABLE_PART;
        return BitUtil.findNextPositivePowerOfTwo(
            (long)Math.max(MIN_TERM_LENGTH, Math.min(MAX_TERM_LENGTH, Math.ceil(needed))));
    }

    /**
     * What must be under way at once.
     *
     * @return in bytes.
     */
    public long underWayLength()
    {
        return (long)Math.ceil(bytesPerSecond * roundTripNs / 1e9);
    }

    /**
     * What may be under way at once, and be counted on.
     *
     * @return in bytes.
     */
    public long bearableLength()
    {
        return (long)(USABLE_PART * Math.min(windowLength, termLength / 2));
    }

    /**
     * Whether it is held back, with what to change.
     *
     * @return a sentence, or empty if it is not.
     */
    public Optional<String> warning()
    {
        if (underWayLength() <= bearableLength())
        {
            return Optional.empty();
        }

        final boolean isTermShort = termLength < termLength(bytesPerSecond, roundTripNs);
        final boolean isWindowShort = underWayLength() > USABLE_PART * windowLength;
        return Optional.of(String.format(
            Locale.ROOT,
            "the %s is held back: its rate over a round trip of %s needs %,d bytes under way, and a window of %,d with terms " +
            "of %,d bear %,d, or %.0f%% of the rate: %s%s%s",
            name, Quantity.formatNs(roundTripNs), underWayLength(), windowLength, termLength, bearableLength(),
            100.0 * bearableLength() / underWayLength(),
            isTermShort ? termAdvice + " of " + termLength(bytesPerSecond, roundTripNs) : "",
            isTermShort && isWindowShort ? "; " : "",
            isWindowShort ? windowAdvice : ""));
    }
}
