package io.clusterecho.peers.aeron;

/** Wire format of messages, and which thread answers them. */
public enum WireFormat
{
    /** Without encoding; the receiving thread answers. */
    PLAIN,
    /** Each in a Protobuf message, through streams; the receiving thread answers. */
    PROTOBUF,
    /** The same, through arrays. */
    PROTOBUF_ARRAYS,
    /** As {@link #PROTOBUF}, after the id of a call; a worker thread behind a queue answers any message. */
    RPC,
    /** The same, through arrays. */
    RPC_ARRAYS;

    /** Whether messages are calls: a worker thread answers, and messages other than echo requests get their bytes back. */
    boolean isCalls()
    {
        return RPC == this || RPC_ARRAYS == this;
    }

    /** Codec of the client's end of a session. */
    Codec newClientCodec()
    {
        return isCalls() ? CallCodec.ofClient(newMessageCodec()) : newMessageCodec();
    }

    /** Codec of the server's end of a session. */
    Codec newServerCodec()
    {
        return isCalls() ? CallCodec.ofServer(newMessageCodec()) : newMessageCodec();
    }

    private Codec newMessageCodec()
    {
        return switch (this)
        {
            case PLAIN -> new PlainCodec();
            case PROTOBUF, RPC -> new ProtobufCodec(true);
            case PROTOBUF_ARRAYS, RPC_ARRAYS -> new ProtobufCodec(false);
        };
    }
}
