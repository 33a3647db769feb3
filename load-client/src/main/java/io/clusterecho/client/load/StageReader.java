package io.clusterecho.client.load;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.reporting.measurement.StageTimes;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StageTimesDecoder;

import org.agrona.DirectBuffer;

/** Reads the stage times that follow replies. For the thread of the agent; does not allocate. */
final class StageReader
{
    /** Length in bytes of the stage times after a reply. */
    static final int LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + StageTimesDecoder.BLOCK_LENGTH;

    private final StageTimes times;
    private final long clockId;
    private final StageTimesDecoder stamps = new StageTimesDecoder();

    StageReader(final StageTimes times)
    {
        this(times, MonotonicClock.id());
    }

    StageReader(final StageTimes times, final long clockId)
    {
        this.times = times;
        this.clockId = clockId;
    }

    /**
     * The first reply to a measured message was received.
     *
     * @param offset      after the reply, in bytes.
     * @param length      after the reply, in bytes: {@link #LENGTH}, or 0 without stage times.
     */
    void onAnswered(
        final DirectBuffer buffer, final int offset, final int length, final long sendNs, final long receiveNs)
    {
        if (LENGTH == length && StageTimesDecoder.TEMPLATE_ID == EchoMessage.templateId(buffer, offset) &&
            StageTimesDecoder.SCHEMA_ID == EchoMessage.schemaId(buffer, offset))
        {
            stamps.wrap(
                buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, StageTimesDecoder.BLOCK_LENGTH,
                StageTimesDecoder.SCHEMA_VERSION);
            final long loggedNs = stamps.logged();
            final long committedNs = stamps.committed();
            if (StageTimesDecoder.loggedNullValue() != loggedNs && StageTimesDecoder.committedNullValue() != committedNs)
            {
                times.onStamps(
                    MonotonicClock.UNKNOWN != clockId && clockId == stamps.clock(), sendNs, stamps.taken(), loggedNs, committedNs,
                    stamps.served(), receiveNs);
                return;
            }
        }

        times.onUnstamped();
    }
}
