package io.clusterecho.client.load;

import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;
import io.clusterecho.schema.codecs.StagedEchoRequestDecoder;
import io.clusterecho.schema.codecs.StagedOrderedEchoRequestDecoder;

/**
 * Template ids of the messages of a session.
 *
 * @param request  of what it sends.
 * @param reply    of a reply to a message that was seen for the first time.
 * @param repeated of a reply to one that was seen before; the same where the system does not know which it has seen.
 */
record Templates(int request, int reply, int repeated)
{
    /**
     * @param isOrdered whether messages must be applied in order, once each.
     * @param isStaged  whether replies are to carry stage times.
     */
    static Templates of(final boolean isOrdered, final boolean isStaged, final int reply)
    {
        final int request = isStaged ?
            isOrdered ? StagedOrderedEchoRequestDecoder.TEMPLATE_ID : StagedEchoRequestDecoder.TEMPLATE_ID :
            isOrdered ? OrderedEchoRequestDecoder.TEMPLATE_ID : EchoRequestDecoder.TEMPLATE_ID;
        return new Templates(
            request, reply, EchoResponseDecoder.TEMPLATE_ID == reply ? RepeatedEchoResponseDecoder.TEMPLATE_ID : reply);
    }
}
