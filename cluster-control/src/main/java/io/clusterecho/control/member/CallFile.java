package io.clusterecho.control.member;

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
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import org.agrona.IoUtil;

/**
 * The mapped file through which the fault library in a member's process is requested to change system calls. Its layout is in
 * {@code fault-library.c}. Any process on the member's machine may write requests. For one thread.
 */
public final class CallFile implements AutoCloseable
{
    /** Name of the file in a member's folder. */
    public static final String NAME = "call-faults.dat";

    private static final VarHandle LONG =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LENGTH = 4096;
    private static final long VERSION = 0x4543_4846_4C54_0001L;
    private static final int VERSION_OFFSET = 0;
    private static final int PID_OFFSET = 8;
    private static final int FAULTS_OFFSET = 16;
    private static final int KINDS_OFFSET = 64;
    private static final int KIND_LENGTH = 16;
    private static final int COUNT_OFFSET = 8;

    private final MappedByteBuffer buffer;

    private CallFile(final Path path, final FileChannel channel) throws IOException
    {
        if (LENGTH != channel.size())
        {
            throw new IOException(path + " is incomplete");
        }
        buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
    }

    /** Create the file of a member that is about to start, or overwrite that of its last run. It requests nothing. */
    static Path create(final Path memberDir) throws IOException
    {
        final Path path = memberDir.resolve(NAME);
        try (FileChannel channel = FileChannel.open(
            path, Set.of(CREATE, READ, WRITE), PosixFilePermissions.asFileAttribute(OWNER_ONLY)))
        {
            // Written, not only extended: access to a hole on a full disk is a memory fault.
            final ByteBuffer zeros = ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder());
            channel.write(zeros.putLong(VERSION_OFFSET, VERSION), 0);
        }

        return path;
    }

    /** @throws IOException if the member was never started with the library, or its file cannot be used. */
    public static CallFile open(final Path memberDir) throws IOException
    {
        final Path path = memberDir.resolve(NAME);
        try (FileChannel channel = FileChannel.open(path, READ, WRITE))
        {
            final CallFile file = new CallFile(path, channel);
            if (VERSION == (long)LONG.getVolatile(file.buffer, VERSION_OFFSET))
            {
                return file;
            }
            file.close();
        }

        throw new IOException(path + " is of another version");
    }

    /** Pid of the process that has loaded the library since the last start of the member; 0 before. */
    long pid()
    {
        return (long)LONG.getVolatile(buffer, PID_OFFSET);
    }

    /** Add a fault to those in effect, or replace one of the same kind. Calls that begin afterwards are changed. */
    void add(final CallFault fault)
    {
        final long bit = 1L << fault.kind().ordinal();
        // Ends before the amount changes, and begins after that.
        LONG.getAndBitwiseAnd(buffer, FAULTS_OFFSET, ~bit);
        LONG.setVolatile(buffer, offsetOf(fault.kind()), fault.amount());
        LONG.getAndBitwiseOr(buffer, FAULTS_OFFSET, bit);
    }

    /** End all faults. Calls that begin afterwards are as usual, and those that wait for a stalled disk continue. */
    void clear()
    {
        LONG.setVolatile(buffer, FAULTS_OFFSET, 0L);
    }

    /** Number of calls that a kind of fault has changed since the member started. */
    public long count(final CallFault.Kind kind)
    {
        return (long)LONG.getVolatile(buffer, offsetOf(kind) + COUNT_OFFSET);
    }

    private static int offsetOf(final CallFault.Kind kind)
    {
        return KINDS_OFFSET + KIND_LENGTH * kind.ordinal();
    }

    /** Unmap the file, so that its file system can be unmounted. */
    @Override
    public void close()
    {
        IoUtil.unmap(buffer);
    }
}
