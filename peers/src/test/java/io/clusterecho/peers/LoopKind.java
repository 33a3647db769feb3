package io.clusterecho.peers;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.settings.Setting;

import org.agrona.concurrent.SystemNanoClock;

/** An echo in this process: the smallest transport, the example of docs/HACKING.md. */
public final class LoopKind implements TransportKind
{
    @Override
    public String name()
    {
        return "loop";
    }

    @Override
    public List<Setting<?>> settings()
    {
        return List.of();
    }

    @Override
    public long maxLengthBytes()
    {
        return 1 << 20;
    }

    @Override
    public String durability()
    {
        return "none: nothing leaves the process";
    }

    @Override
    public Map<String, String> facts()
    {
        return Map.of();
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        return () -> new MemoryTransport(SystemNanoClock.INSTANCE, request.lengthBytes(), 0, 0, 0, 1);
    }
}
