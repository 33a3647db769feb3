package com.example.orderbook;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;

import io.aeron.Publication;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;

/** The part of a cluster that the service uses: sessions, whose egress is a list. */
final class FakeCluster
{
    final Map<Long, List<byte[]>> egress = new TreeMap<>();
    /** What the next offers return; then they succeed. */
    final List<Long> results = new ArrayList<>();
    final List<Long> closed = new ArrayList<>();
    /** Sessions that do not read. */
    final List<Long> stuck = new ArrayList<>();
    private final Map<Long, ClientSession> sessions = new TreeMap<>();

    Cluster cluster()
    {
        return fake(Cluster.class, Map.of(
            "getClientSession", (arguments) -> sessions.get((Long)arguments[0]),
            "idleStrategy", (arguments) -> NoOpIdleStrategy.INSTANCE));
    }

    ClientSession open(final long id)
    {
        egress.put(id, new ArrayList<>());
        sessions.put(id, fake(ClientSession.class, Map.of(
            "id", (arguments) -> id,
            "isClosing", (arguments) -> closed.contains(id),
            "close", (arguments) -> closed.add(id),
            "offer", (arguments) -> offer(id, (DirectBuffer)arguments[0], (Integer)arguments[1], (Integer)arguments[2]))));
        return sessions.get(id);
    }

    ClientSession end(final long id)
    {
        return sessions.remove(id);
    }

    private long offer(final long id, final DirectBuffer buffer, final int offset, final int length)
    {
        final long result = stuck.contains(id) ? Publication.BACK_PRESSURED : results.isEmpty() ? 1 : results.remove(0);
        if (result > 0)
        {
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            egress.get(id).add(message);
        }
        return result;
    }

    private static <T> T fake(final Class<T> type, final Map<String, Function<Object[], Object>> methods)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{ type }, (proxy, method, arguments) ->
        {
            final Function<Object[], Object> answer = methods.get(method.getName());
            if (null == answer)
            {
                throw new UnsupportedOperationException(method.getName());
            }
            final Object value = answer.apply(arguments);
            return void.class == method.getReturnType() ? null : value;
        }));
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        egress.forEach((id, messages) -> messages.forEach((message) ->
            text.append(id).append(' ').append(HexFormat.of().formatHex(message)).append('\n')));
        return text.toString();
    }
}
