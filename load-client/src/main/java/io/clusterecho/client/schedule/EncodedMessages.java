package io.clusterecho.client.schedule;

import java.util.List;
import java.util.function.Supplier;

import io.clusterecho.codec.MessageCodec;
import io.clusterecho.reporting.measurement.MessageKind;

/** Messages of another service than the echo, all of one kind. Their lengths are known only when they are encoded. */
public final class EncodedMessages extends Messages
{
    private final Supplier<MessageCodec> codecs;
    private final MessageCodec example;

    /**
     * Messages of codecs that are ready to encode, one for each session.
     *
     * @param example         one of them, which no session uses.
     * @param meanLengthBytes for what is known of a load before it runs.
     */
    public EncodedMessages(
        final Supplier<MessageCodec> codecs, final MessageCodec example, final int meanLengthBytes, final double ratePerSecond)
    {
        super(List.of(new MessageKind("request", meanLengthBytes, meanLengthBytes, ratePerSecond)), 0, false);
        this.codecs = codecs;
        this.example = example;
    }

    public MessageCodec newCodec()
    {
        return codecs.get();
    }

    @Override
    public int maxLengthBytes()
    {
        return example.maxRequestLength();
    }

    @Override
    public List<MessageKind> replyKinds()
    {
        return example.replyKinds().stream().map((name) -> new MessageKind(name, 0, 0, 0)).toList();
    }
}
