package io.clusterecho.reporting.measurement;

/**
 * A kind of message in a load: those of one length, of one range of lengths, or of one {@code --kind}. A kind of reply of another
 * service than the echo has a name alone.
 *
 * @param name           as the user gave it, or its lengths.
 * @param minLengthBytes of the shortest message, header included.
 * @param maxLengthBytes of the longest message, header included.
 * @param ratePerSecond  target rate of the kind; those of all kinds add up to that of the load.
 */
public record MessageKind(String name, int minLengthBytes, int maxLengthBytes, double ratePerSecond)
{
    /** Mean length in bytes of a message, as lengths within a kind are equally likely. */
    public double meanLengthBytes()
    {
        return (minLengthBytes + (double)maxLengthBytes) / 2;
    }

    /** Its lengths in bytes, as in {@code 288} or {@code 65536..1048576}. */
    public String lengths()
    {
        return minLengthBytes == maxLengthBytes ? String.valueOf(minLengthBytes) : minLengthBytes + ".." + maxLengthBytes;
    }

    /** As {@code --kind} reads it. */
    @Override
    public String toString()
    {
        return name + ":" + (long)ratePerSecond + ":" + lengths();
    }
}
