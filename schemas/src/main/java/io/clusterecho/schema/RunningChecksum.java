package io.clusterecho.schema;

/**
 * A 64-bit running checksum over applied messages, in order, so that two members (or a member and an audit of the log) can
 * compare histories by one number.
 * <pre>
 *   mix(z)                            z = (z ^ z &gt;&gt;&gt; 30) * 0xbf58476d1ce4e5b9
 *                                     z = (z ^ z &gt;&gt;&gt; 27) * 0x94d049bb133111eb
 *                                     z ^ z &gt;&gt;&gt; 31
 *   next(previous, sequence, check) = mix(mix(previous + G ^ sequence) ^ check)       G = 0x9e3779b97f4a7c15
 *   fold(previous, value)           = mix(mix(previous + G) ^ value)
 * </pre>
 * The check is the message's CRC32C, unsigned. Both start at 0. The multipliers are variant 13 of David Stafford's study of
 * 64-bit finalizers (2011), as in SplitMix64; G is the golden ratio in 64 bits and keeps a run of zeros from staying zero. The
 * checksum depends on the order of the messages.
 * <p>
 * Not cryptographic. All methods are static, do not allocate, and are thread-safe.
 */
public final class RunningChecksum
{
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    /** Checksum of a client after one more of its messages was applied; the check is an unsigned 32-bit value in an int. */
    public static long next(final long previous, final long sequence, final int check)
    {
        return mix(mix((previous + GOLDEN_GAMMA) ^ sequence) ^ (check & 0xFFFF_FFFFL));
    }

    /** Fold one more value into a checksum. */
    public static long fold(final long previous, final long value)
    {
        return mix(mix(previous + GOLDEN_GAMMA) ^ value);
    }

    private static long mix(final long value)
    {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
