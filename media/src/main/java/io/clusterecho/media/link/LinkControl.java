package io.clusterecho.media.link;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.media.link.LinkFile.Side;

/**
 * Impairs the link of a member of this machine, from another process. The member keeps running and its components still reach
 * each other; its driver impairs UDP frames: log, consensus, ingress, egress, replication.
 * <p>
 * Needs a member with {@code echo.fault.filter=true}. A restarted member has no impairment. For one thread; several controls of
 * one member are allowed, and the last request wins.
 */
public final class LinkControl implements AutoCloseable
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
     * @return the control. Until it is closed, the file system of the folder cannot be unmounted.
     * @throws NoSuchFileException if the member was never started with a filter.
     * @throws IOException         if its file cannot be used.
     */
    public static LinkControl open(final Path memberDir) throws IOException
    {
        return new LinkControl(LinkFile.open(memberDir));
    }

    /** Unmap the file. The impairment stays, and no other method may be called. */
    @Override
    public void close()
    {
        file.unmap();
    }

    /**
     * Request an impairment, instead of the present one. Returns at once.
     *
     * @param impairment to apply, or {@link Impairment#NONE}.
     * @throws IOException if the member's file can no longer be used.
     */
    public void impair(final Impairment impairment) throws IOException
    {
        asked = file.request(impairment);
    }

    /**
     * Number of members that the member knows by their addresses, and so distinguishes from each other and from clients.
     *
     * @return all, or 0 if they share addresses.
     */
    public int memberCount()
    {
        return file.memberCount();
    }

    /**
     * Wait until the member applies the last request of this control. Both agents of its driver have then finished the duty cycle
     * in which they applied an earlier one, so that no frame slips through afterwards.
     *
     * @param timeoutNs maximum wait in ns; 0 checks once.
     * @return false if the member did not apply it in time (paused or dead), or received another request meanwhile, or was
     * restarted.
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

    /** Whether the member applies the last request of this control. */
    public boolean isTaken()
    {
        return asked == file.request() && asked == file.taken(Side.SENDER) && asked == file.taken(Side.RECEIVER);
    }

    /**
     * Time since which the member has applied its present request.
     *
     * @return {@link System#nanoTime()} of the later agent, on the clock that all processes of a Linux machine share.
     */
    public long takenNs()
    {
        final long senderNs = file.takenNs(Side.SENDER);
        final long receiverNs = file.takenNs(Side.RECEIVER);
        return senderNs - receiverNs > 0 ? senderNs : receiverNs;
    }

    /**
     * The last request to the member, by any control.
     *
     * @return the impairment, or empty while it is being written.
     */
    public Optional<Impairment> impairment()
    {
        return Optional.ofNullable(file.impairment(file.request()));
    }

    /** Frames of the member since it started. */
    public long count(final LinkFile.Count count)
    {
        return file.count(Side.SENDER, count) + file.count(Side.RECEIVER, count);
    }

    /** Pid of the member that was last started with a filter, running or not. */
    public long pid()
    {
        return file.pid();
    }
}
