package io.clusterecho.peers.aeron;

/**
 * Wire format of messages, and which thread answers them.
 */
enum WireFormat
{
    /** Without encoding; the receiving thread answers. */
    PLAIN,
    /** Each in a Protobuf message; the receiving thread answers. */
    PROTOBUF,
    /** With the id of a call; a worker thread behind a queue answers. */
    RPC;

    /**
     * Codec of the client's end of a session.
     */
    Codec newClientCodec()
    {
        return switch (this)
        {
            case PLAIN -> new PlainCodec();
            case PROTOBUF -> new ProtobufCodec();
            case RPC -> CallCodec.ofClient();
        };
    }

    /**
     * Codec of the server's end of a session.
     */
    Codec newServerCodec()
    {
        return switch (this)
        {
            case PLAIN -> new PlainCodec();
            case PROTOBUF -> new ProtobufCodec();
            case RPC -> CallCodec.ofServer();
        };
    }
}
