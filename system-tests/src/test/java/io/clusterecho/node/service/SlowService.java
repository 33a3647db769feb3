package io.clusterecho.node.service;

import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;

/** A correct service that needs more time for each message. */
public final class SlowService extends ForwardingService
{
    private final long delayNs;

    /**
     * A service, not started.
     *
     * @param service correct service to wrap.
     * @param delayNs for each message, in ns, spent without sleeping.
     */
    public SlowService(final ClusteredService service, final long delayNs)
    {
        super(service);
        this.delayNs = delayNs;
    }

    @Override
    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < delayNs)
        {
            Thread.onSpinWait();
        }
        super.onSessionMessage(session, timestamp, buffer, offset, length, header);
    }
}
