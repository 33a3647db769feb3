package io.clusterecho.platform;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.clusterecho.host.CLibrary;
import io.clusterecho.settings.Io;

/** Width of a terminal, from the ioctl TIOCGWINSZ, which the JDK does not offer. */
public final class TerminalWidth
{
    private static final long TIOCGWINSZ = 0x5413L;
    /** struct winsize: rows, columns, width and height in pixels, each an unsigned short. */
    private static final int WINSIZE_LENGTH = 8;
    private static final int COLUMNS_OFFSET = 2;

    private TerminalWidth()
    {
    }

    /**
     * Columns of the terminal behind a file descriptor, at least 1; {@code otherwise} if it is none or the system does not say.
     */
    public static int columns(final int fileDescriptor, final int otherwise)
    {
        final byte[] size = new byte[WINSIZE_LENGTH];
        // It fails for what is not a terminal, and on other systems.
        Io.orElse(0, () -> CLibrary.call("ioctl", fileDescriptor, TIOCGWINSZ, size));
        final int columns = Short.toUnsignedInt(ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getShort(COLUMNS_OFFSET));
        return columns > 0 ? columns : otherwise;
    }
}
