package io.clusterecho.node.member;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.aeron.cluster.service.ClusteredService;

/**
 * Media driver, archive, consensus module and service container of one member, on one or more threads. Launched and closed
 * once, both by the same thread.
 */
interface Components extends AutoCloseable
{
    /**
     * Time in ns that the driver outlives the consensus module. A closing leader ends the stream of its log, and the followers
     * must receive that: they then elect at once, without waiting for the heartbeat timeout.
     */
    long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Launch the components, one after the other. After an error, those already launched must still be closed. */
    void launch(ClusteredService service) throws IOException;

    /** Close the launched components, in the order that passes on leadership at once. */
    @Override
    void close();
}
