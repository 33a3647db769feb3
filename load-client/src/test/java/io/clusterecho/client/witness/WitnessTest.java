package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real load into an echo in memory, and captures that claim other times on the wire.
 */
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
        assertThat(result.measurement().outcome().answered()).isEqualTo(COUNT - WARM_UP);
        assertThat(own.isSameAs(result.measurement().serviceTimes(), WARM_UP)).isTrue();
        assertThat(own.isSameAs(result.measurement().serviceTimes(), WARM_UP - 1)).isFalse();
        assertThat(own.isSameAs(result.measurement().responseTimes(), WARM_UP)).isFalse();
        for (int i = 0; i < COUNT; i++)
        {
            assertThat(own.serviceTimeNs(i)).isGreaterThanOrEqualTo(DELAY_NS);
        }
    }

    @Test
    void shouldReportWhatTheClientAddsToEachMessage() throws IOException
    {
        final Witness witness = witness(25_000, 0, true, 0);
        assertThat(witness.testimony().matchedCount()).isEqualTo(COUNT - WARM_UP);
        assertThat(witness.testimony().lowestNs()).isEqualTo(25_000);
        assertThat(witness.testimony().differences().getMaxValue()).isBetween(25_000L, 25_100L);
        assertThat(witness.testimony().belowCount()).isZero();
        final Verdict verdict = witness.verdict(List.of());
        assertThat(verdict.reasons()).noneMatch((reason) -> reason.contains("wire") || reason.contains("capture"));
        assertThat(WitnessExecution.text(witness, verdict, "here")).contains("difference by message", "100 of 100 answered");
        final String json = Documents.text(WitnessDocument.of(witness, verdict, "here"));
        assertThat(json).contains("\"matched\" : 100", "cluster-echo-witness/1", "\"lowestDifferenceNs\" : 25000");
    }

    @Test
    void shouldFailIfTheClientReportsLessThanTheWire() throws IOException
    {
        final Witness witness = witness(-25_000, 0, true, 0);
        assertThat(witness.testimony().lowestNs()).isEqualTo(-25_000);
        assertThat(witness.testimony().belowCount()).isEqualTo(COUNT - WARM_UP);
        assertThat(witness.verdict(List.of()).reasons())
            .contains("the client reports up to 25.0 us less than the time on the wire (100 messages)");
        // What the clocks explain does not fail.
        assertThat(witness(-1_000, 0, true, 0).verdict(List.of()).reasons()).noneMatch((reason) -> reason.contains("less than"));
    }

    @Test
    void shouldFailIfTooFewMessagesWereCaptured() throws IOException
    {
        assertThat(witness(1_000, 1, true, 0).verdict(List.of()).reasons()).noneMatch((reason) -> reason.contains("capture"));
        assertThat(witness(1_000, 2, true, 0).verdict(List.of()).reasons())
            .contains("the capture has request and reply of 98 of 100 answered messages, at least 99% are needed");
        assertThat(witness(1_000, COUNT, true, 0).verdict(List.of()).reasons()).anyMatch((one) -> one.contains("of 0 of 100"));
    }

    @Test
    void shouldFailOnOtherTimesAndOnAClockThatWasSet() throws IOException
    {
        assertThat(witness(1_000, 0, false, 0).verdict(List.of()).reasons())
            .contains("the compared service times are not those that the client reports");
        assertThat(witness(1_000, 0, true, 400_000).verdict(List.of()).reasons()).noneMatch((one) -> one.contains("was set"));
        assertThat(witness(1_000, 0, true, -2_000_000).verdict(List.of()).reasons()).anyMatch((one) -> one.contains("was set"));
        assertThat(witness(1_000, 0, true, 0).verdict(List.of("no room")).reasons()).contains("no room");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoTcpdump()
    {
        assertThatThrownBy(() -> Tcpdump.find(List.of(folder))).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("nothing was witnessed: tcpdump is not installed").message().doesNotContain("\n");
    }

    @Test
    void shouldSayWhyTcpdumpCannotCapture() throws IOException
    {
        final Path program = Files.writeString(folder.resolve("tcpdump"), "#!/bin/sh\necho 'lo: no permission' >&2\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(Tcpdump.find(List.of(folder))).isEqualTo(program);
        assertThatThrownBy(() -> Tcpdump.start(program, "lo", folder.resolve("capture.pcap")))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("lo: no permission");
    }

    @Test
    void shouldSeeNoDriftBetweenTwoReadingsOfTheClocks()
    {
        final WallClock first = new WallClock(1_000, 50_000, 10);
        assertThat(new WallClock(3_000, 52_500, 10).driftNs(first)).isEqualTo(500);
        final WallClock before = WallClock.read();
        assertThat(WallClock.read().epochNs()).isBetween(
            before.epochNs(), Instant.now().plusSeconds(1).getEpochSecond() * 1_000_000_000L + 1_000_000_000L);
    }

    /**
     * A capture in which each message took less than by the client, by a given time; the first measured ones may be missing.
     */
    private Witness witness(final long lessNs, final int missing, final boolean isOwn, final long driftNs) throws IOException
    {
        final CaptureFile file = CaptureFile.ofThisMachine();
        for (int i = WARM_UP + missing; i < COUNT; i++)
        {
            final long timeNs = 1_000_000_000L + i * 10_000_000L;
            file.udp(timeNs, 20_000, CaptureFile.frame(0xc0, 1, CLIENT + i % 2, i / 2))
                .udp(timeNs + own.serviceTimeNs(i) - lessNs, 40_000, CaptureFile.frame(0xc0, 2, CLIENT + i % 2, i / 2));
        }
        final PacketCapture capture = new PacketCapture(file.write(folder.resolve("capture.pcap")));
        final WireTimes wire = new WireTimes(CLIENT, 2, COUNT, Set.of(20_000));
        capture.read(wire);
        return new Witness(
            new RunDescription("run", Instant.EPOCH, "java", Map.of(), Map.of(), "fsync", "none emulated", 0), RATE,
            CaptureFile.MESSAGE_LENGTH, result.measurement(), Testimony.of(own, wire, WARM_UP, COUNT), isOwn, capture, wire, 0,
            driftNs, 1_000, 1_000_000_000L, List.of(), false);
    }

    private static MemoryTransport transport()
    {
        return new MemoryTransport(SystemNanoClock.INSTANCE, CaptureFile.MESSAGE_LENGTH, DELAY_NS, 0, 0);
    }
}
