package io.clusterecho.peers.aeron;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.aeron.CommonContext;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;

/** Plain Aeron, without a cluster: over UDP, or over IPC, where client and server share a driver. */
public record AeronPeer(String name, boolean isIpc, WireFormat format) implements Peer
{
    static final int STREAM_ID = 1001;

    @Override
    public List<Setting<?>> settings()
    {
        return AeronSettings.all();
    }

    @Override
    public Map<String, String> facts()
    {
        final String through = format.protobufThrough();
        return Peer.facts(
            name,
            "Aeron " + Peer.version("aeron") + (through.isEmpty() ? "" : ", Protobuf " + Peer.version("protobuf")),
            "not replicated, not durable, ordered; lossless within a session",
            isIpc ? "shares the server's driver; terms of 1 MiB unless set" :
            "terms of 1 MiB and an MTU of 1408 unless set, socket buffers as large as the kernel allows" +
            (format.isCalls() ? "; a worker thread behind a queue of 1,024 messages answers" : "") +
            (through.isEmpty() ? "" : "; Protobuf through " + through));
    }

    @Override
    public boolean isClientApart()
    {
        return !isIpc;
    }

    @Override
    public Experiment experiment(final boolean isStream)
    {
        final String through = format.protobufThrough();
        return new Experiment(
            (format.isCalls() ? "calls over " : "") + (isIpc ? "Aeron over IPC" : "Aeron, {driver} driver") +
            (through.isEmpty() ? "" : ", with Protobuf through " + through), Experiment.REQUEST_RESPONSE,
            isStream ? Experiment.PRICE : through.isEmpty() ? Experiment.BYTES : Experiment.PROTOBUF_BYTES, "", "", "", Map.of());
    }

    @Override
    public Set<String> loads()
    {
        return format.loads();
    }

    @Override
    public String defaultEndpoints()
    {
        return isIpc ? DriverFolder.memoryFolder() + "/cluster-echo-aeron-ipc" : DEFAULT_ENDPOINT;
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
        InvalidSettingException.throwIf(
            request.lengthBytes() > settings.maxMessageLength(), "peer.term.length", settings.termLength(),
            "at least eight times the length of a message of " + request.lengthBytes() + " bytes with its frame headers");

        final String parameters = settings.publicationParameters();
        if (isIpc)
        {
            final String folder = null == request.endpoints() ? defaultEndpoints() : request.endpoints();
            final AeronTransport.Place place = new AeronTransport.Place(
                folder, CommonContext.IPC_CHANNEL + "?" + parameters, CommonContext.IPC_CHANNEL,
                settings.driver().isFound() ? settings.driver().folder() : folder);
            return new AeronTransport.Connector(place, format, request.errorHandler(), null);
        }

        final Endpoint endpoint = Endpoint.parse(request.endpoints());
        final AeronTransport.Place place = new AeronTransport.Place(
            endpoint.toString(), "aeron:udp?endpoint=" + endpoint + "|" + parameters,
            "aeron:udp?endpoint=" + settings.replyHost() + ":0", null);
        return new AeronTransport.Connector(place, format, request.errorHandler(), settings.connect(
            request.isOneThread() ? ThreadingMode.INVOKER : ThreadingMode.SHARED, request.errorHandler()));
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
        if (settings.driver().isFound())
        {
            return settings.connect(ThreadingMode.INVOKER, AeronPeer::onError);
        }
        InvalidSettingException.throwIf(
            CommonContext.isDriverActive(new File(folder), AeronTransport.DRIVER_TIMEOUT_MS, (line) -> { }), "--endpoints",
            folder, "a folder in which no media driver runs yet");

        return AeronConnection.open(settings.driver(), AeronConnection.context(
            folder, settings.driver(), AeronSettings.serverThreadingMode(), settings.mtuLength(), settings.termLength(), false,
            AeronPeer::onError), null, null);
    }

    private static void onError(final Throwable error)
    {
        System.err.println("warning: " + error);
    }
}
