package io.clusterecho.peers.aeron;

import java.io.File;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.aeron.CommonContext;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;

/**
 * Plain Aeron, without a cluster.
 *
 * @param isIpc whether client and server share a driver, else over UDP.
 */
public record AeronPeer(String name, boolean isIpc, WireFormat format) implements Peer
{
    static final int STREAM_ID = 1001;
    private static final long DRIVER_TIMEOUT_MS = 10_000;

    @Override
    public List<Setting<?>> settings()
    {
        return AeronSettings.all();
    }

    @Override
    public Map<String, String> facts()
    {
        return Facts.of(
            name,
            "Aeron " + Facts.version("aeron") + (WireFormat.PLAIN != format ? ", Protobuf " + Facts.version("protobuf") : ""),
            "not replicated, not durable, ordered; lossless within a session",
            isIpc ? "shares the server's driver; terms of 1 MiB unless set" :
            "terms of 1 MiB and an MTU of 1408 unless set, socket buffers as large as the kernel allows" +
            (format.isCalls() ? "; a worker thread behind a queue of 1,024 messages answers" : "") + throughText());
    }

    private String throughText()
    {
        return switch (format)
        {
            case PLAIN -> "";
            case PROTOBUF, RPC -> "; Protobuf through streams";
            case PROTOBUF_ARRAYS, RPC_ARRAYS -> "; Protobuf through arrays";
        };
    }

    @Override
    public boolean isClientApart()
    {
        return !isIpc;
    }

    @Override
    public boolean isPolling()
    {
        return true;
    }

    @Override
    public Set<Load> loads()
    {
        // A price in bytes of a Protobuf message would be serialized twice.
        return switch (format)
        {
            case PLAIN -> EnumSet.of(Load.ECHO, Load.PRICES, Load.ONE_WAY);
            case PROTOBUF, PROTOBUF_ARRAYS -> EnumSet.of(Load.ECHO, Load.ONE_WAY);
            case RPC, RPC_ARRAYS -> EnumSet.of(Load.ECHO, Load.CALLS);
        };
    }

    @Override
    public String defaultEndpoints()
    {
        return isIpc ? memoryFolder() + "/cluster-echo-aeron-ipc" : DEFAULT_ENDPOINT;
    }

    @Override
    public String endpointsFrom(final int firstPort)
    {
        return isIpc ? defaultEndpoints() + "-" + firstPort : "127.0.0.1:" + firstPort;
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final AeronSettings settings = AeronSettings.of(request.settings());
        if (request.lengthBytes() > settings.maxMessageLength())
        {
            throw new InvalidSettingException(
                "peer.term.length", settings.termLength(),
                "at least eight times the length of a message of " + request.lengthBytes() + " bytes with its frame headers");
        }

        final ThreadingMode threadingMode = request.isOneThread() ? ThreadingMode.INVOKER : ThreadingMode.SHARED;
        final String endpoints = null == request.endpoints() ? defaultEndpoints() : request.endpoints();
        return isIpc ?
            AeronConnector.ipc(endpoints, settings, format, request.errorHandler()) :
            AeronConnector.udp(Endpoint.parse(endpoints), settings, format, threadingMode, request.errorHandler());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final AeronSettings settings = AeronSettings.of(request.settings());
        final String endpoints = null == request.endpoints() ? defaultEndpoints() : request.endpoints();
        if (!isIpc)
        {
            final Endpoint endpoint = Endpoint.parse(endpoints);
            endpoint.requireFreeUdpPort();
            return new AeronServer(
                settings.connect(AeronSettings.serverThreadingMode(), AeronPeer::onError),
                "aeron:udp?endpoint=" + endpoint, settings, format);
        }

        return new AeronServer(ipcConnection(endpoints, settings), CommonContext.IPC_CHANNEL, settings, format);
    }

    private static AeronConnection ipcConnection(final String folder, final AeronSettings settings)
    {
        if (settings.isDriverFound())
        {
            return settings.connect(ThreadingMode.INVOKER, AeronPeer::onError);
        }
        if (CommonContext.isDriverActive(new File(folder), DRIVER_TIMEOUT_MS, (line) -> { }))
        {
            throw new InvalidSettingException("--endpoints", folder, "a folder in which no media driver runs yet");
        }

        return AeronConnection.openIn(
            folder, settings.driver(), AeronSettings.serverThreadingMode(), settings.mtuLength(), settings.termLength(),
            AeronPeer::onError);
    }

    private static void onError(final Throwable error)
    {
        System.err.println("warning: " + error);
    }

    private static String memoryFolder()
    {
        final File shm = new File("/dev/shm");
        return shm.isDirectory() && shm.canWrite() ? shm.toString() : System.getProperty("java.io.tmpdir");
    }
}
