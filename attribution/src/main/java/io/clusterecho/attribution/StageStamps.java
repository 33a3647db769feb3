package io.clusterecho.attribution;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StageTimesDecoder;

import org.agrona.DirectBuffer;

/** The times at which the leader had a message in each stage, as a reply carries them; of the reply that was read last. */
public final class StageStamps
{
    /** Length in bytes of the stage times after a reply. */
    public static final int LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + StageTimesDecoder.BLOCK_LENGTH;

    private final StageTimesDecoder stamps = new StageTimesDecoder();
    private final long clockId = MonotonicClock.id();

    /**
     * Read what follows a reply; false if it has not all times.
     *
     * @param length after the reply, in bytes: {@link #LENGTH}, or 0 without stage times.
     */
    public boolean read(final DirectBuffer buffer, final int offset, final int length)
    {
        if (LENGTH != length || StageTimesDecoder.TEMPLATE_ID != EchoMessage.templateId(buffer, offset) ||
            StageTimesDecoder.SCHEMA_ID != EchoMessage.schemaId(buffer, offset))
        {
            return false;
        }

        stamps.wrap(
            buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, StageTimesDecoder.BLOCK_LENGTH,
            StageTimesDecoder.SCHEMA_VERSION);
        return StageTimesDecoder.loggedNullValue() != loggedNs() && StageTimesDecoder.committedNullValue() != committedNs();
    }

    /** Whether the times are from the clock of this process. */
    public boolean isSameClock()
    {
        return MonotonicClock.UNKNOWN != clockId && clockId == stamps.clock();
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
