package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real load into an echo in memory, and captures that claim other times on the wire. */
class WitnessTest
{
    private static final long CLIENT = 5_000;
    private static final int WARM_UP = 20;
    private static final int COUNT = 120;
    private static final int RATE = 500;
    private static final long DELAY_NS = 3_000_000;
    private static final LoadPlan PLAN = new LoadPlan(
        RATE, CaptureFile.MESSAGE_LENGTH, WARM_UP, COUNT - WARM_UP, 2, 1_000_000_000L, Long.MAX_VALUE, 1 << 12,
        Delivery.AT_MOST_ONCE);
    private static OwnTimes own;
    private static LoadResult result;

    @TempDir
    private Path folder;

    @BeforeAll
    static void measureOnce()
    {
        own = new OwnTimes(SystemNanoClock.INSTANCE, CLIENT, 2, COUNT);
        final Sessions sessions = own.over(new Sessions(null).add(transport(), 1).add(transport(), 1));
        try (LoadExecution execution = new LoadExecution(
            PLAN, new ConstantSchedule(RATE), CLIENT, sessions, own, Idle.yield.strategy(), AgentThreads.anywhere()))
        {
            result = execution.execute(100_000_000L);
        }
    }

    @Test
    void shouldKeepTheTimesThatTheClientReports()
    {
        assertThat(result.problems()).isEmpty();
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(COUNT - WARM_UP);
        assertThat(own.isSameAs(result.measurement().times().of(Time.SERVICE), WARM_UP)).isTrue();
        // One time fewer. One more would be of the warm-up, of which the client leaves out messages on a busy machine.
        assertThat(own.isSameAs(result.measurement().times().of(Time.SERVICE), WARM_UP + 1)).isFalse();
        assertThat(own.isSameAs(result.measurement().times().of(Time.RESPONSE), WARM_UP)).isFalse();
        for (int i = WARM_UP; i < COUNT; i++)
        {
            assertThat(own.serviceTimeNs(i)).isGreaterThanOrEqualTo(DELAY_NS);
        }
    }

    @Test
    void shouldReportWhatTheClientAddsToEachMessage() throws IOException
    {
        final CaptureComparison comparison = comparison(25_000, 0);
        assertThat(comparison.answeredCount()).isEqualTo(COUNT - WARM_UP);
        assertThat(comparison.matchedCount()).isEqualTo(COUNT - WARM_UP);
        assertThat(comparison.lowestNs()).isEqualTo(25_000);
        assertThat(comparison.differences().getMaxValue()).isBetween(25_000L, 25_100L);
        assertThat(comparison.belowCount()).isZero();
    }

    @Test
    void shouldCountTimesBelowThoseOnTheWire() throws IOException
    {
        final CaptureComparison comparison = comparison(-25_000, 0);
        assertThat(comparison.lowestNs()).isEqualTo(-25_000);
        assertThat(comparison.belowCount()).isEqualTo(COUNT - WARM_UP);
    }

    @Test
    void shouldCompareOnlyMessagesThatWereCaptured() throws IOException
    {
        assertThat(comparison(1_000, 2).matchedCount()).isEqualTo(COUNT - WARM_UP - 2);
        final CaptureComparison none = comparison(1_000, COUNT);
        assertThat(none.matchedCount()).isZero();
        assertThat(none.lowestNs()).isZero();
    }

    @Test
    void shouldSeeNoDriftBetweenTwoReadingsOfTheClocks()
    {
        final ClockReading first = new ClockReading(1_000, 50_000, 10);
        assertThat(new ClockReading(3_000, 52_500, 10).driftNs(first)).isEqualTo(500);
        final ClockReading before = ClockReading.read();
        assertThat(ClockReading.read().epochNs()).isBetween(
            before.epochNs(), Instant.now().plusSeconds(1).getEpochSecond() * 1_000_000_000L + 1_000_000_000L);
    }

    /**
     * Of a capture in which each message took less than by the client, by a given time; the first measured ones may be missing.
     */
    private CaptureComparison comparison(final long lessNs, final int missing) throws IOException
    {
        final CaptureFile file = CaptureFile.ofThisMachine();
        for (int i = WARM_UP + missing; i < COUNT; i++)
        {
            final long timeNs = 1_000_000_000L + i * 10_000_000L;
            file.udp(timeNs, 20_000, CaptureFile.frame(0xc0, 1, CLIENT + i % 2, i / 2))
                .udp(timeNs + own.serviceTimeNs(i) - lessNs, 40_000, CaptureFile.frame(0xc0, 2, CLIENT + i % 2, i / 2));
        }
        final WireTimes wire = new WireTimes(CLIENT, 2, COUNT, Set.of(20_000));
        new PacketCapture(file.write(folder.resolve("capture.pcap"))).read(wire);
        return CaptureComparison.of(own, wire, WARM_UP, COUNT);
    }

    private static MemoryTransport transport()
    {
        return new MemoryTransport(SystemNanoClock.INSTANCE, CaptureFile.MESSAGE_LENGTH, DELAY_NS, 0, 0, 1);
    }
}
