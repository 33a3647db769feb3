package io.clusterecho.node.service;

import io.aeron.DirectBufferVector;
import io.aeron.cluster.service.ClientSession;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Changes the last bit of a reply that is sent immediately; a reply that has to wait in a backlog is not changed. */
final class CorruptingSession implements ClientSession
{
    private final ClientSession session;
    private final ExpandableArrayBuffer reply = new ExpandableArrayBuffer();
    private boolean hasEnded;
    private boolean isCorrupted;

    CorruptingSession(final ClientSession session)
    {
        this.session = session;
    }

    /**
     * Stop changing replies, because a backlog may keep a reference to the session.
     *
     * @return whether a reply was changed.
     */
    boolean end()
    {
        hasEnded = true;
        return isCorrupted;
    }

    @Override
    public long id()
    {
        return session.id();
    }

    @Override
    public int responseStreamId()
    {
        return session.responseStreamId();
    }

    @Override
    public String responseChannel()
    {
        return session.responseChannel();
    }

    @Override
    public byte[] encodedPrincipal()
    {
        return session.encodedPrincipal();
    }

    @Override
    public void close()
    {
        session.close();
    }

    @Override
    public boolean isClosing()
    {
        return session.isClosing();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        reply.putBytes(0, buffer, offset, length);
        return offerCorrupt(length);
    }

    /** The first vector is space for the session header. */
    @Override
    public long offer(final DirectBufferVector[] vectors)
    {
        int length = 0;
        for (int i = 1; i < vectors.length; i++)
        {
            reply.putBytes(length, vectors[i].buffer(), vectors[i].offset(), vectors[i].length());
            length += vectors[i].length();
        }

        return offerCorrupt(length);
    }

    @Override
    public long tryClaim(final int length, final BufferClaim bufferClaim)
    {
        return session.tryClaim(length, bufferClaim);
    }

    private long offerCorrupt(final int length)
    {
        if (hasEnded)
        {
            return session.offer(reply, 0, length);
        }

        reply.putByte(length - 1, (byte)(reply.getByte(length - 1) ^ 1));
        final long result = session.offer(reply, 0, length);
        isCorrupted |= result > 0;
        return result;
    }
}
