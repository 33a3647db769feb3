package io.clusterecho.platform;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Map;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

import io.clusterecho.host.CLibrary;

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
    /**
     * The time of day on the monotonic clock. The two differ by a constant until somebody sets the time of day: adjustments of
     * its speed, as NTP makes, apply to both. After a step, times of day that were taken around it are ambiguous: for a second
     * it converts no time. Not thread-safe; does not allocate.
     */
    static final class StepWatch
    {
        /** Times of day of something that waited are not older than this when a step is noticed. */
        static final long DISTRUST_NS = 1_000_000_000L;
        /** Differences of two readings that are not a step, beyond the time that the readings took. */
        private static final long TOLERANCE_NS = 1_000;

        private boolean isKnown;
        private boolean isDistrusted;
        private long offsetNs;
        private long errorNs;
        private long trustedFromNs;

        /**
         * Compare the clocks by a reading of the time of day, in ns since 1970, between two of the monotonic clock. Readings that
         * took longer than the best one are less exact and only show steps.
         */
        void onReading(final long beforeNs, final long timeOfDayNs, final long afterNs)
        {
            final long newErrorNs = (afterNs - beforeNs) / 2;
            final long newOffsetNs = timeOfDayNs - beforeNs - newErrorNs;
            final boolean isStep = isKnown && Math.abs(newOffsetNs - offsetNs) > newErrorNs + errorNs + TOLERANCE_NS;
            if (isStep)
            {
                isDistrusted = true;
                trustedFromNs = afterNs + DISTRUST_NS;
            }
            if (!isKnown || isStep || newErrorNs < errorNs)
            {
                isKnown = true;
                offsetNs = newOffsetNs;
                errorNs = newErrorNs;
            }
        }

        /**
         * Convert a time of day, in ns since 1970, to the monotonic clock; {@link ArrivalClock#UNKNOWN_NS} in the second after a
         * step.
         */
        long monotonicNs(final long timeOfDayNs, final long nowNs)
        {
            isDistrusted &= nowNs - trustedFromNs < 0;
            return isDistrusted || !isKnown ? ArrivalClock.UNKNOWN_NS : timeOfDayNs - offsetNs;
        }
    }

    /** An arrival that is not known. */
    public static final long UNKNOWN_NS = Long.MIN_VALUE;

    private static final long SIOCGSTAMPNS = 0x8907;
    private static final int CLOCK_REALTIME = 0;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** struct timespec on 64-bit systems: seconds and nanoseconds. */
    private static final int TIMESPEC_LENGTH = 2 * Long.BYTES;
    private static final int FIRST_READINGS = 20;
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
        if (0 != Functions.ioctl(descriptor, SIOCGSTAMPNS, timeAddress) && ENOENT != Native.getLastError())
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
        CLibrary.check();
        try
        {
            return new ArrivalClock(CLibrary.descriptorOf(channel));
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
        if (0 != Functions.ioctl(descriptor, SIOCGSTAMPNS, timeAddress))
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
        Functions.timeOf(CLOCK_REALTIME, timeAddress);
        final long afterNs = System.nanoTime();
        timeOfDay.onReading(beforeNs, timeNs(), afterNs);
        return afterNs;
    }

    private long timeNs()
    {
        return time.getLong(0) * NS_PER_SECOND + time.getLong(Long.BYTES);
    }

    /** Direct calls, which do not allocate. */
    private static final class Functions
    {
        static
        {
            final FunctionMapper names =
                (library, method) -> "timeOf".equals(method.getName()) ? "clock_gettime" : method.getName();
            Native.register(
                Functions.class, NativeLibrary.getInstance("c", Map.of(Library.OPTION_FUNCTION_MAPPER, names)));
        }

        static native int ioctl(int descriptor, long request, long value);

        static native int timeOf(int clock, long value);
    }
}
