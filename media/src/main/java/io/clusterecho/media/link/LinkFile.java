package io.clusterecho.media.link;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.media.link.Impairment.Scope;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped file through which another process impairs the link of a member of this machine. The member keeps running and its
 * components still reach each other; its driver impairs UDP frames: log, consensus, ingress, egress, replication. Needs a member
 * with {@code echo.fault.filter=true}. A restarted member has no impairment. One page in native byte order, for processes of one
 * machine; each writer has separate cache lines.
 * <pre>
 *      0  version
 *    128  request             number of the request, odd while the next six are being written
 *    136            scope, member, direction, effect, amount, seed: see {@link Impairment}
 *    256  taken by the sender     the request that it applies; written by the driver's sender
 *    512  taken by the receiver   the same, written by the driver's receiver
 * </pre>
 * Writers of a request exclude each other by a lock on the file, which the system releases if one dies. Readers never wait: they
 * read the number, the fields, and the number again, and keep the request that they have until both are the same and even.
 * <p>
 * The mapping of a driver lasts as long as the object: one that stops slowly may still read it after its member was closed. Any
 * thread may read. {@link #take(Side, long)} is for the one thread of this side. One thread may make requests through an object;
 * several objects are allowed, and the last request wins. The numbers continue when a member starts again: what was requested of
 * an earlier run is never taken for a request of this one.
 */
public final class LinkFile implements AutoCloseable
{
    /** Name of the file in a member's folder. */
    public static final String NAME = "link-filter.dat";

    /** The two agents of a media driver that use sockets. */
    public enum Side
    {
        /** Sends data, and receives the responses to it: status messages, NAKs. */
        SENDER,

        /** Receives data, and sends the responses to it. */
        RECEIVER;

        private final int offset = 256 * (1 + ordinal());
    }

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LENGTH = 4096;
    private static final long VERSION = 0x4543_484F_4C4E_0005L;
    private static final int VERSION_OFFSET = 0;
    private static final int REQUEST_OFFSET = 128;
    private static final int FIELDS_OFFSET = 136;
    private static final int FIELD_COUNT = 6;
    private static final Effect[] EFFECTS = Effect.values();
    private static final Scope[] SCOPES = Scope.values();
    private static final Direction[] DIRECTIONS = Direction.values();
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Path path;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    /** The last request through this object. */
    private long asked;

    private LinkFile(final Path path, final MappedByteBuffer mapped)
    {
        this.path = path;
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
    }

    /**
     * Create the file of a starting member, or overwrite that of its last run in place, so that a process that has it open
     * controls the new run too. The initial request is {@link Impairment#NONE}, of which all fields are 0; its number is greater
     * than those of the last run.
     *
     * @throws IOException if the file cannot be written.
     */
    public static LinkFile create(final Path memberDir) throws IOException
    {
        final Path path = memberDir.resolve(NAME);
        synchronized (LinkFile.class)
        {
            try (FileChannel channel = FileChannel.open(
                path, Set.of(CREATE, READ, WRITE), PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                FileLock lock = channel.lock())
            {
                final ByteBuffer earlier = ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder());
                channel.read(earlier, 0);
                final long number = VERSION == earlier.getLong(VERSION_OFFSET) ? earlier.getLong(REQUEST_OFFSET) : 0;
                // Written, not only extended: access to a hole on a full disk is a memory fault.
                channel.write(ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder()).putLong(VERSION_OFFSET, VERSION)
                    .putLong(REQUEST_OFFSET, (number | 1) + 1), 0);
                return new LinkFile(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
            }
        }
    }

    /**
     * Open the file of a member. Until it is closed, the file system of the folder cannot be unmounted.
     *
     * @throws NoSuchFileException if the member was never started with a link filter.
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
                if (VERSION == file.buffer.getLongVolatile(VERSION_OFFSET))
                {
                    file.asked = file.request();
                    return file;
                }
            }
        }

        throw new IOException(path + " is incomplete, or of another version");
    }

    /** Unmap the file. The impairment stays, and no other method may be called any more, by any thread. */
    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }

    /** @return a number greater than those of all earlier requests; odd while it is being written. */
    public long request()
    {
        return buffer.getLongVolatile(REQUEST_OFFSET);
    }

    /** What a request asks for, or null if it is being written or is no longer the present one. Does not wait. */
    public Impairment impairment(final long request)
    {
        final long[] fields = new long[FIELD_COUNT];
        for (int i = 0; i < FIELD_COUNT; i++)
        {
            fields[i] = buffer.getLongOpaque(FIELDS_OFFSET + i * Long.BYTES);
        }
        VarHandle.loadLoadFence();
        return 0 != (request & 1) || request != request() ? null : new Impairment(
            SCOPES[(int)fields[0]], (int)fields[1], DIRECTIONS[(int)fields[2]], EFFECTS[(int)fields[3]], fields[4], fields[5]);
    }

    /**
     * Request an impairment, or {@link Impairment#NONE}, instead of the present one. Waits while another process does.
     *
     * @throws IOException if the file can no longer be locked.
     */
    public void impair(final Impairment impairment) throws IOException
    {
        // A lock on a file does not exclude threads of one process.
        synchronized (LinkFile.class)
        {
            try (FileChannel channel = FileChannel.open(path, READ, WRITE); FileLock lock = channel.lock())
            {
                // Odd already if the last writer died.
                final long writing = request() | 1;
                buffer.putLongVolatile(REQUEST_OFFSET, writing);
                VarHandle.storeStoreFence();
                final long[] fields = {
                    impairment.scope().ordinal(), impairment.memberId(), impairment.direction().ordinal(),
                    impairment.effect().ordinal(), impairment.amount(), impairment.seed() };
                for (int i = 0; i < FIELD_COUNT; i++)
                {
                    buffer.putLongOpaque(FIELDS_OFFSET + i * Long.BYTES, fields[i]);
                }
                buffer.putLongVolatile(REQUEST_OFFSET, writing + 1);
                asked = writing + 1;
            }
        }
    }

    /**
     * Wait until the member applies the last request through this object. Both agents of its driver have then finished the duty
     * cycle in which they applied an earlier one, so that no frame slips through afterwards.
     *
     * @param timeoutNs maximum wait in ns; 0 checks once.
     * @return false if the member did not apply it in time (paused or dead), or received another request meanwhile, or was
     * restarted.
     */
    public boolean awaitTaken(final long timeoutNs)
    {
        final long beginNs = System.nanoTime();
        while (asked != request() || asked != taken(Side.SENDER) || asked != taken(Side.RECEIVER))
        {
            if (request() != asked || System.nanoTime() - beginNs >= timeoutNs || Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }

        return true;
    }

    long taken(final Side side)
    {
        return buffer.getLongVolatile(side.offset);
    }

    /** Record that a side applies a request from now on. */
    public void take(final Side side, final long request)
    {
        buffer.putLongRelease(side.offset, request);
    }
}
