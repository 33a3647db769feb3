package io.clusterecho.attribution;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StageTimesDecoder;

import org.agrona.DirectBuffer;

/** The times at which the leader had a message in each stage, as its mark has them; of the mark that was read last. */
public final class StageStamps
{
    /** Length in bytes of a mark. */
    public static final int LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + StageTimesDecoder.BLOCK_LENGTH + Integer.BYTES;

    private static final long CLOCK_ID = MonotonicClock.id();
    private final StageTimesDecoder stamps = new StageTimesDecoder();

    /** Whether a message is a mark: stage times, and the CRC32C of the request that they are of. */
    public static boolean isMark(final DirectBuffer buffer, final int offset, final int length)
    {
        return LENGTH == length && StageTimesDecoder.TEMPLATE_ID == EchoMessage.templateId(buffer, offset) &&
            StageTimesDecoder.SCHEMA_ID == EchoMessage.schemaId(buffer, offset);
    }

    /** Read a mark; false if it is not of the request with this CRC32C, or has not all times. */
    public boolean read(final DirectBuffer buffer, final int offset, final int check)
    {
        stamps.wrap(
            buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, StageTimesDecoder.BLOCK_LENGTH,
            StageTimesDecoder.SCHEMA_VERSION);
        return check == buffer.getInt(offset + LENGTH - Integer.BYTES, LITTLE_ENDIAN) &&
            StageTimesDecoder.loggedNullValue() != stamps.logged() &&
            StageTimesDecoder.committedNullValue() != stamps.committed();
    }

    /** Whether the times are from the clock of this process. */
    boolean isSameClock()
    {
        return MonotonicClock.UNKNOWN != CLOCK_ID && CLOCK_ID == stamps.clock();
    }

    /**
     * Divide the time from send to receive time, which are on the clock of this process, into the parts between them.
     *
     * @param partsNs receives these by their ordinal numbers, {@link SlowestMessages#UNKNOWN_NS} for those that are not known.
     * @return whether the times are in order.
     */
    boolean divide(final long sendNs, final long receiveNs, final long[] partsNs)
    {
        final boolean isSameClock = isSameClock();
        final long bothWaysNs = receiveNs - sendNs - (stamps.served() - stamps.taken());
        partsNs[Part.UNKNOWN.ordinal()] = isSameClock ? SlowestMessages.UNKNOWN_NS : bothWaysNs;
        partsNs[Part.TO_LEADER.ordinal()] = isSameClock ? stamps.taken() - sendNs : SlowestMessages.UNKNOWN_NS;
        partsNs[Part.LOG.ordinal()] = stamps.logged() - stamps.taken();
        partsNs[Part.QUORUM.ordinal()] = stamps.committed() - stamps.logged();
        partsNs[Part.TO_SERVICE.ordinal()] = stamps.served() - stamps.committed();
        partsNs[Part.TO_CLIENT.ordinal()] = isSameClock ? receiveNs - stamps.served() : SlowestMessages.UNKNOWN_NS;
        return stamps.taken() <= stamps.logged() && stamps.logged() <= stamps.committed() &&
            stamps.committed() <= stamps.served() && bothWaysNs >= 0 &&
            (!isSameClock || stamps.taken() >= sendNs && receiveNs >= stamps.served());
    }
}
