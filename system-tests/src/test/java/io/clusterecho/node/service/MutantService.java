package io.clusterecho.node.service;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An echo service that does something wrong with one message of each block of so many, at a place drawn by seed, and says so.
 * It stands in the package of the service that it wraps, since to apply a request twice it must make that forget.
 */
public final class MutantService implements ClusteredService
{
    /**
     * What each line on a mutated message begins with; the position behind the message in the log follows, and the mutation.
     */
    public static final String MARK = "mutated the message at position ";

    /** The cluster must be found to serve before anything goes wrong. */
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
    private UnsafeBuffer held;
    private ClientSession heldSession;

    /**
     * A service that has not started.
     *
     * @param service   which does all the rest.
     * @param mutations to make in turn; none for a service that does as it should.
     * @param interval  one message of so many.
     * @param seed      of the places.
     * @param out       for a line on each.
     */
    public MutantService(
        final EchoService service,
        final List<Mutation> mutations,
        final int interval,
        final long seed,
        final PrintStream out)
    {
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
        service.onStart(newCluster, snapshotImage);
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
        if (null != held)
        {
            service.onSessionMessage(heldSession, timestamp, held, 0, held.capacity(), header);
            held = null;
        }
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        service.onSessionOpen(session, timestamp);
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        service.onSessionClose(session, timestamp, closeReason);
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        service.onTimerEvent(correlationId, timestamp);
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        service.onTakeSnapshot(snapshotPublication);
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        service.onRoleChange(newRole);
    }

    @Override
    public void onTerminate(final Cluster terminatingCluster)
    {
        service.onTerminate(terminatingCluster);
    }

    @Override
    public int doBackgroundWork(final long nowNs)
    {
        return service.doBackgroundWork(nowNs);
    }

    /**
     * Deal with a message wrongly, or find out too late that it cannot be done with this one and say so in {@link #isMade}.
     *
     * @return false if this one does not lend itself to it, and was not dealt with.
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
        if (null == session || sequence != service.table().expectedSequence(clientId))
        {
            // Nothing comes of a message that is not applied anyway, or that nobody waits for.
            return false;
        }

        switch (mutation)
        {
            case DROP:
                return true;

            case REPEAT:
                service.onSessionMessage(session, timestamp, buffer, offset, length, header);
                service.table().client(clientId).lastSequence--;
                service.onSessionMessage(session, timestamp, buffer, offset, length, header);
                return true;

            case REORDER:
                held = copy(buffer, offset, length);
                heldSession = session;
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
