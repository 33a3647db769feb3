package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.driver.ThreadingMode;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.cluster.ClusterAddress;
import io.clusterecho.client.transport.cluster.ClusterConnector;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.threads.AgentThreads;

/**
 * Stalls the agent of a real client between sending and receiving, with each media driver: whatever arrived in the meantime is
 * charged to the client. One member, which answers within a few milliseconds, so that its time is not mistaken for the stall.
 */
@Timeout(180)
class ReceiveLatenessIT
{
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(800);
    private static final long LONGEST_WAIT_FOR_CORE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int RATE = 500;
    private static final int WARM_UP_COUNT = 2 * RATE;
    private static final int MEASURED_COUNT = 4 * RATE;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @Test
    @Tag("java-driver")
    void shouldChargeAStallOfTheAgentToReceiveLatenessWithTheDriverOnItsThreadAndWithout()
    {
        cluster.start();
        assertChargedToTheClient("java", ThreadingMode.INVOKER);
        assertChargedToTheClient("java", ThreadingMode.SHARED);
    }

    @Test
    @Tag("c-driver")
    void shouldChargeAStallOfTheAgentToReceiveLatenessWithTheCDriverInAndOutsideTheProcess()
    {
        cluster.start();
        assertChargedToTheClient("embedded", ThreadingMode.INVOKER);
        assertChargedToTheClient("c", ThreadingMode.SHARED);
    }

    private void assertChargedToTheClient(final String driver, final ThreadingMode threadingMode)
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final LoadPlan plan = new LoadPlan(
            RATE, 288, WARM_UP_COUNT, MEASURED_COUNT, 1, 10 * STALL_NS, 10 * STALL_NS, 8_192, Delivery.AT_MOST_ONCE);
        final ClusterConnector connector = new ClusterConnector(
            new ClusterAddress(
                "0=localhost:" + cluster.basePort(), "localhost:0", 1_408, 1 << 20, CONNECT_TIMEOUT_NS, SessionRecovery.PROBE,
                null, null, false, false),
            new DriverConfig(driver, "", "", "4", "4", "4").driver(), threadingMode, SystemNanoClock.INSTANCE, errors::add);
        final StalledTransport transport = new StalledTransport(connector.newTransport());
        final Sessions sessions = new Sessions(connector).add(transport, CONNECT_TIMEOUT_NS);
        final LoadResult result;
        try (LoadExecution execution = new LoadExecution(
            plan, new ConstantSchedule(RATE), 1, sessions, SystemNanoClock.INSTANCE, YieldingIdleStrategy.INSTANCE,
            AgentThreads.anywhere()))
        {
            transport.atNs = execution.start(STALL_NS) + TimeUnit.SECONDS.toNanos(4);
            result = execution.awaitEnd();
        }

        assertThat(errors).as(driver).isEmpty();
        assertThat(result.problems()).as(driver).isEmpty();
        final LoadMeasurement measurement = result.measurement();
        assertThat(measurement.outcome().of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
        final Histogram lateness = measurement.times().of(Time.RECEIVE_LATENESS);
        assertThat(lateness.getTotalCount()).as("%s: replies whose arrival is known", driver).isEqualTo(MEASURED_COUNT);
        // The reply to what was sent just before waited for all of it but its own round trip; what was due later was sent late.
        // One that came while the thread waited for a core, before the stall, waited for longer.
        assertThat(lateness.getMaxValue()).as("%s: receive lateness", driver)
            .isBetween(STALL_NS * 3 / 4, transport.stalledNs + resolution(transport.stalledNs) + LONGEST_WAIT_FOR_CORE_NS);
        assertThat(measurement.times().of(Time.SEND_DELAY).getMaxValue()).as("%s: send delay",
            driver).isGreaterThan(STALL_NS * 3 / 4);
        assertThat(measurement.times().of(Time.SERVICE).getMaxValue()).as("%s: service time",
            driver).isGreaterThan(STALL_NS * 3 / 4);
        for (final HistogramIterationValue value : measurement.times().of(Time.RESPONSE).recordedValues())
        {
            final double partNs = measurement.times().of(Time.CLIENT_PART).getCountAtValue(value.getValueIteratedTo());
            assertThat(value.getValueIteratedTo() - partNs / value.getCountAtValueIteratedTo())
                .as("%s: time without the client's part", driver).isLessThan(STALL_NS / 4.0);
        }
    }

    private static long resolution(final long valueNs)
    {
        return valueNs / 500;
    }

    /** Stalls the agent once, while it waits for a reply. */
    private static final class StalledTransport implements Transport
    {
        private final Transport transport;
        private volatile long atNs = Long.MAX_VALUE;
        private volatile long stalledNs;
        private int inFlightCount;

        StalledTransport(final Transport transport)
        {
            this.transport = transport;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            transport.connect(timeoutNs);
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            final SendResult result = transport.trySend(message, offset, length);
            inFlightCount += SendResult.SENT == result ? 1 : 0;
            return result;
        }

        @Override
        public int poll(final ResponseHandler handler, final int limit)
        {
            final int workCount = transport.poll(counted(handler), limit);
            final long nowNs = System.nanoTime();
            if (inFlightCount > 0 && 0 == stalledNs && Long.MAX_VALUE != atNs && nowNs - atNs >= 0)
            {
                for (long leftNs = STALL_NS; leftNs > 0; leftNs = nowNs + STALL_NS - System.nanoTime())
                {
                    LockSupport.parkNanos(leftNs);
                }
                stalledNs = System.nanoTime() - nowNs;
            }
            return workCount;
        }

        private ResponseHandler counted(final ResponseHandler handler)
        {
            return new ResponseHandler()
            {
                @Override
                public void onResponse(
                    final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
                {
                    inFlightCount--;
                    handler.onResponse(buffer, offset, length, receiveTimeNs);
                }

                @Override
                public void onResponse(
                    final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs,
                    final long arrivalTimeNs)
                {
                    inFlightCount--;
                    handler.onResponse(buffer, offset, length, receiveTimeNs, arrivalTimeNs);
                }

                @Override
                public void onNewLeader(final int memberId, final long leadershipTermId)
                {
                    handler.onNewLeader(memberId, leadershipTermId);
                }

                @Override
                public void onReconnected()
                {
                    handler.onReconnected();
                }
            };
        }

        @Override
        public int replyTemplateId()
        {
            return transport.replyTemplateId();
        }

        @Override
        public void close()
        {
            transport.close();
        }
    }
}
