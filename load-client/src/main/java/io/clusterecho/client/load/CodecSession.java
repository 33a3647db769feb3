package io.clusterecho.client.load;

import io.clusterecho.client.transport.Transport;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.agrona.DirectBuffer;

/**
 * A session with another service than the echo, whose messages a {@link MessageCodec} knows. The service may answer in any order.
 */
final class CodecSession extends LoadSession implements MessageCodec.Replies
{
    private final MessageCodec codec;
    private final int kindCount;
    private long receiveTimeNs;
    private long arrivalTimeNs;
    private boolean isAnswer;

    CodecSession(final int number, final Transport transport, final Run run, final MessageCodec codec)
    {
        super(number, transport, run);
        this.codec = codec;
        kindCount = codec.replyKinds().size();
    }

    @Override
    int encode(final long index, final long sequence, final long dueNs)
    {
        final int length = codec.encode(index, message, 0);
        if (length < 1 || length > message.capacity())
        {
            throw new IllegalStateException(
                "request " + index + " was encoded with a length of " + length + ", allowed 1 to " + message.capacity());
        }
        return length;
    }

    @Override
    public void onResponse(
        final DirectBuffer buffer, final int offset, final int length, final long newReceiveTimeNs, final long newArrivalTimeNs)
    {
        if (isMark(buffer, offset, length))
        {
            return;
        }

        receiveTimeNs = newReceiveTimeNs;
        arrivalTimeNs = newArrivalTimeNs;
        isAnswer = false;
        try
        {
            codec.decode(buffer, offset, length, this);
            if (!isAnswer)
            {
                records.increment(Counter.EVENTS);
            }
        }
        catch (final RuntimeException ex)
        {
            records.onDamaged(ex);
        }
    }

    @Override
    public void onReply(final long request, final int kind)
    {
        if (kind < 0 || kind >= kindCount)
        {
            throw new IllegalArgumentException(
                "request " + request + " has a reply of kind " + kind + ", allowed 0 to " + (kindCount - 1));
        }
        if (!isOwn(request))
        {
            return;
        }

        isAnswer = true;
        final boolean isMeasured = isMeasured(request);
        if (!ledger.onReply(kind, request))
        {
            final Counter further = codec.isRepeatable(kind) ? Counter.REPEATED : Counter.DUPLICATES;
            if (isMeasured || Counter.REPEATED == further)
            {
                records.increment(further);
            }
            if (isMeasured && records.replies.length > 0)
            {
                records.replies[kind].counts().increment(further);
            }
            return;
        }

        if (null != journal)
        {
            journal.onReply(clientId, request / stride, 0, kind, receiveTimeNs);
        }
        final long dueNs = schedule.timeNs(request);
        if (isMeasured && records.replies.length > 0)
        {
            records.replies[kind].counts().increment(Counter.ANSWERED);
            records.replies[kind].responseTimes().recordValue(TimeRecorder.bounded(responseTimeNs(dueNs, receiveTimeNs)));
        }
        if (ledger.onAnswered(request))
        {
            onAnswered(request, dueNs, receiveTimeNs, arrivalTimeNs, false);
        }
    }
}
