package io.clusterecho.media.link;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The mapped file through which a member is requested to drop frames. One page in native byte order, for processes of one
 * machine; each writer has separate cache lines.
 * <pre>
 *      0  version             written last, when the rest is ready
 *      8  pid of the member
 *    128  request             written by the controlling process, see {@link LinkRequest}
 *    256  sender:   taken     the request that this side applies; written by the driver's sender, as are the next three
 *    264            takenNs   {@link System#nanoTime()} of the member when it began to apply it
 *    272            unsent    frames not sent
 *    280            unheard   frames that arrived and were dropped
 *    512  receiver: the same four, written by the driver's receiver
 * </pre>
 * The mapping lasts as long as the object: a driver that stops slowly may still read it after its member was closed. Any thread
 * may read. {@link #take(Side, long)} and the counts of a side are for the one thread of this side.
 */
public final class LinkFile
{
    /**
     * Name of the file in a member's folder.
     */
    public static final String NAME = "link-filter.dat";

    /**
     * The two agents of a media driver that use sockets.
     */
    public enum Side
    {
        /** Sends data, and receives the responses to it: status messages, NAKs. */
        SENDER(256),

        /** Receives data, and sends the responses to it. */
        RECEIVER(512);

        private final int offset;

        Side(final int offset)
        {
            this.offset = offset;
        }
    }

    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LENGTH = 4096;
    private static final long VERSION = 0x4543_484F_4C4E_0001L;
    private static final int VERSION_OFFSET = 0;
    private static final int PID_OFFSET = 8;
    private static final int REQUEST_OFFSET = 128;
    private static final int TAKEN_OFFSET = 0;
    private static final int TAKEN_NS_OFFSET = 8;
    private static final int UNSENT_OFFSET = 16;
    private static final int UNHEARD_OFFSET = 24;

    private final MappedByteBuffer buffer;

    private LinkFile(final MappedByteBuffer buffer)
    {
        this.buffer = buffer;
    }

    /**
     * Create the file of a starting member, or reuse that of its last run in place, so that a process that has it open controls
     * the new run too. The initial request is to drop nothing.
     *
     * @param memberDir folder of the member.
     * @throws IOException if the file cannot be written.
     */
    public static LinkFile create(final Path memberDir) throws IOException
    {
        final Path path = memberDir.resolve(NAME);
        try (FileChannel channel = FileChannel.open(
            path, Set.of(CREATE, READ, WRITE), PosixFilePermissions.asFileAttribute(OWNER_ONLY)))
        {
            if (LENGTH != channel.size())
            {
                // Written, not only extended: access to a hole on a full disk is a memory fault.
                channel.truncate(0);
                channel.write(ByteBuffer.allocate(LENGTH), 0);
            }

            final LinkFile file = new LinkFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
            file.begin(ProcessHandle.current().pid());
            return file;
        }
    }

    /**
     * Open the file of a member.
     *
     * @param memberDir folder of the member.
     * @throws NoSuchFileException if the member has no link filter.
     * @throws IOException         if the file cannot be used, or is incomplete.
     */
    public static LinkFile open(final Path memberDir) throws IOException
    {
        final Path path = memberDir.resolve(NAME);
        try (FileChannel channel = FileChannel.open(path, READ, WRITE))
        {
            if (LENGTH == channel.size())
            {
                final LinkFile file = new LinkFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
                if (VERSION == (long)LONG.getVolatile(file.buffer, VERSION_OFFSET))
                {
                    return file;
                }
            }
        }

        throw new IOException(path + " is incomplete, or of another version");
    }

    /**
     * Pid of the member, running or not.
     */
    public long pid()
    {
        return (long)LONG.getVolatile(buffer, PID_OFFSET);
    }

    /**
     * The present request.
     *
     * @return encoded as in {@link LinkRequest}.
     */
    public long request()
    {
        return (long)LONG.getVolatile(buffer, REQUEST_OFFSET);
    }

    /**
     * Replace the request, unless another control did so meanwhile.
     *
     * @param expected present request.
     * @param request  new request.
     * @return true if it was replaced.
     */
    public boolean compareAndSetRequest(final long expected, final long request)
    {
        return LONG.compareAndSet(buffer, REQUEST_OFFSET, expected, request);
    }

    /**
     * The request that a side applies.
     *
     * @param side of the driver.
     * @return encoded as in {@link LinkRequest}.
     */
    public long taken(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + TAKEN_OFFSET);
    }

    /**
     * Time since which a side has applied its request.
     *
     * @param side of the driver.
     * @return {@link System#nanoTime()} of the member; all processes of a Linux machine share this clock.
     */
    public long takenNs(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + TAKEN_NS_OFFSET);
    }

    /**
     * Record that a side applies a request from now on.
     *
     * @param side    of the driver.
     * @param request encoded.
     */
    public void take(final Side side, final long request)
    {
        LONG.setRelease(buffer, side.offset + TAKEN_NS_OFFSET, System.nanoTime());
        LONG.setRelease(buffer, side.offset + TAKEN_OFFSET, request);
    }

    /**
     * Frames that a side did not send. A frame for several destinations counts once.
     *
     * @param side of the driver.
     * @return count since the member started.
     */
    public long unsentCount(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + UNSENT_OFFSET);
    }

    /**
     * Datagrams that arrived at a side and were dropped.
     *
     * @param side of the driver.
     * @return count since the member started.
     */
    public long unheardCount(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + UNHEARD_OFFSET);
    }

    /**
     * Count a frame that was not sent.
     *
     * @param side of the driver.
     */
    public void countUnsent(final Side side)
    {
        increment(side.offset + UNSENT_OFFSET);
    }

    /**
     * Count a dropped datagram.
     *
     * @param side of the driver.
     */
    public void countUnheard(final Side side)
    {
        increment(side.offset + UNHEARD_OFFSET);
    }

    private void begin(final long pid)
    {
        for (final Side side : Side.values())
        {
            LONG.setRelease(buffer, side.offset + UNSENT_OFFSET, 0L);
            LONG.setRelease(buffer, side.offset + UNHEARD_OFFSET, 0L);
        }
        LONG.setRelease(buffer, PID_OFFSET, pid);

        // Request numbers continue, so that effects of the last run are not attributed to this one.
        long last;
        do
        {
            last = request();
        }
        while (!compareAndSetRequest(last, LinkRequest.healAfter(last)));
        LONG.setVolatile(buffer, VERSION_OFFSET, VERSION);
    }

    private void increment(final int offset)
    {
        LONG.setRelease(buffer, offset, (long)LONG.get(buffer, offset) + 1);
    }
}
