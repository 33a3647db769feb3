package io.clusterecho.threads;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.SortedSet;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;

/**
 * Unprivileged system calls of Linux about threads of this process. A thread is identified by its kernel id, as in
 * {@code /proc/self/task}. Not for threads that carry messages: the first call loads a library.
 */
final class KernelScheduler
{
    private static final int IDLE_POLICY = 5;
    /** Size of the first version of struct sched_attr, which every kernel accepts. */
    private static final int ATTRIBUTES_LENGTH = 48;
    private static final int POLICY_OFFSET = 4;
    private static final int FLAGS_OFFSET = 8;
    private static final int RUNTIME_OFFSET = 24;
    private static final long SHORTEST_SLICE_NS = 100_000;

    private final CLibrary library;
    private final long affinityNumber;
    private final long setNumber;
    private final long getNumber;

    private KernelScheduler(final long affinityNumber, final long setNumber, final long getNumber)
    {
        library = Native.load("c", CLibrary.class);
        this.affinityNumber = affinityNumber;
        this.setNumber = setNumber;
        this.getNumber = getNumber;
    }

    /**
     * The system calls of this machine.
     *
     * @throws IOException with the reason if they are not available.
     */
    static KernelScheduler open() throws IOException
    {
        final String architecture = System.getProperty("os.arch");
        if (!"Linux".equals(System.getProperty("os.name")))
        {
            throw new IOException(System.getProperty("os.name") + " is not Linux");
        }
        try
        {
            return switch (architecture)
            {
                case "amd64" -> new KernelScheduler(203, 314, 315);
                case "aarch64" -> new KernelScheduler(122, 274, 275);
                default -> throw new IOException("system calls of " + architecture + " are unknown");
            };
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    /**
     * Pin a thread to processors.
     *
     * @param cpus     one or more.
     * @throws IOException if the system call fails, as for processors that this process may not use.
     */
    void pin(final long threadId, final SortedSet<Integer> cpus) throws IOException
    {
        final BitSet bits = new BitSet();
        cpus.forEach(bits::set);
        final byte[] bytes = bits.toByteArray();
        // The kernel reads whole words.
        final byte[] mask = new byte[(bytes.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES];
        System.arraycopy(bytes, 0, mask, 0, bytes.length);
        call("sched_setaffinity", () -> library.syscall(affinityNumber, threadId, (long)mask.length, mask));
    }

    /**
     * Request short slices for a thread that does not yield, so that it is preempted at the next tick of the kernel, not only at
     * the end of a slice of some milliseconds. Without effect before Linux 6.12.
     *
     * @throws IOException if the system call fails.
     */
    void shortSlices(final long threadId) throws IOException
    {
        final byte[] bytes = attributes(threadId);
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(FLAGS_OFFSET, 0).putLong(RUNTIME_OFFSET, SHORTEST_SLICE_NS);
        call("sched_setattr", () -> library.syscall(setNumber, threadId, bytes, 0L));
    }

    /**
     * Run a thread only where no other wants the processor. It keeps its niceness and its slices; undoing it needs a privilege.
     *
     * @throws IOException if the system call fails.
     */
    void idle(final long threadId) throws IOException
    {
        final byte[] bytes = attributes(threadId);
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(POLICY_OFFSET, IDLE_POLICY)
            .putLong(FLAGS_OFFSET, 0);
        call("sched_setattr", () -> library.syscall(setNumber, threadId, bytes, 0L));
    }

    /** Policy, niceness and slice as they are. */
    private byte[] attributes(final long threadId) throws IOException
    {
        final byte[] bytes = new byte[ATTRIBUTES_LENGTH];
        call("sched_getattr", () -> library.syscall(getNumber, threadId, bytes, (long)bytes.length, 0L));
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(0, ATTRIBUTES_LENGTH);
        return bytes;
    }

    /**
     * Slice of a thread.
     *
     * @return in ns; 0 if the kernel does not report it.
     * @throws IOException if the system call fails.
     */
    long sliceNs(final long threadId) throws IOException
    {
        return ByteBuffer.wrap(attributes(threadId)).order(ByteOrder.nativeOrder()).getLong(RUNTIME_OFFSET);
    }

    private static void call(final String name, final Runnable systemCall) throws IOException
    {
        try
        {
            systemCall.run();
        }
        catch (final LastErrorException ex)
        {
            throw new IOException(name + ": " + ex.getMessage(), ex);
        }
    }

    /** The functions used of the C library. */
    interface CLibrary extends Library
    {
        long syscall(long number, Object... arguments) throws LastErrorException;
    }
}
