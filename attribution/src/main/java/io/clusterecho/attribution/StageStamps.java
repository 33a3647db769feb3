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
            StageTimesDecoder.loggedNullValue() != loggedNs() && StageTimesDecoder.committedNullValue() != committedNs();
    }

    /** Whether the times are from the clock of this process. */
    public boolean isSameClock()
    {
        return MonotonicClock.UNKNOWN != CLOCK_ID && CLOCK_ID == stamps.clock();
    }

    /** When the leader read the message from its ingress; like the next three, on the leader's clock. */
    public long takenNs()
    {
        return stamps.taken();
    }

    /** When the leader's archive had recorded it. */
    public long loggedNs()
    {
        return stamps.logged();
    }

    /** When it was committed. */
    public long committedNs()
    {
        return stamps.committed();
    }

    /** When it was delivered to the service. */
    public long servedNs()
    {
        return stamps.served();
    }
}
