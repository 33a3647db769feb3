package io.clusterecho.client.transport.cluster;

import io.aeron.Aeron;
import io.aeron.logbuffer.Header;

import io.clusterecho.client.transport.ResponseHandler;

/**
 * When messages of a stream could have been taken: when the driver had received their datagram and all before it. The times are
 * those that the driver wrote into the reserved values of the frames. For the one thread that polls the stream, which passes
 * every message of it in order; does not allocate.
 */
final class ArrivalTimes
{
    private static final long NOT_STAMPED = 0;

    private int streamSessionId;
    private long newestNs = Long.MIN_VALUE;

    /**
     * Arrival of the next message.
     *
     * @return on the clock of the driver's stamps; {@link ResponseHandler#UNKNOWN_NS} if the driver does not stamp frames, and
     * for a message of several fragments, whose header has the arrival of the first.
     */
    long of(final Header header)
    {
        final long stampNs = header.reservedValue();
        if (NOT_STAMPED == stampNs || Aeron.NULL_VALUE != header.fragmentedFrameLength())
        {
            return ResponseHandler.UNKNOWN_NS;
        }
        if (streamSessionId != header.sessionId())
        {
            streamSessionId = header.sessionId();
            newestNs = stampNs;
        }
        // After a loss, later datagrams wait for the one that is sent again.
        newestNs = Math.max(newestNs, stampNs);
        return newestNs;
    }
}
