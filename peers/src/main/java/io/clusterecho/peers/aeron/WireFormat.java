package io.clusterecho.peers.aeron;

import java.util.Set;
import java.util.function.Supplier;

import io.clusterecho.client.transport.TransportKind;

/** Wire format of messages, and which thread answers them. */
public enum WireFormat
{
    /** Without encoding; the receiving thread answers. */
    PLAIN(Codec::new, "", Set.of(TransportKind.PRICE_STREAM, TransportKind.ONE_WAY)),
    /** Each in a Protobuf message, through streams; a price would be serialized twice. The receiving thread answers. */
    PROTOBUF(() -> new ProtobufCodec(true), "streams", Set.of(TransportKind.ONE_WAY)),
    /** The same, through arrays. */
    PROTOBUF_ARRAYS(() -> new ProtobufCodec(false), "arrays", PROTOBUF.loads),
    /** As {@link #PROTOBUF}, after the id of a call; a worker thread behind a queue answers any message. */
    RPC(() -> new ProtobufCodec(true), "streams", Set.of(TransportKind.CALLS)),
    /** The same, through arrays. */
    RPC_ARRAYS(() -> new ProtobufCodec(false), "arrays", RPC.loads);

    private final Supplier<Codec> codecs;
    private final String protobufThrough;
    private final Set<String> loads;

    WireFormat(final Supplier<Codec> codecs, final String protobufThrough, final Set<String> loads)
    {
        this.codecs = codecs;
        this.protobufThrough = protobufThrough;
        this.loads = loads;
    }

    /** What Protobuf messages are written through; empty without Protobuf. */
    String protobufThrough()
    {
        return protobufThrough;
    }

    Set<String> loads()
    {
        return loads;
    }

    /** Whether messages are calls: a worker thread answers, and messages other than echo requests get their bytes back. */
    boolean isCalls()
    {
        return loads.contains(TransportKind.CALLS);
    }

    Codec newCodec(final boolean isClient)
    {
        return isCalls() ? new CallCodec(codecs.get(), isClient) : codecs.get();
    }
}
