package io.clusterecho.platform;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;

/**
 * Width of a terminal, from the ioctl TIOCGWINSZ, which the JDK does not offer. Linux only, as the native libraries
 * of JNA in the jars are.
 */
public final class TerminalWidth
{
    private static final long TIOCGWINSZ = 0x5413L;
    /** struct winsize: rows, columns, width and height in pixels, each an unsigned short. */
    private static final int WINSIZE_LENGTH = 8;
    private static final int COLUMNS_OFFSET = 2;

    private TerminalWidth()
    {
    }

    private interface CLibrary extends Library
    {
        int ioctl(int fileDescriptor, NativeLong request, Object... arguments);
    }

    /**
     * Columns of the terminal behind a file descriptor, at least 1; {@code otherwise} if it is none or the system does not say.
     */
    public static int columns(final int fileDescriptor, final int otherwise)
    {
        if (!Platform.isLinux())
        {
            return otherwise;
        }

        final byte[] size = new byte[WINSIZE_LENGTH];
        try
        {
            if (0 != Holder.LIBRARY.ioctl(fileDescriptor, new NativeLong(TIOCGWINSZ), (Object)size))
            {
                return otherwise;
            }
        }
        catch (final LinkageError ex)
        {
            // No native library for this system: the caller's width will do.
            return otherwise;
        }

        final int columns = Short.toUnsignedInt(ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getShort(COLUMNS_OFFSET));
        return columns > 0 ? columns : otherwise;
    }

    /** Loads the library only when it is needed. */
    private static final class Holder
    {
        private static final CLibrary LIBRARY = Native.load("c", CLibrary.class);
    }
}
