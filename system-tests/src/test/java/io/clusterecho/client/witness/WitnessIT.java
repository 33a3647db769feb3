package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.cluster.ClusterAddress;
import io.clusterecho.client.transport.cluster.ClusterConnector;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.system.EchoCluster;
import io.clusterecho.testing.Need;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The client's service times against those of a real capture of its datagrams. */
@Tag("slow")
class WitnessIT
{
    private static final int RATE = 500;
    private static final int WARM_UP = RATE;
    private static final int COUNT = 4 * RATE;
    private static final long CLIENT = 1_000_000_000_007L;
    private static final int MTU = 1_408;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double LEAST_MATCHED = 0.99;
    /** The kernel slews its clock by no more than this share; a larger drift is a step. */
    private static final double MAX_SLEW = 500e-6;
    private static final long READING_ERROR_NS = 1_000;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path folder;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldReportNoTimeBelowThatOnTheWire() throws IOException
    {
        Need.root();
        final Path program = Need.TCPDUMP.program();
        cluster.start();
        cluster.awaitEchoes();
        final OwnTimes own = new OwnTimes(SystemNanoClock.INSTANCE, CLIENT, 2, COUNT);
        final Path file = folder.resolve("capture.pcap");
        final LoadResult result;
        final ClockReading before;
        final ClockReading after;
        try (Tcpdump tcpdump = Tcpdump.start(program, "lo", file))
        {
            try (LoadExecution execution = new LoadExecution(
                new LoadPlan(
                RATE, 64, WARM_UP, COUNT - WARM_UP, 2, TIMEOUT_NS, TIMEOUT_NS, 8_192, Delivery.AT_MOST_ONCE),
                new ConstantSchedule(RATE), CLIENT, own.over(sessions()), own, YieldingIdleStrategy.INSTANCE,
                AgentThreads.anywhere()))
            {
                before = ClockReading.read();
                result = execution.execute(INTERVAL_NS);
                after = ClockReading.read();
            }
            tcpdump.stop();
        }
        final WireTimes wire = new WireTimes(CLIENT, 2, COUNT, ingressPorts());
        new PacketCapture(file).read(wire);
        final CaptureComparison comparison = CaptureComparison.of(own, wire, WARM_UP, COUNT);

        assertThat(errors).isEmpty();
        assertThat(own.isSameAs(result.measurement().times().of(Time.SERVICE),
            WARM_UP)).as("times that the client reports").isTrue();
        assertThat(wire.fragmentCount()).isZero();
        assertThat(comparison.answeredCount()).isPositive();
        assertThat(comparison.matchedCount()).as("%s", comparison)
            .isBetween(Math.round(LEAST_MATCHED * comparison.answeredCount()), comparison.answeredCount());
        // A wall clock that was set during the load would stamp other times.
        assertThat((double)Math.abs(after.driftNs(before))).as("drift of the wall clock").isLessThanOrEqualTo(
            before.errorNs() + after.errorNs() + MAX_SLEW * (after.monotonicNs() - before.monotonicNs()));
        assertThat(comparison.lowestNs()).as("%s", comparison).isGreaterThan(
            -READING_ERROR_NS - Math.round(MAX_SLEW * comparison.wireTimes().getMaxValue()));
        for (final double percentile : new double[]{ 50, 99, 100 })
        {
            assertThat(comparison.wireTimes().getValueAtPercentile(percentile)).as("p%s", percentile).isPositive()
                .isLessThanOrEqualTo(comparison.ownTimes().getValueAtPercentile(percentile));
        }
        assertThat(comparison.differences().getValueAtPercentile(50)).isPositive();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldSayWhyNothingCanBeCaptured()
    {
        Need.root();
        final Path program = Need.TCPDUMP.program();
        assertThatThrownBy(() -> Tcpdump.start(program, "nowhere0", folder.resolve("capture.pcap")))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("nowhere0");
    }

    private Sessions sessions()
    {
        final String endpoints = cluster.members().stream()
            .map((member) -> member.memberId() + "=" + member.place().endpoints().ingress()).collect(Collectors.joining(","));
        final ClusterConnector connector = new ClusterConnector(
            new ClusterAddress(
                endpoints, "localhost:0", MTU, 1 << 20, TIMEOUT_NS, SessionRecovery.PROBE, null, null, false, false),
            new DriverConfig("java", "", "", "4", "4", "4").driver(), ThreadingMode.INVOKER, SystemNanoClock.INSTANCE,
            errors::add);
        return new Sessions(connector).add(connector.newTransport(), TIMEOUT_NS).add(connector.newTransport(), TIMEOUT_NS);
    }

    private Set<Integer> ingressPorts()
    {
        return cluster.members().stream().map((member) -> member.place().endpoints().ingress())
            .map((ingress) -> Integer.valueOf(ingress.substring(ingress.lastIndexOf(':') + 1))).collect(Collectors.toSet());
    }
}
