package io.clusterecho.threads;

import java.io.IOException;
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
    private final CLibrary library;
    private final long affinityNumber;

    private KernelScheduler(final long affinityNumber)
    {
        library = Native.load("c", CLibrary.class);
        this.affinityNumber = affinityNumber;
    }

    /** The system calls of this machine; an {@link IOException} says why they are not available. */
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
                case "amd64" -> new KernelScheduler(203);
                case "aarch64" -> new KernelScheduler(122);
                default -> throw new IOException("system calls of " + architecture + " are unknown");
            };
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    /** Pin a thread to one or more processors; fails for those that this process may not use. */
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

    interface CLibrary extends Library
    {
        long syscall(long number, Object... arguments) throws LastErrorException;
    }
}
