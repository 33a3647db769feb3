package io.clusterecho.peers.aeron;

import java.util.Set;
import java.util.function.Supplier;

import io.clusterecho.peers.Peer.Load;

/** Wire format of messages, and which thread answers them. */
public enum WireFormat
{
    /** Without encoding; the receiving thread answers. */
    PLAIN(Codec::new, "", Set.of(Load.ECHO, Load.PRICES, Load.ONE_WAY)),
    /** Each in a Protobuf message, through streams; a price would be serialized twice. The receiving thread answers. */
    PROTOBUF(() -> new ProtobufCodec(true), "streams", Set.of(Load.ECHO, Load.ONE_WAY)),
    /** The same, through arrays. */
    PROTOBUF_ARRAYS(() -> new ProtobufCodec(false), "arrays", PROTOBUF.loads),
    /** As {@link #PROTOBUF}, after the id of a call; a worker thread behind a queue answers any message. */
    RPC(() -> new ProtobufCodec(true), "streams", Set.of(Load.ECHO, Load.CALLS)),
    /** The same, through arrays. */
    RPC_ARRAYS(() -> new ProtobufCodec(false), "arrays", RPC.loads);

    private final Supplier<Codec> codecs;
    private final String protobufThrough;
    private final Set<Load> loads;

    WireFormat(final Supplier<Codec> codecs, final String protobufThrough, final Set<Load> loads)
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

    Set<Load> loads()
    {
        return loads;
    }

    /** Whether messages are calls: a worker thread answers, and messages other than echo requests get their bytes back. */
    boolean isCalls()
    {
        return loads.contains(Load.CALLS);
    }

    Codec newCodec(final boolean isClient)
    {
        return isCalls() ? new CallCodec(codecs.get(), isClient) : codecs.get();
    }
}
