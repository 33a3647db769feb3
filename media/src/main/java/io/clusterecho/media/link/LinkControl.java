package io.clusterecho.media.link;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.media.link.LinkFile.Side;

/**
 * Cuts a member of this machine off from the network and heals it, from another process. The member stays alive and talks
 * with itself; all its UDP is dropped within its own driver: log, consensus, ingress, egress, replication.
 * <p>
 * Works with a member that runs with {@code echo.fault.filter=true}. A member that starts anew is not cut off. For one
 * thread; several controls of one member are allowed, and the last request counts.
 */
public final class LinkControl
{
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LinkFile file;
    private long asked;

    private LinkControl(final LinkFile file)
    {
        this.file = file;
        asked = file.request();
    }

    /**
     * Control the link of a member.
     *
     * @param memberDir folder of the member.
     * @return the control; it need not be closed.
     * @throws NoSuchFileException if the member was never started with a filter.
     * @throws IOException         if its file cannot be used.
     */
    public static LinkControl open(final Path memberDir) throws IOException
    {
        return new LinkControl(LinkFile.open(memberDir));
    }

    /**
     * Ask for frames to be dropped from now on. Returns at once.
     *
     * @param direction of the frames.
     */
    public void cut(final Direction direction)
    {
        long last;
        do
        {
            last = file.request();
            asked = LinkRequest.cutAfter(last, direction);
        }
        while (!file.compareAndSetRequest(last, asked));
    }

    /**
     * Ask for nothing to be dropped from now on. Returns at once.
     */
    public void heal()
    {
        long last;
        do
        {
            last = file.request();
            asked = LinkRequest.healAfter(last);
        }
        while (!file.compareAndSetRequest(last, asked));
    }

    /**
     * Wait until the member does what this control asked for last. Both agents of its driver have then finished the duty
     * cycle in which they did something else, so that no frame slips through after.
     *
     * @param timeoutNs how long to wait at most, in ns; 0 looks once.
     * @return false if the member did not within the time (is it paused, or dead?), or was asked for something else
     * meanwhile, or started anew.
     */
    public boolean awaitTaken(final long timeoutNs)
    {
        final long beginNs = System.nanoTime();
        while (!isTaken())
        {
            if (file.request() != asked || System.nanoTime() - beginNs >= timeoutNs || Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }

        return true;
    }

    /**
     * Does the member do what this control asked for last?
     *
     * @return true if so.
     */
    public boolean isTaken()
    {
        return asked == file.request() && asked == file.taken(Side.SENDER) && asked == file.taken(Side.RECEIVER);
    }

    /**
     * When the member began to do what it does.
     *
     * @return {@link System#nanoTime()}, on the clock that all processes of a Linux machine share; of the later agent.
     */
    public long takenNs()
    {
        final long senderNs = file.takenNs(Side.SENDER);
        final long receiverNs = file.takenNs(Side.RECEIVER);
        return senderNs - receiverNs > 0 ? senderNs : receiverNs;
    }

    /**
     * What the member is asked to drop, by whomever.
     *
     * @return direction, or empty for nothing.
     */
    public Optional<Direction> direction()
    {
        return LinkRequest.direction(file.request());
    }

    /**
     * Frames that the member did not send. One for several destinations counts once.
     *
     * @return count since the member started.
     */
    public long unsentCount()
    {
        return file.unsentCount(Side.SENDER) + file.unsentCount(Side.RECEIVER);
    }

    /**
     * Datagrams that reached the member and were ignored.
     *
     * @return count since the member started.
     */
    public long unheardCount()
    {
        return file.unheardCount(Side.SENDER) + file.unheardCount(Side.RECEIVER);
    }

    /**
     * Process of the member that last started with a filter, alive or not.
     */
    public long pid()
    {
        return file.pid();
    }
}
