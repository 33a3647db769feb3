package io.clusterecho.client.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ObjLongConsumer;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** An echo with replies scripted by a test: for each message sent it may queue none, one or several, changed or not. */
class ScriptedTransport implements Transport
{
    final Deque<byte[]> replies = new ArrayDeque<>();
    SendResult sendResult = SendResult.SENT;
    int replyTemplateId = EchoResponseDecoder.TEMPLATE_ID;
    private final NanoClock clock;
    private final ObjLongConsumer<ScriptedTransport> script;
    private byte[] reply;

    ScriptedTransport(final NanoClock clock, final ObjLongConsumer<ScriptedTransport> script)
    {
        this.clock = clock;
        this.script = script;
    }

    /** The complete reply to the message being sent, for the script to queue or change. */
    byte[] reply()
    {
        return reply;
    }

    /** The same reply, marked as applied before. */
    byte[] repeatedReply()
    {
        final byte[] repeated = reply.clone();
        EchoMessage.templateId(new UnsafeBuffer(repeated), 0, RepeatedEchoResponseDecoder.TEMPLATE_ID);
        return repeated;
    }

    @Override
    public void connect(final long timeoutNs)
    {
        // Always connected.
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (SendResult.SENT == sendResult)
        {
            reply = new byte[length];
            message.getBytes(offset, reply);
            EchoMessage.templateId(new UnsafeBuffer(reply), 0, replyTemplateId);
            script.accept(this, EchoMessage.sequence(message, offset));
        }

        return sendResult;
    }

    @Override
    public int poll(final ResponseHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && !replies.isEmpty())
        {
            final byte[] bytes = replies.poll();
            handler.onResponse(new UnsafeBuffer(bytes), 0, bytes.length, clock.nanoTime());
            count++;
        }

        return count;
    }

    @Override
    public int replyTemplateId()
    {
        return replyTemplateId;
    }

    @Override
    public void close()
    {
        replies.clear();
    }
}
