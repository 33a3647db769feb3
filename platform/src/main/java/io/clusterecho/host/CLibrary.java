package io.clusterecho.host;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.DatagramChannel;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.NativeLibrary;

/**
 * Functions of Linux's C library that Java does not have. Not for threads that carry messages: each call looks the function up,
 * and the first one loads a library. Thread-safe.
 */
public final class CLibrary
{
    /**
     * Call a function, whose lengths and requests are longs; returns its result. An {@link IOException} has the name of the
     * function and its error, or says why there are no such functions.
     */
    public static int call(final String function, final Object... arguments) throws IOException
    {
        check();
        try
        {
            return NativeLibrary.getInstance("c").getFunction(function, Function.THROW_LAST_ERROR).invokeInt(arguments);
        }
        catch (final LastErrorException ex)
        {
            throw new IOException(function + ": " + ex.getMessage(), ex);
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    /** Throw an {@link IOException} with the name of this system if it is not Linux. */
    public static void check() throws IOException
    {
        if (!"Linux".equals(System.getProperty("os.name")))
        {
            throw new IOException(System.getProperty("os.name") + " is not Linux");
        }
    }

    /** Number with which functions name a socket; an {@link IOException} if the JVM does not say. */
    public static int descriptorOf(final DatagramChannel channel) throws IOException
    {
        try
        {
            // In a package that must be open for Aeron's pollers too.
            final Method descriptor = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
            descriptor.setAccessible(true);
            return (int)descriptor.invoke(channel);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            throw new IOException("this JVM hides the descriptor of a socket: " + ex, ex);
        }
    }

    /** Number of the error of a call that failed, as in errno.h of the kernel; 0 if it was not made. */
    public static int errorOf(final IOException failure)
    {
        return failure.getCause() instanceof LastErrorException error ? error.getErrorCode() : 0;
    }
}
