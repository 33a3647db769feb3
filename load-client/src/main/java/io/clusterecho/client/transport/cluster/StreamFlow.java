package io.clusterecho.client.transport.cluster;

import java.util.Optional;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

import org.agrona.BitUtil;

/**
 * Flow control of a stream over a distance. At most the receiver's window, and at most half a term, may be in flight; and the
 * sender learns what was received only after another quarter of the window. So it can rely on three quarters of the smaller of
 * both per round trip. A stream that needs more silently loses rate.
 *
 * @param roundTripNs    between sender and receiver.
 * @param windowLength   of the receiver in bytes.
 * @param windowAdvice   how to enlarge the window.
 * @param termAdvice     how to enlarge terms.
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
    private static final double USABLE_PART = 0.75;

    /** Length of a message in a stream of the cluster, including all headers. */
    public static long frameLength(final long messageLength, final long mtuLength)
    {
        return LogBufferDescriptor.computeFragmentedFrameLength(
            (int)messageLength + AeronCluster.SESSION_HEADER_LENGTH, (int)mtuLength - DataHeaderFlyweight.HEADER_LENGTH);
    }

    /** Smallest term length for a rate and a round trip, in bytes: a power of two that Aeron allows. */
    public static long termLength(final double bytesPerSecond, final long roundTripNs)
    {
        final double needed = 2 * bytesPerSecond * roundTripNs / 1e9 / USABLE_PART;
        return BitUtil.findNextPositivePowerOfTwo(
            (long)Math.max(MIN_TERM_LENGTH, Math.min(MAX_TERM_LENGTH, Math.ceil(needed))));
    }

    /** Bytes that must be in flight for the required rate. */
    public long neededLength()
    {
        return (long)Math.ceil(bytesPerSecond * roundTripNs / 1e9);
    }

    /** Bytes in flight that the stream can rely on. */
    public long sustainedLength()
    {
        return (long)(USABLE_PART * Math.min(windowLength, termLength / 2));
    }

    /** A warning with advice if flow control limits the rate, else empty. */
    public Optional<String> warning()
    {
        if (neededLength() <= sustainedLength())
        {
            return Optional.empty();
        }

        final boolean isTermShort = termLength < termLength(bytesPerSecond, roundTripNs);
        final boolean isWindowShort = neededLength() > USABLE_PART * windowLength;
        return Optional.of(Lines.text(
            "flow control limits the %s: its rate over a round trip of %s needs %,d bytes in flight, but a window of %,d with " +
            "terms of %,d sustains %,d, or %.0f%% of the rate: %s%s%s",
            name, Quantity.formatNs(roundTripNs), neededLength(), windowLength, termLength, sustainedLength(),
            100.0 * sustainedLength() / neededLength(),
            isTermShort ? termAdvice + " of " + termLength(bytesPerSecond, roundTripNs) : "",
            isTermShort && isWindowShort ? "; " : "",
            isWindowShort ? windowAdvice : ""));
    }
}
