package io.clusterecho.client.transport.cluster;

import java.util.concurrent.ThreadLocalRandom;

import io.aeron.CommonContext;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.client.transport.cluster.SessionSource.Attempt;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.schema.EchoMessage;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * The client side of all sessions of a process: a media driver and an Aeron client. With {@link ThreadingMode#INVOKER} both run
 * on the thread that polls the first session, so the whole client is one thread; with any other mode, and in a separate
 * process, the driver has its own threads.
 */
public final class ClusterConnector implements TransportConnector
{
    /** Enough for a session with a leader that answers at once, of which there may be hundreds to open. */
    private static final long CONNECT_YIELDS = 100;
    private static final long MIN_CONNECT_PARK_NS = 10_000;
    private static final long MAX_CONNECT_PARK_NS = 1_000_000;

    /** Stream ids of sessions that share an egress endpoint, below those of marked ones. */
    private static final int FIRST_SHARED_STREAM_ID = 1_000_000;
    private static final int SHARED_STREAM_COUNT = 1_000_000_000;
    /** How long a driver beside keeps the streams of sessions that were closed: thousands of them may follow each other. */
    private static final long LINGER_BESIDE_NS = 1_000_000_000L;
    private static final int COUNTERS_LENGTH_BESIDE = 32 << 20;

    private final ClusterAddress address;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final AeronConnection connection;
    private int transportCount;

    /** Launch the driver and connect to it; the handler of errors in the background is called on any thread. */
    public ClusterConnector(
        final ClusterAddress address,
        final DriverPlan driver,
        final ThreadingMode threadingMode,
        final NanoClock clock,
        final ErrorHandler errorHandler)
    {
        this(address, clock, errorHandler, AeronConnection.open(
            driver, context(DriverFolder.of(driver), driver, threadingMode, address, errorHandler), address.distances(), clock));
    }

    private ClusterConnector(
        final ClusterAddress address, final NanoClock clock, final ErrorHandler errorHandler, final AeronConnection connection)
    {
        this.address = address;
        this.clock = clock;
        this.errorHandler = errorHandler;
        this.connection = connection;
    }

    /**
     * A connector with a Java driver of its own, beside that of this process, whose counters are reported. The thread that uses
     * its sessions runs driver and conductor; distances are not emulated.
     */
    public static ClusterConnector beside(
        final ClusterAddress address, final NanoClock clock, final ErrorHandler errorHandler)
    {
        final DriverPlan driver = DriverPlan.JAVA;
        return new ClusterConnector(address, clock, errorHandler, AeronConnection.open(
            driver, context(DriverFolder.claimBeside(), driver, ThreadingMode.INVOKER, address, errorHandler)
            .publicationLingerTimeoutNs(LINGER_BESIDE_NS).counterValuesBufferLength(COUNTERS_LENGTH_BESIDE), null, null));
    }

    private static MediaDriver.Context context(
        final String folder, final DriverPlan driver, final ThreadingMode threadingMode, final ClusterAddress address,
        final ErrorHandler errorHandler)
    {
        return AeronConnection.context(
            folder, driver, threadingMode, address.mtuLength(), address.termLength(), address.isEachHostAnAddress(),
            errorHandler);
    }

    /**
     * A source of sessions that all receive at one socket, each on a stream of its own, so that thousands of them need few
     * sockets, here and in the members. The driver binds a free port of the egress endpoint's host.
     */
    public SessionSource sharedEgressSource()
    {
        final String host = address.egressEndpoint().replaceFirst(":[0-9]+$", "");
        // By this tag the sessions find the socket. Members see it too, and other clients there must have other ones.
        final String channel = egressChannel(host + ":0") + "|tags=" + ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        // Keeps the socket open as long as the connection lasts.
        connection.aeron().addSubscription(channel, FIRST_SHARED_STREAM_ID - 1);
        return new Sessions(channel, FIRST_SHARED_STREAM_ID, true);
    }

    /** One duty cycle of driver and client conductor, if they have no threads of their own. */
    public int drive()
    {
        return connection.drive();
    }

    private static String egressChannel(final String endpoint)
    {
        return "aeron:udp?alias=egress|endpoint=" + endpoint;
    }

    @Override
    public ClusterTransport newTransport()
    {
        return newTransport(
            address.isMarked() ? EchoMessage.FIRST_MARKED_STREAM_ID : AeronCluster.Configuration.egressStreamId());
    }

    @Override
    public ClusterTransport newReceiver()
    {
        return newTransport(EchoMessage.FAN_OUT_STREAM_ID);
    }

    private ClusterTransport newTransport(final int egressStreamId)
    {
        return new ClusterTransport(
            new Sessions(egressChannel(address.egressEndpoint()), egressStreamId, false), address, clock,
            new BackoffIdleStrategy(0, CONNECT_YIELDS, MIN_CONNECT_PARK_NS, MAX_CONNECT_PARK_NS), 0 == transportCount++);
    }

    @Override
    public void close()
    {
        connection.close();
    }

    /** Sessions that receive on the same stream, or that share an endpoint and have a stream each. */
    private final class Sessions implements SessionSource
    {
        private final String channel;
        private final int streamId;
        private final boolean isShared;
        private int streamCount;

        Sessions(final String channel, final int streamId, final boolean isShared)
        {
            this.channel = channel;
            this.streamId = streamId;
            this.isShared = isShared;
        }

        @Override
        public Attempt begin(final long timeoutNs, final EgressListener listener)
        {
            final String mtu = "|" + CommonContext.MTU_LENGTH_PARAM_NAME + "=" + address.mtuLength();
            final String term = "|" + CommonContext.TERM_LENGTH_PARAM_NAME + "=" + address.termLength();
            final AgentInvoker invoker = connection.driverInvoker();
            final boolean isIpc = null == address.ingressEndpoints();
            final AeronCluster.Context ctx = new AeronCluster.Context()
                .aeron(connection.aeron())
                .ownsAeronClient(false)
                .clientName("load-client")
                .messageTimeoutNs(timeoutNs)
                .newLeaderTimeoutNs(address.newLeaderTimeoutNs())
                .ingressEndpoints(address.ingressEndpoints())
                .ingressChannel((isIpc ? "aeron:ipc" : "aeron:udp") + "?alias=ingress" + term + mtu)
                .egressChannel(isIpc ? "aeron:ipc?alias=egress" + term + mtu : channel)
                // Sessions of a driver must not receive what is for others, nor share a publication.
                .egressStreamId(isIpc ? Math.max(streamId, FIRST_SHARED_STREAM_ID) +
                    (int)(connection.aeron().nextCorrelationId() % SHARED_STREAM_COUNT) :
                    isShared ? streamId + streamCount++ % SHARED_STREAM_COUNT : streamId)
                .isIngressExclusive(true)
                .idleStrategy(null == invoker ? YieldingIdleStrategy.INSTANCE : NoOpIdleStrategy.INSTANCE)
                // Each poll of each attempt would run the driver, of which one duty cycle for all that share is enough.
                .agentInvoker(isShared ? null : invoker)
                .egressListener(listener)
                .credentialsSupplier(address.credentials())
                .errorHandler(errorHandler);
            return new Attempt(AeronCluster.asyncConnect(ctx));
        }

        @Override
        public int drive()
        {
            return connection.drive();
        }

        @Override
        public boolean isClosed()
        {
            return connection.aeron().isClosed();
        }
    }
}
