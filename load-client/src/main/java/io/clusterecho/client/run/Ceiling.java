package io.clusterecho.client.run;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.Share;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.schema.EchoMessage;

import org.agrona.concurrent.SystemNanoClock;

/** The client ceiling: the rate of the agent with all its work per message, into a transport that answers at once. */
public final class Ceiling
{
    private static final long RATE_PER_SECOND = 1_000_000_000L;
    private static final long TIME_NS = 300_000_000L;

    private Ceiling()
    {
    }

    /**
     * Messages sent and answered per second, measured on the calling thread for 300 ms. Of another service than the echo nothing
     * answers here: it is the rate of echoes of the same mean length.
     */
    public static long messagesPerSecond(final Messages load)
    {
        final Messages messages = !(load instanceof EncodedMessages) ? load :
            Messages.ofLength(Math.max(EchoMessage.MIN_LENGTH, load.lengthBytes(0)), RATE_PER_SECOND);
        final LoadPlan plan = new LoadPlan(
            RATE_PER_SECOND, messages, 0, RATE_PER_SECOND, 0, RATE_PER_SECOND, 1, TIME_NS, Long.MAX_VALUE, 1 << 16,
            Delivery.AT_MOST_ONCE, Share.WHOLE, false);
        final Transport transport = new MemoryTransport(SystemNanoClock.INSTANCE, messages.maxLengthBytes(), 0, 0, 0, 1);
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(RATE_PER_SECOND), new Transport[]{ transport }, 1, SystemNanoClock.INSTANCE, null);
        final long beginNs = System.nanoTime();
        agent.begin(beginNs);
        while (System.nanoTime() - beginNs < TIME_NS)
        {
            agent.doWork();
        }

        return (long)(agent.answeredCount() * 1e9 / (System.nanoTime() - beginNs));
    }
}
