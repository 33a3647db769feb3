package io.clusterecho.node.service;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

import io.aeron.Image;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An echo service that mutates one random message in each block of a given length, and prints a line about it. It is in the
 * package of the service that it wraps, because to apply a request twice it must reset that service's state.
 */
public final class MutantService extends ForwardingService
{
    /** Begin of the line about a mutated message, followed by the end position of the message in the log and the mutation. */
    public static final String MARK = "mutated the message at position ";

    /** The first messages are not mutated, so that the start command finds the cluster ready. */
    private static final int SPARED_COUNT = 100;

    private final EchoService service;
    private final List<Mutation> mutations;
    private final int interval;
    private final SplittableRandom random;
    private final PrintStream out;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private Cluster cluster;
    private long messageCount = -SPARED_COUNT;
    private long nextMutant;
    private int mutantCount;
    private boolean isDue;
    private boolean isMade;
    private UnsafeBuffer delayed;
    private ClientSession delayedSession;

    /**
     * A service, not started.
     *
     * @param service   correct service to wrap.
     * @param mutations to make round-robin; none for a correct service.
     * @param interval  messages for each mutation.
     * @param seed      of the choice of messages.
     * @param out       for a line on each mutation.
     */
    public MutantService(
        final EchoService service,
        final List<Mutation> mutations,
        final int interval,
        final long seed,
        final PrintStream out)
    {
        super(service);
        this.service = service;
        this.mutations = mutations;
        this.interval = interval;
        this.out = out;
        random = new SplittableRandom(seed);
        nextMutant = random.nextInt(interval);
    }

    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        cluster = newCluster;
        super.onStart(newCluster, snapshotImage);
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
        isDue |= messageCount == nextMutant && !mutations.isEmpty();
        messageCount++;
        if (messageCount > 0 && 0 == messageCount % interval)
        {
            nextMutant = messageCount + random.nextInt(interval);
        }

        if (isDue)
        {
            final Mutation mutation = mutations.get(mutantCount % mutations.size());
            isMade = true;
            if (mutate(mutation, session, timestamp, buffer, offset, length, header))
            {
                if (isMade)
                {
                    isDue = false;
                    mutantCount++;
                    out.println(MARK + cluster.logPosition() + ": " + mutation);
                }
                return;
            }
        }

        service.onSessionMessage(session, timestamp, buffer, offset, length, header);
        if (null != delayed)
        {
            service.onSessionMessage(delayedSession, timestamp, delayed, 0, delayed.capacity(), header);
            delayed = null;
        }
    }

    /**
     * Mutate a message. Some mutations turn out to be impossible only during processing, which clears {@link #isMade}.
     *
     * @return false if the message is not suitable and was not processed.
     */
    private boolean mutate(
        final Mutation mutation,
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        final long clientId = EchoMessage.clientId(buffer, offset);
        final long sequence = EchoMessage.sequence(buffer, offset);
        if (null == session || sequence != service.table.expectedSequence(clientId))
        {
            // A mutation has no effect on a message that is not applied anyway or whose client expects no reply.
            return false;
        }

        switch (mutation)
        {
            case DROP:
                return true;

            case REPEAT:
                service.onSessionMessage(session, timestamp, buffer, offset, length, header);
                service.table.byClientId.get(clientId).lastSequence--;
                service.onSessionMessage(session, timestamp, buffer, offset, length, header);
                return true;

            case REORDER:
                delayed = copy(buffer, offset, length);
                delayedSession = session;
                return true;

            case CORRUPT:
                service.onSessionMessage(session, timestamp, corrupt(buffer, offset, length), 0, length, header);
                return true;

            case CORRUPT_REPLY:
                final CorruptingSession corrupting = new CorruptingSession(session);
                service.onSessionMessage(corrupting, timestamp, buffer, offset, length, header);
                isMade = corrupting.end();
                return true;

            default:
                return false;
        }
    }

    private UnsafeBuffer corrupt(final DirectBuffer buffer, final int offset, final int length)
    {
        final UnsafeBuffer copy = copy(buffer, offset, length);
        int timeLow = EchoMessage.intendedSendTimeLow(copy, 0);
        if (length > EchoMessage.MIN_LENGTH)
        {
            copy.putByte(length - 1, (byte)(copy.getByte(length - 1) ^ 1));
        }
        else
        {
            timeLow ^= 1;
        }
        EchoMessage.encode(
            copy, 0, length, EchoMessage.templateId(copy, 0), EchoMessage.clientId(copy, 0), EchoMessage.sequence(copy, 0),
            timeLow, payloadCheck);

        return copy;
    }

    private static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        copy.putBytes(0, buffer, offset, length);
        return copy;
    }
}
