package io.clusterecho.node.member;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.aeron.cluster.service.ClusteredService;

/**
 * Media driver, archive, consensus module and service container of one member, however many threads carry them. Launched
 * and closed once, both by the same thread.
 */
interface Components extends AutoCloseable
{
    /**
     * How long the driver outlives the consensus module, in ns. A leader that closes ends the stream of its log, and that
     * the followers must hear: they elect at once, instead of waiting until the silence is too long.
     */
    long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /**
     * Launch them, one after the other. What was launched before an error stays to be closed.
     *
     * @param service that the container is to run.
     * @throws IOException if the folder of the driver cannot be made private.
     */
    void launch(ClusteredService service) throws IOException;

    /**
     * Close what was launched, in the order that hands leadership over at once.
     */
    @Override
    void close();
}
