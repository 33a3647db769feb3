package io.clusterecho.peers.command;

import java.util.List;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.peers.aeron.AeronPeer;
import io.clusterecho.peers.aeron.WireFormat;
import io.clusterecho.peers.EtcdPeer;
import io.clusterecho.peers.GrpcPeer;
import io.clusterecho.peers.GrpcPeer.Trait;
import io.clusterecho.peers.Http1Peer;
import io.clusterecho.peers.KryonetPeer;
import io.clusterecho.peers.RatisPeer;
import io.clusterecho.peers.RSocketPeer;
import io.clusterecho.process.JavaCommand;

/** All peers. Servers and clients that poll use the same idle strategy by default. */
public final class PeerProvider implements TransportProvider
{
    @Override
    public List<TransportKind> kinds()
    {
        return List.of(
            new AeronPeer("aeron-udp", false, WireFormat.PLAIN),
            new AeronPeer("aeron-ipc", true, WireFormat.PLAIN),
            new GrpcPeer("grpc"),
            new GrpcPeer("grpc-direct", Trait.DIRECT_SERVER, Trait.DIRECT_CLIENT),
            new GrpcPeer("grpc-unary", Trait.UNARY),
            // As rpc-bench has it, and as RPC Thunder Dome.
            new GrpcPeer("grpc-unary-direct", Trait.UNARY, Trait.DIRECT_SERVER),
            new GrpcPeer("grpc-unary-direct-both", Trait.UNARY, Trait.DIRECT_SERVER, Trait.DIRECT_CLIENT),
            new GrpcPeer("grpc-tls", Trait.TLS),
            new AeronPeer("aeron-protobuf", false, WireFormat.PROTOBUF),
            new AeronPeer("aeron-protobuf-arrays", false, WireFormat.PROTOBUF_ARRAYS),
            new AeronPeer("aeron-rpc", false, WireFormat.RPC),
            new AeronPeer("aeron-rpc-arrays", false, WireFormat.RPC_ARRAYS),
            new KryonetPeer("kryonet"),
            new RSocketPeer("rsocket", false),
            new RSocketPeer("rsocket-channel", true),
            new Http1Peer("http1"),
            new RatisPeer("ratis", false),
            new RatisPeer("ratis-memory", true),
            new EtcdPeer("etcd"));
    }

    @Override
    public List<String> program(final List<String> flags, final List<String> arguments)
    {
        return JavaCommand.ofProgram(PeerProvider.class, Peers.class.getName(), flags, arguments);
    }
}
