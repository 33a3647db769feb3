package io.clusterecho.platform;

/** The JVM's error for SIGBUS: no page could be allocated for a mapped file, because its file system is full or failed. */
public final class MemoryFault
{
    private MemoryFault()
    {
    }

    /** Whether an error is an access to a page of a mapped file that could not be allocated. */
    public static boolean is(final Throwable error)
    {
        return error instanceof InternalError && String.valueOf(error.getMessage()).contains("unsafe memory access");
    }

    /** An error as text, with its meaning if it is a memory fault. */
    public static String text(final Throwable error)
    {
        return is(error) ? "shared memory or a disk is full: no page could be allocated for a mapped file (" +
            error.getMessage() + ")" : error.toString();
    }
}
