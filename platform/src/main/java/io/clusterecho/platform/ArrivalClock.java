package io.clusterecho.platform;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * When the kernel had the datagram that was read last from a socket: it stamps each with the time of day as the network hands it
 * over, before it waits in the socket's buffer. Linux only. Used by the one thread that reads the socket; does not allocate once
 * made.
 * <p>
 * The stamp is that of the ioctl SIOCGSTAMPNS, socket(7). From its first call on, the kernel stamps datagrams. One that came
 * before has none, and the kernel answers with the time of the call.
 */
public final class ArrivalClock
{
    /** An arrival that is not known. */
    public static final long UNKNOWN_NS = Long.MIN_VALUE;

    private static final long SIOCGSTAMPNS = 0x8907;
    private static final int CLOCK_REALTIME = 0;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** struct timespec on 64-bit systems: seconds and nanoseconds. */
    private static final int TIMESPEC_LENGTH = 2 * Long.BYTES;
    private static final int FIRST_READINGS = 20;
    private static final List<Path> SOCKET_TABLES = List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6"));
    private static final int ADDRESS_COLUMN = 1;
    private static final int INODE_COLUMN = 9;
    /** Linux says so for a socket from which nothing was read yet. */
    private static final int ENOENT = 2;

    private final int descriptor;
    private final StepWatch timeOfDay = new StepWatch();
    private final ByteBuffer time = ByteBuffer.allocateDirect(TIMESPEC_LENGTH).order(ByteOrder.nativeOrder());
    private final long timeAddress;

    private ArrivalClock(final int descriptor) throws IOException
    {
        this.descriptor = descriptor;
        timeAddress = Pointer.nativeValue(Native.getDirectBufferPointer(time));
        if (0 != CLibrary.ioctl(descriptor, SIOCGSTAMPNS, timeAddress) && ENOENT != Native.getLastError())
        {
            throw new IOException("the kernel stamps no datagrams (ioctl SIOCGSTAMPNS: error " + Native.getLastError() + ")");
        }
        for (int i = 0; i < FIRST_READINGS; i++)
        {
            readTimeOfDay();
        }
    }

    /** The clock of a bound socket; an {@link IOException} says why the arrival of its datagrams cannot be known. */
    public static ArrivalClock of(final DatagramChannel channel) throws IOException
    {
        if (!"Linux".equals(System.getProperty("os.name")))
        {
            throw new IOException(System.getProperty("os.name") + " is not Linux");
        }
        try
        {
            if (Long.BYTES != Native.POINTER_SIZE)
            {
                throw new IOException("this JVM is not a 64-bit one");
            }
            final InetSocketAddress address = (InetSocketAddress)channel.getLocalAddress();
            if (null == address)
            {
                throw new IOException("the socket is not bound");
            }
            return new ArrivalClock(descriptorOf(address.getPort()));
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    /**
     * Arrival of the datagram that was read last; one system call.
     *
     * @return on the clock of {@link System#nanoTime()}, to within the time between two readings of it; {@link #UNKNOWN_NS} if
     * the kernel had not stamped it, and in the second after somebody has set the time of day.
     */
    public long lastNs()
    {
        final long readNs = System.nanoTime();
        if (0 != CLibrary.ioctl(descriptor, SIOCGSTAMPNS, timeAddress))
        {
            return UNKNOWN_NS;
        }
        final long stampNs = timeNs();
        final long nowNs = readTimeOfDay();
        final long arrivalNs = timeOfDay.monotonicNs(stampNs, nowNs);
        // Later than the datagram was read: invented by the kernel for one without a stamp.
        return UNKNOWN_NS != arrivalNs && arrivalNs - readNs > 0 ? UNKNOWN_NS : arrivalNs;
    }

    private long readTimeOfDay()
    {
        final long beforeNs = System.nanoTime();
        CLibrary.timeOf(CLOCK_REALTIME, timeAddress);
        final long afterNs = System.nanoTime();
        timeOfDay.onReading(beforeNs, timeNs(), afterNs);
        return afterNs;
    }

    private long timeNs()
    {
        return time.getLong(0) * NS_PER_SECOND + time.getLong(Long.BYTES);
    }

    /** The JDK keeps the descriptor of a channel to itself; the kernel lists sockets with their ports and inodes. */
    private static int descriptorOf(final int port) throws IOException
    {
        final String suffix = String.format(Locale.ROOT, ":%04X", port);
        final Set<String> sockets = new HashSet<>();
        for (final Path table : SOCKET_TABLES)
        {
            for (final String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of())
            {
                final String[] columns = line.strip().split("\\s+");
                if (columns.length > INODE_COLUMN && columns[ADDRESS_COLUMN].endsWith(suffix))
                {
                    sockets.add("socket:[" + columns[INODE_COLUMN] + "]");
                }
            }
        }

        int found = -1;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd")))
        {
            for (final Path entry : descriptors)
            {
                if (sockets.contains(targetOf(entry)))
                {
                    if (-1 != found)
                    {
                        throw new IOException("this process has several sockets with port " + port);
                    }
                    found = Integer.parseInt(entry.getFileName().toString());
                }
            }
        }
        if (-1 == found)
        {
            throw new IOException("/proc does not list the socket with port " + port);
        }
        return found;
    }

    private static String targetOf(final Path descriptor)
    {
        try
        {
            return Files.readSymbolicLink(descriptor).toString();
        }
        catch (final IOException ex)
        {
            // Closed meanwhile by another thread.
            return "";
        }
    }

    /** Direct calls, which do not allocate. */
    private static final class CLibrary
    {
        static
        {
            final FunctionMapper names =
                (library, method) -> "timeOf".equals(method.getName()) ? "clock_gettime" : method.getName();
            Native.register(
                CLibrary.class, NativeLibrary.getInstance("c", Map.of(Library.OPTION_FUNCTION_MAPPER, names)));
        }

        private CLibrary()
        {
        }

        static native int ioctl(int descriptor, long request, long value);

        static native int timeOf(int clock, long value);
    }
}
