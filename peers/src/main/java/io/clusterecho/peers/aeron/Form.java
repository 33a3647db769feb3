package io.clusterecho.peers.aeron;

/**
 * How messages stand on the wire, and who answers them.
 */
enum Form
{
    /** As they are; the thread that receives answers. */
    PLAIN,
    /** In a Protobuf message each; the thread that receives answers. */
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
