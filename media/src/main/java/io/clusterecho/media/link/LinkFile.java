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
import java.nio.channels.FileLock;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.clusterecho.media.link.Impairment.Scope;

import org.agrona.IoUtil;

/**
 * The mapped file through which a member is requested to impair its link. One page in native byte order, for processes of one
 * machine; each writer has separate cache lines.
 * <pre>
 *      0  version             written last, when the rest is ready
 *      8  pid of the member
 *     16  members             number of members that the driver knows by their addresses
 *    128  request             number of the request, odd while the next nine are being written
 *    136            scope, member, direction, loss, delay, jitter, duplicates, reordering, seed: see {@link Impairment}
 *    256  sender:   taken     the request that this side applies; written by the driver's sender, as are the next five
 *    264            takenNs   {@link System#nanoTime()} of the member when it began to apply it
 *    272            unsent    frames not sent
 *    280            unheard   frames that arrived and were dropped
 *    288            delayed   frames that arrived and were held, not counting duplicates
 *    296            doubled   frames that arrived and were duplicated
 *    512  receiver: the same six, written by the driver's receiver
 * </pre>
 * Writers of a request exclude each other by a lock on the file, which the system releases if one dies. Readers never wait: they
 * read the number, the fields, and the number again, and keep the request that they have until both are the same and even.
 * <p>
 * The mapping of a driver lasts as long as the object: one that stops slowly may still read it after its member was closed. Any
 * thread may read. {@link #take(Side, long)} and the counts of a side are for the one thread of this side.
 */
public final class LinkFile
{
    /** Name of the file in a member's folder. */
    public static final String NAME = "link-filter.dat";

    /** The two agents of a media driver that use sockets. */
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

    /** What happened to the frames of a side. */
    public enum Count
    {
        /** Not sent; a frame for several destinations counts once. */
        UNSENT(16),

        /** Arrived and were dropped. */
        UNHEARD(24),

        /** Arrived and were held, to be received late or after others. */
        DELAYED(32),

        /** Arrived and were duplicated. */
        DOUBLED(40);

        private final int offset;

        Count(final int offset)
        {
            this.offset = offset;
        }
    }

    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LENGTH = 4096;
    private static final long VERSION = 0x4543_484F_4C4E_0002L;
    private static final int VERSION_OFFSET = 0;
    private static final int PID_OFFSET = 8;
    private static final int MEMBERS_OFFSET = 16;
    private static final int REQUEST_OFFSET = 128;
    private static final int SCOPE_OFFSET = 136;
    private static final int MEMBER_OFFSET = 144;
    private static final int DIRECTION_OFFSET = 152;
    private static final int LOSS_OFFSET = 160;
    private static final int DELAY_OFFSET = 168;
    private static final int JITTER_OFFSET = 176;
    private static final int DUPLICATE_OFFSET = 184;
    private static final int REORDER_OFFSET = 192;
    private static final int SEED_OFFSET = 200;
    private static final int TAKEN_OFFSET = 0;
    private static final int TAKEN_NS_OFFSET = 8;
    private static final Scope[] SCOPES = Scope.values();
    private static final Direction[] DIRECTIONS = Direction.values();

    private final Path path;
    private final MappedByteBuffer buffer;

    private LinkFile(final Path path, final MappedByteBuffer buffer)
    {
        this.path = path;
        this.buffer = buffer;
    }

    /**
     * Create the file of a starting member, or reuse that of its last run in place, so that a process that has it open controls
     * the new run too. The initial request is {@link Impairment#NONE}.
     *
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

            final LinkFile file = new LinkFile(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
            file.begin(ProcessHandle.current().pid());
            return file;
        }
    }

    /**
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
                final LinkFile file = new LinkFile(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
                if (VERSION == (long)LONG.getVolatile(file.buffer, VERSION_OFFSET))
                {
                    return file;
                }
            }
        }

        throw new IOException(path + " is incomplete, or of another version");
    }

    /** Unmap the file. No other method may be called any more, by any thread. */
    void unmap()
    {
        IoUtil.unmap(buffer);
    }

    /** Pid of the member, running or not. */
    public long pid()
    {
        return (long)LONG.getVolatile(buffer, PID_OFFSET);
    }

    /**
     * Number of members that the driver knows by their addresses.
     *
     * @return all, or 0 if they share addresses.
     */
    public int memberCount()
    {
        return (int)(long)LONG.getVolatile(buffer, MEMBERS_OFFSET);
    }

    void memberCount(final int count)
    {
        LONG.setVolatile(buffer, MEMBERS_OFFSET, (long)count);
    }

    /** @return a number greater than that of all requests before; odd while it is being written. */
    public long request()
    {
        return (long)LONG.getVolatile(buffer, REQUEST_OFFSET);
    }

    /**
     * Read a request. Does not wait.
     *
     * @return what it asks for, or null if it is being written or is no longer the present one.
     */
    public Impairment impairment(final long request)
    {
        final int scope = (int)field(SCOPE_OFFSET);
        final int memberId = (int)field(MEMBER_OFFSET);
        final int direction = (int)field(DIRECTION_OFFSET);
        final int lossPpm = (int)field(LOSS_OFFSET);
        final long delayNs = field(DELAY_OFFSET);
        final long jitterNs = field(JITTER_OFFSET);
        final int duplicatePpm = (int)field(DUPLICATE_OFFSET);
        final int reorderPpm = (int)field(REORDER_OFFSET);
        final long seed = field(SEED_OFFSET);
        VarHandle.loadLoadFence();
        return isBeingWritten(request) || request != request() ? null : new Impairment(
            SCOPES[scope], memberId, DIRECTIONS[direction], lossPpm, delayNs, jitterNs, duplicatePpm, reorderPpm, seed);
    }

    /**
     * Replace the request. Waits while another process does.
     *
     * @throws IOException if the file can no longer be locked.
     */
    public long request(final Impairment impairment) throws IOException
    {
        // A lock on a file does not exclude threads of one process.
        synchronized (LinkFile.class)
        {
            try (FileChannel channel = FileChannel.open(path, READ, WRITE); FileLock lock = channel.lock())
            {
                return write(impairment);
            }
        }
    }

    static boolean isBeingWritten(final long request)
    {
        return 0 != (request & 1);
    }

    /** The request that a side applies. */
    public long taken(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + TAKEN_OFFSET);
    }

    /**
     * Time since which a side has applied its request.
     *
     * @return {@link System#nanoTime()} of the member; all processes of a Linux machine share this clock.
     */
    public long takenNs(final Side side)
    {
        return (long)LONG.getVolatile(buffer, side.offset + TAKEN_NS_OFFSET);
    }

    /** Record that a side applies a request from now on. */
    public void take(final Side side, final long request)
    {
        LONG.setRelease(buffer, side.offset + TAKEN_NS_OFFSET, System.nanoTime());
        LONG.setRelease(buffer, side.offset + TAKEN_OFFSET, request);
    }

    /** Frames of a side since the member started. */
    public long count(final Side side, final Count count)
    {
        return (long)LONG.getVolatile(buffer, side.offset + count.offset);
    }

    public void increment(final Side side, final Count count)
    {
        final int offset = side.offset + count.offset;
        LONG.setRelease(buffer, offset, (long)LONG.get(buffer, offset) + 1);
    }

    private void begin(final long pid) throws IOException
    {
        for (final Side side : Side.values())
        {
            for (final Count count : Count.values())
            {
                LONG.setRelease(buffer, side.offset + count.offset, 0L);
            }
        }
        LONG.setRelease(buffer, PID_OFFSET, pid);
        memberCount(0);
        // Request numbers continue, so that effects of the last run are not attributed to this one.
        request(Impairment.NONE);
        LONG.setVolatile(buffer, VERSION_OFFSET, VERSION);
    }

    private long write(final Impairment impairment)
    {
        // Odd already if the last writer died.
        final long writing = request() | 1;
        LONG.setVolatile(buffer, REQUEST_OFFSET, writing);
        VarHandle.storeStoreFence();
        field(SCOPE_OFFSET, impairment.scope().ordinal());
        field(MEMBER_OFFSET, impairment.memberId());
        field(DIRECTION_OFFSET, impairment.direction().ordinal());
        field(LOSS_OFFSET, impairment.lossPpm());
        field(DELAY_OFFSET, impairment.delayNs());
        field(JITTER_OFFSET, impairment.jitterNs());
        field(DUPLICATE_OFFSET, impairment.duplicatePpm());
        field(REORDER_OFFSET, impairment.reorderPpm());
        field(SEED_OFFSET, impairment.seed());
        LONG.setVolatile(buffer, REQUEST_OFFSET, writing + 1);
        return writing + 1;
    }

    private long field(final int offset)
    {
        return (long)LONG.getOpaque(buffer, offset);
    }

    private void field(final int offset, final long value)
    {
        LONG.setOpaque(buffer, offset, value);
    }
}
