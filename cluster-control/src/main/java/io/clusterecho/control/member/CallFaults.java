package io.clusterecho.control.member;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The fault library of one member on this machine, which is loaded into its process if {@code echo.fault.library} names it. It is
 * requested to change system calls through a mapped file in the member's folder, whose layout is in {@code fault-library.c}. Any
 * process on the member's machine may write requests. For one thread.
 *
 * @param dir     folder of the member.
 * @param library a file, or empty for none.
 */
record CallFaults(int memberId, Path dir, String library)
{
    private static final String FILE = "call-faults.dat";
    private static final int LENGTH = 4096;
    private static final long VERSION = 0x4543_4846_4C54_0001L;
    private static final int VERSION_OFFSET = 0;
    private static final int PID_OFFSET = 8;
    private static final int FAULTS_OFFSET = 16;
    private static final int KINDS_OFFSET = 64;
    private static final int KIND_LENGTH = 16;
    private static final long LOAD_TIMEOUT_NS = 5_000_000_000L;
    private static final String PRELOAD = "LD_PRELOAD";

    CallFaults
    {
        library = library.strip();
    }

    /** Reject a library that is not a file, or cannot be preloaded. */
    void check()
    {
        final Path file = Path.of(library).toAbsolutePath();
        InvalidSettingException.throwIf(
            !library.isEmpty() && (!Files.isRegularFile(file) || file.toString().matches(".*[\\s:].*")),
            NodeSettings.FAULT_LIBRARY.key(), library,
            "a file with neither blanks nor colons in its path; scripts/build-fault-library.sh builds one");
    }

    /** Words before the command of a process about to start, so that it loads the library; none without one. */
    List<String> prefix() throws IOException
    {
        if (library.isEmpty())
        {
            return List.of();
        }

        check();
        final Path file = dir.toAbsolutePath().resolve(FILE);
        try (FileChannel channel = FileChannel.open(
            file, Set.of(CREATE, READ, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))
        {
            // Written, not only extended: access to a hole on a full disk is a memory fault.
            channel.write(
                ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder()).putLong(VERSION_OFFSET, VERSION), 0);
        }
        final String others = System.getenv(PRELOAD);
        return List.of(
            "env", "ECHO_FAULT_FILE=" + file,
            PRELOAD + "=" + Path.of(library).toAbsolutePath() + (null == others ? "" : ":" + others));
    }

    /**
     * Inject a fault into a process, beside those in effect, or replace one of the same kind; fails if that has not loaded the
     * library. Calls that begin afterwards are changed.
     */
    void add(final CallFault fault, final OptionalLong pid)
    {
        use((file) ->
        {
            ControlFailure.notReadyIf(
                pid.isEmpty() ||
                !Deadline.in(LOAD_TIMEOUT_NS).await(() -> file.getLongVolatile(PID_OFFSET) == pid.getAsLong()),
                "member " + memberId + " does not run with the fault library; its log may say why");
            final long bit = 1L << fault.kind().ordinal();
            // Ends before the amount changes, and begins after that.
            file.putLongVolatile(FAULTS_OFFSET, file.getLongVolatile(FAULTS_OFFSET) & ~bit);
            file.putLongVolatile(KINDS_OFFSET + KIND_LENGTH * fault.kind().ordinal(), fault.amount());
            file.putLongVolatile(FAULTS_OFFSET, file.getLongVolatile(FAULTS_OFFSET) | bit);
        });
    }

    /**
     * End all faults, so that calls that wait for a stalled disk continue; fails if the member was never started with the
     * library.
     */
    void clear()
    {
        use((file) -> file.putLongVolatile(FAULTS_OFFSET, 0));
    }

    private void use(final Consumer<UnsafeBuffer> action)
    {
        final Path file = dir.resolve(FILE);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE))
        {
            if (LENGTH != channel.size())
            {
                throw new IOException(file + " is incomplete");
            }
            final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
            try
            {
                final UnsafeBuffer buffer = new UnsafeBuffer(mapped);
                if (VERSION != buffer.getLongVolatile(VERSION_OFFSET))
                {
                    throw new IOException(file + " is of another version");
                }

                action.accept(buffer);
            }
            finally
            {
                // So that its file system can be unmounted.
                IoUtil.unmap(mapped);
            }
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(ControlFailure.UNUSABLE,
                "member " + memberId + " has no fault library (" + ex.getMessage() +
                "): start the cluster with " + NodeSettings.FAULT_LIBRARY.key() +
                ", and a library that scripts/build-fault-library.sh has built");
        }
    }
}
