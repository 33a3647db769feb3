package io.clusterecho.client.transport.aeron;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;

import com.fasterxml.jackson.annotation.JsonProperty;

import io.clusterecho.media.zone.Distance;
import io.clusterecho.media.zone.Distances;
import io.clusterecho.media.zone.Placement;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Measures round trips between zones: two media drivers, one in each zone, with the same filter as members and clients, and one
 * message that goes back and forth. The calling thread runs both drivers, so that only sockets and the emulation are measured,
 * and not how threads wait for each other.
 */
public final class RoundTripProbe
{
    private static final String ONE_ADDRESS = "127.0.0.2";
    private static final String OTHER_ADDRESS = "127.0.0.3";
    private static final int STREAM_ID = 1;
    private static final int MTU_LENGTH = 1408;
    private static final int TERM_LENGTH = 64 * 1024;
    private static final int MESSAGE_LENGTH = 288;
    /** Warm-up of the code before the first measurement. */
    private static final long FIRST_WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LEAST_COUNT = 20;
    private static final long MEASURE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    private final ErrorHandler errorHandler;
    private final int count;

    /**
     * A round trip between two zones, as configured and as measured.
     *
     * @param askedNs    configured mean delay of a round trip in addition to loopback, in ns.
     * @param loopbackNs median without emulation, in ns.
     */
    public record RoundTrip(
        String one, String other, long askedNs, long loopbackNs, long minNs, long medianNs, long p99Ns, long count)
    {
        /** Largest accepted error of the median, as a share of the configured delay. */
        public static final double TOLERATED_SHARE = 0.1;
        /** Largest accepted error in ns, if that is more. */
        public static final long TOLERATED_NS = TimeUnit.MICROSECONDS.toNanos(100);

        /** Error of the median, with the time of loopback taken into account, in ns; negative if the median is too short. */
        public long errorNs()
        {
            return medianNs - askedNs;
        }

        /** Whether the error is accepted. */
        @JsonProperty("good")
        public boolean isAsAsked()
        {
            return Math.abs(errorNs()) <= Math.max(TOLERATED_NS, TOLERATED_SHARE * askedNs);
        }
    }

    /** @param count round trips between each two zones; fewer, but at least 20, if they take long. */
    public RoundTripProbe(final int count, final ErrorHandler errorHandler)
    {
        this.count = count;
        this.errorHandler = errorHandler;
    }

    /** Measure between any two zones, and within each zone that has a delay; fails if no reply arrives for a minute. */
    public List<RoundTrip> measure(final Placement placement)
    {
        final Histogram loopback = measure(Distance.NONE, Distance.NONE, FIRST_WARM_UP_NS);
        final List<String> zones = placement.zones();
        final List<RoundTrip> roundTrips = new ArrayList<>();
        for (int i = 0; i < zones.size(); i++)
        {
            for (int j = i; j < zones.size(); j++)
            {
                final Distance there = placement.distance(zones.get(i), zones.get(j));
                final Distance back = placement.distance(zones.get(j), zones.get(i));
                if (i != j || zones.size() == 1 || !there.isNone())
                {
                    final Histogram measured = measure(there, back, WARM_UP_NS);
                    roundTrips.add(new RoundTrip(
                        zones.get(i), zones.get(j),
                        there.delayNs() + back.delayNs() + (there.jitterNs() + back.jitterNs()) / 2,
                        loopback.getValueAtPercentile(50), measured.getMinValue(), measured.getValueAtPercentile(50),
                        measured.getValueAtPercentile(99), measured.getTotalCount()));
                }
            }
        }

        return roundTrips;
    }

    private Histogram measure(final Distance there, final Distance back, final long warmUpNs)
    {
        // Each endpoint keeps what it receives: the first one the replies.
        try (Place one = new Place(distances(ONE_ADDRESS, OTHER_ADDRESS, back), ONE_ADDRESS);
            Place other = new Place(distances(OTHER_ADDRESS, ONE_ADDRESS, there), OTHER_ADDRESS))
        {
            until("endpoints", one, other, () -> one.isBound() && other.isBound());
            one.connectTo(other);
            other.connectTo(one);
            until("a connection", one, other, () -> one.isConnected() && other.isConnected());
            return exchange(one, other, warmUpNs);
        }
    }

    private Histogram exchange(final Place one, final Place other, final long warmUpNs)
    {
        final Histogram roundTrips = new Histogram(DEADLINE_NS, DIGITS);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final boolean[] isBack = new boolean[1];
        final FragmentHandler arrival = (buffer, offset, length, header) -> isBack[0] = true;
        final FragmentHandler echo = (buffer, offset, length, header) ->
            until("an echo", one, other, () -> other.publication.offer(buffer, offset, length) > 0);
        final long beginNs = System.nanoTime();
        while (roundTrips.getTotalCount() < count)
        {
            isBack[0] = false;
            until("a message", one, other, () -> one.publication.offer(message) > 0);
            final long sentNs = System.nanoTime();
            until("a message that came back", one, other, () ->
            {
                other.subscription.poll(echo, 1);
                one.subscription.poll(arrival, 1);
                return isBack[0];
            });
            final long nowNs = System.nanoTime();
            if (nowNs - beginNs > warmUpNs)
            {
                roundTrips.recordValue(nowNs - sentNs);
            }
            if (nowNs - beginNs > MEASURE_TIMEOUT_NS && roundTrips.getTotalCount() >= LEAST_COUNT)
            {
                break;
            }
        }

        return roundTrips;
    }

    private static void until(final String what, final Place one, final Place other, final BooleanSupplier isDone)
    {
        final long beginNs = System.nanoTime();
        while (!isDone.getAsBoolean())
        {
            one.connection.drive();
            other.connection.drive();
            if (System.nanoTime() - beginNs > DEADLINE_NS)
            {
                throw new IllegalStateException(
                    "timed out waiting for " + what + " between " + ONE_ADDRESS + " and " + OTHER_ADDRESS);
            }
        }
    }

    private static Distances distances(final String own, final String other, final Distance fromOther)
    {
        return new Distances(address(own), Map.of(address(other), fromOther), Distance.NONE);
    }

    private static InetAddress address(final String text)
    {
        try
        {
            return InetAddress.getByName(text);
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException("a numeric address must not need resolution", ex);
        }
    }

    private final class Place implements AutoCloseable
    {
        private final AeronConnection connection;
        private final Subscription subscription;
        private ExclusivePublication publication;

        Place(final Distances distances, final String address)
        {
            connection = AeronConnection.open(
                ClientDriver.JAVA, ThreadingMode.INVOKER, MTU_LENGTH, TERM_LENGTH, true, distances, null, errorHandler);
            try
            {
                subscription = connection.aeron().addSubscription("aeron:udp?endpoint=" + address + ":0", STREAM_ID);
            }
            catch (final RuntimeException ex)
            {
                CloseHelper.quietClose(connection);
                throw ex;
            }
        }

        boolean isBound()
        {
            return null != subscription.resolvedEndpoint();
        }

        void connectTo(final Place other)
        {
            publication = connection.aeron().addExclusivePublication(
                "aeron:udp?endpoint=" + other.subscription.resolvedEndpoint(), STREAM_ID);
        }

        boolean isConnected()
        {
            return subscription.isConnected() && publication.isConnected();
        }

        @Override
        public void close()
        {
            connection.close();
        }
    }
}
