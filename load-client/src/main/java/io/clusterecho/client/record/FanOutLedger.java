package io.clusterecho.client.record;

/**
 * Which receivers have a copy of which message: a bit for each receiver and message, and a byte for each message. For the one
 * thread that receives; does not allocate after construction.
 */
public final class FanOutLedger
{
    public static final int MAX_RECEIVERS = 100;

    private final Ledger.MessageSet[] received;
    private final byte[] counts;

    /**
     * A ledger in which nobody has received anything: of up to {@link #maxMessageCount()} messages, warm-up included, and 1 to
     * {@link #MAX_RECEIVERS} receivers.
     */
    public FanOutLedger(final long messageCount, final int receiverCount)
    {
        received = new Ledger.MessageSet[receiverCount];
        for (int i = 0; i < receiverCount; i++)
        {
            received[i] = new Ledger.MessageSet(messageCount);
        }
        counts = new byte[Math.toIntExact(messageCount)];
    }

    public static long maxMessageCount()
    {
        return Integer.MAX_VALUE - 8;
    }

    /** Memory that a ledger needs, in bytes. */
    public static long lengthBytes(final long messageCount, final int receiverCount)
    {
        return messageCount + messageCount / 8 * receiverCount;
    }

    /** A receiver received a copy; true for its first of this message, false for a further one. */
    public boolean onReceived(final int receiver, final long index)
    {
        final boolean isFirst = received[receiver].add(index);
        if (isFirst)
        {
            counts[(int)index]++;
        }

        return isFirst;
    }

    public boolean isReceived(final int receiver, final long index)
    {
        return received[receiver].contains(index);
    }

    public boolean isComplete(final long index)
    {
        return received.length == counts[(int)index];
    }
}
