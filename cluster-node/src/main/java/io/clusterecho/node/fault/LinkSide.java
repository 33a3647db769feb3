package io.clusterecho.node.fault;

import java.util.Optional;

import io.clusterecho.link.Direction;
import io.clusterecho.link.LinkFile;
import io.clusterecho.link.LinkRequest;

/**
 * What one agent of the driver, sender or receiver, lets pass. Touched by the thread of this agent alone; it learns of a
 * request at the start of a duty cycle, so that a frame costs the read of a plain field.
 */
final class LinkSide
{
    private static final long NONE = -1;

    private final LinkFile file;
    private final LinkFile.Side side;
    private long taken = NONE;
    private boolean isSendCut;
    private boolean isReceiveCut;

    LinkSide(final LinkFile file, final LinkFile.Side side)
    {
        this.file = file;
        this.side = side;
    }

    void onDutyCycle()
    {
        final long request = file.request();
        if (request != taken)
        {
            take(request);
        }
    }

    /**
     * Shall a frame not be sent? Counts it if so.
     */
    boolean isUnsent()
    {
        if (isSendCut)
        {
            file.countUnsent(side);
        }

        return isSendCut;
    }

    /**
     * Shall a datagram that arrived be ignored? Counts it if so.
     */
    boolean isUnheard()
    {
        if (isReceiveCut)
        {
            file.countUnheard(side);
        }

        return isReceiveCut;
    }

    private void take(final long request)
    {
        final Optional<Direction> direction = LinkRequest.direction(request);
        isSendCut = direction.isPresent() && direction.get().isSendCut();
        isReceiveCut = direction.isPresent() && direction.get().isReceiveCut();
        taken = request;
        file.take(side, request);
    }
}
