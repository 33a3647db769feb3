package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.reporting.measurement.SampleStamps;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TextReportTest
{
    private static final SlowMessage SLOW =
        new SlowMessage(7, 0, 4_000_000, true, Map.of(Part.LOG, 1_000_000L, Part.QUORUM, 3_000_000L), null);
    private static final long RATE = 107_000;
    private static final String DURABILITY =
        "fsync 0: an acknowledged message is in the page caches of a majority; it survives the death of processes and the loss " +
        "of a minority of machines, not the loss of power everywhere at once";
    private static final String FOLDER = "/home/somebody/cluster-echo/results/20261123-101112-with-a-long-label";

    @Test
    void shouldPutAUsualResultOnOneScreen()
    {
        final TextReport report = usual();
        assertThat(report.summary()).isEqualTo("""
            GOOD  reference: the result is complete; response times are not judged
            rate       target 107,000/s, achieved 106,999.9/s (100.00%)

                                  p50         p90           p99  p99.9  p99.99      max
            response time      500 us      900 us        990 us      -       -  1.00 ms
              95% bounds   490-510 us  880-911 us  0.98-1.04 ms      -       -
            service time       500 us      900 us        990 us      -       -  1.00 ms
            send delay         500 us      900 us        990 us      -       -  1.00 ms

            messages   scheduled 64,200,000 = answered 64,200,000 + late 0 + unanswered 0 + never sent 0
                       duplicates 0, out of order 0; with the warm-up: corrupt 0, offers back-pressured 8,247,668, disconnected 0
            durability fsync 0: survives the death of processes and the loss of a minority of machines, not the loss of power \
            everywhere at once
            member 0   leader     0.52 cores; limited by cores: its threads waited 1,234 ms/s for one
            member 1   follower   1.52 cores; limited by cores: its threads waited 1,234 ms/s for one
            member 2   follower   2.52 cores; limited by cores: its threads waited 1,234 ms/s for one
            log        of member 0 (leader) grew by 672.4 kB/s for all clients, 336 bytes for each reply
            warning    the client's machine was not quiet: the client stalled for up to 18.4 ms

            tail       p99 is 2.0 times the median (990 us, 500 us)
              few-cores: runnable threads waited for a core 0 times: member-0 414,759 ms, member-1 414,759 ms, \
            member-2 414,759 ms
              few-cores: runnable threads waited for a core 1 times: member-0 414,759 ms, member-1 414,759 ms, \
            member-2 414,759 ms
            floor      p50 is 5.20 times the floor of 96.0 us

            results in results/20261123-101112-reference (charts in report.html, all details in summary.txt)
            """);
    }

    @Test
    void shouldCountInASummaryWhatItLeavesOut()
    {
        final String summary = worst(5).summary();
        assertThat(summary).startsWith("FAILED  reference\n  ! cycle 0").contains("and 12 more reasons", "93.46%")
            .contains("send delay", "messages   ", "fsync 0: survives", "emulated region", "warning    from member 0")
            .contains("\nslowest    of the time of the slowest 0.0000% (1 message)")
            .contains("and 14 more warnings", "p99 is 410.8 times", "results in " + FOLDER)
            .contains(members(5).stream().map(MemberLoad::text).toList());
        assertThat(summary.lines()).hasSizeLessThanOrEqualTo(36);
    }

    @Test
    void shouldKeepEverythingInTheFullForm()
    {
        final TextReport report = worst(3);
        final TailCause last = report.run().diagnosis().findings().get(8);
        assertThat(report.full()).contains(report.verdict().allReasons()).contains(report.verdict().warnings())
            .contains(report.run().description().durability(), report.run().description().placement(), last.cause(),
            last.advice()).contains("client compact, yielding; its duty cycle at most every 50.0 us")
            .contains("client stalls", "to leader", "mean response time: send delay", "client     ceiling")
            .contains("slowest    of the time of the slowest 0.0000% (1 message): 75% quorum, 25% log\n")
            .contains("clients    4 shared the load", "with spinning threads", "baseline in results/baseline");
    }

    @Test
    void shouldSayWhereTheSlowestMessagesWereWithoutStagesInTheFullForm()
    {
        final TextReport report = withOutcome(new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, 50).set(Counter.ANSWERED, 50), 1.0, 0, TimeRecorder.newHistogram(), null,
            List.of(), List.of(), List.of(SLOW)));
        assertThat(report.full()).contains(
            "\n\nslowest    of the time of the slowest 2.00% (1 message): 75% quorum, 25% log\ntail ");
        assertThat(report.summary()).doesNotContain("slowest    ");
    }

    @Test
    void shouldSayWhyAPercentileHasNoBounds()
    {
        assertThat(usual().full()).contains(
            "\nno 95% bounds of response time p99.9, p99.99; send delay p99.99: few messages are beyond it\n" +
            "no 95% bounds of service time: it has few intervals\n")
            .containsPattern("send delay .*\n  95% bounds +4.00-6.00 us +- +- +4.00-6.00 us +-\n");
    }

    @Test
    void shouldShowThePartOfTheClientInTheFullForm()
    {
        final TextReport report = withClientPart(900);
        assertThat(report.summary()).contains("\nreceive lateness     90.0 us");
        assertThat(report.full()).contains("\nclient's part of the slowest 1%: at least 10% (8-12%)\n")
            .contains("\nreceive lateness known of 900 of 1,000 replies\n");
        assertThat(withClientPart(1_000).full()).contains("client's part of the slowest 1%: 10% (8-12%)")
            .doesNotContain("known of");
        assertThat(usual().full()).contains("\nreceive lateness unknown: ").doesNotContain("client's part");
    }

    @Test
    void shouldShowARowForEachKindOnTheScreen()
    {
        final String summary = withOutcome(KindReportTest.outcome(List.of(
            KindReportTest.kind(new MessageKind("orders", 288, 288, 100), 90, 5, 3, 2, 1_000_000),
            KindReportTest.kind(new MessageKind("quotes", 64, 64, 5_000), 10, 0, 0, 0, 20_000_000)))).summary();
        assertThat(summary).contains(
            "kind    bytes  target/s  achieved/s      p50  p99  p99.9      max\n" +
            "orders    288     100.0        95.0  1.00 ms    -      -  1.00 ms\n" +
            "quotes     64   5,000.0        10.0        -    -      -  20.0 ms\n");
    }

    @Test
    void shouldSayHowManyKindsTheScreenLeavesOut()
    {
        final String summary = withOutcome(KindReportTest.outcome(IntStream.range(0, 9).mapToObj((i) ->
            KindReportTest.kind(new MessageKind("kind-" + i, 288, 288, 100), 90, 5, 3, 2, 1_000_000)).toList())).summary();
        assertThat(summary).contains("kind-3", "and 5 more\n").doesNotContain("kind-4");
    }

    private static TextReport withOutcome(final LoadOutcome outcome)
    {
        return with(measurement(outcome), null);
    }

    private static TextReport withClientPart(final int knownCount)
    {
        final LoadMeasurement whole = usual().run().evidence().measurement();
        final Histogram lateness = TimeRecorder.newHistogram();
        lateness.recordValueWithCount(90_000, knownCount);
        return with(
            new LoadMeasurement(
            whole.outcome(), new Histograms().add(whole.times()).add(Time.RECEIVE_LATENESS, lateness)),
            new ClientShare(0.1, 0.08, 0.12, ClientShare.Decision.BELOW, 1, 10, 10, 1_000 == knownCount, null, null));
    }

    private static TextReport with(final LoadMeasurement measurement, final ClientShare share)
    {
        final TextReport usual = usual();
        final RunFindings run = usual.run();
        return new TextReport(
            new RunFindings(
            run.description(), new RunEvidence(
            measurement, RATE, List.of(), false, List.of(), List.of(), List.of(), null, null, share, null, false),
            times(measurement), run.diagnosis(), null, null, null, run.cpu(), run.members(), run.floor(), List.of()),
            usual.verdict(), usual.folder(), true);
    }

    private static TextReport usual()
    {
        final LoadOutcome outcome = new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, 64_200_000).set(Counter.ANSWERED, 64_200_000)
            .set(Counter.BACK_PRESSURED, 8_247_668),
            106_999.9, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
        return new TextReport(
            findings(
            "none emulated", outcome, new Diagnosis("p99 is 2.0 times the median (990 us, 500 us)", false, causes(2, 3)), 3,
            List.of()),
            new Verdict(
                List.of(), List.of("the client's machine was not quiet: the client stalled for up to 18.4 ms"), ""),
            "results/20261123-101112-reference", true);
    }

    @Test
    void shouldWeighStagesByTheMessagesThatHaveThem()
    {
        final StageTimes stages = new StageTimes();
        stages.onStamps(SampleStamps.of(true, 100_000, 200_000, 300_000, 400_000), 0, 500_000);
        stages.onStamps(SampleStamps.of(false, 7_000_000, 7_100_000, 7_200_000, 7_300_000), 0, 500_000);
        final LoadOutcome outcome = new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, 2).set(Counter.ANSWERED, 2), 1.0, 0, TimeRecorder.newHistogram(), stages,
            List.of(), List.of(), null);
        assertThat(StageReport.means(measurement(outcome))).contains(
            "to leader 50.0 us (5%), log 100 us (10%), quorum 100 us (10%), to service 100 us (10%), to client 50.0 us (5%)",
            "to leader and to client 100 us (10%)");
    }

    private static TextReport worst(final int memberCount)
    {
        final StageTimes stages = new StageTimes();
        stages.onStamps(SampleStamps.of(true, 100_000, 200_000, 300_000, 400_000), 0, 500_000);
        final Counts counts = new Counts();
        Stream.of(Counter.values()).forEach((counter) -> counts.set(counter, 123_456_789));
        Stream.of(Counter.NEW_LEADERS, Counter.RECONNECTS, Counter.GAPS, Counter.FORGOTTEN, Counter.BOUND_WAITS)
            .forEach((counter) -> counts.set(counter, 20));
        counts.set(Counter.SCHEDULED, 1_000_000_000).set(Counter.ANSWERED, 999_999_990)
            .set(Counter.BACK_PRESSURED, 1_234_567_890).set(Counter.DISCONNECTED, 1_234_567_890)
            .set(Counter.WARM_UP_SKIPPED, 20);
        final LoadOutcome outcome = new LoadOutcome(
            counts, 99_999.9, 0, TimeRecorder.newHistogram(), stages, List.of(), List.of(), List.of(SLOW));
        final List<String> reasons = sentences(
            12, "cycle %d: the leader returned 100 ms after the fault, before the others elected another, and leads again");
        final List<String> warnings = sentences(
            15, "from member %d to this client datagrams of 8,192 bytes are cut on their way, which costs more than a larger " +
            "MTU gains: choose an MTU that the path carries");
        final List<ClientRecord> clients = IntStream.range(0, 4).mapToObj((i) -> ClientRecord.of(
            i, "clients/" + i, "host-" + i, i, "ssh host-" + i, "", new ClockOffset(0, 1_200, 0), measurement(outcome),
            1_000_000, Map.of())).toList();
        return new TextReport(
            findings(
            "emulated region: member 0 in a, 1 in b, 2 in c, 3 in d, 4 in e, clients in a; one way a-b 490 us, a-c 490 us, " +
            "b-c 490 us; added to an echo: 980 us if member 0 leads, 1.96 ms if member 1 leads", outcome,
            new Diagnosis("p99 is 410.8 times the median (296 ms, 720 us)", true, causes(9, 5)), memberCount, clients),
            new Verdict(
            Stream.concat(
            reasons.stream().map((reason) -> Reason.of(Reason.Kind.PROBLEM, reason)),
            Stream.of(Reason.of(Reason.Kind.THRESHOLD, "p99<1ms", "p99<1ms, but it is 990 us"))).toList(),
            warnings, "ended early", false), FOLDER, true);
    }

    private static RunFindings findings(
        final String placement, final LoadOutcome outcome, final Diagnosis diagnosis, final int memberCount,
        final List<ClientRecord> clients)
    {
        return new RunFindings(
            description(placement), RunEvidence.of(measurement(outcome), RATE), times(measurement(outcome)), diagnosis, null,
            // Shown as 4.5: rounded once, not by way of 4.550.
            null, null, CpuCost.of(4.5496, 13.7), members(memberCount),
            new FloorRatio(96_000L, 5.2, 48_000L, 10.4, 0L, "results/baseline", null), clients);
    }

    private static RunDescription description(final String placement)
    {
        return new RunDescription(
            "reference", Instant.EPOCH, "run",
            Map.of("driver-threads", "invoker", "idle", "yielding", "duty-cycle-interval", "50000ns"), Map.of(), DURABILITY,
            placement, 1_462_143);
    }

    private static LoadMeasurement measurement(final LoadOutcome outcome)
    {
        final Histogram times = TimeRecorder.newHistogram();
        for (int i = 1; i <= 1_000; i++)
        {
            times.recordValue(1_000L * i);
        }

        return new LoadMeasurement(outcome, new Histograms().add(Time.RESPONSE, times).add(Time.SERVICE, times)
            .add(Time.SEND_DELAY, times).add(Time.STALL, times));
    }

    private static Map<Time, Times> times(final LoadMeasurement measurement)
    {
        final String few = "few messages are beyond it";
        final List<Long> some = List.of(4_000L, 6_000L);
        return Map.of(
            Time.RESPONSE, times(
            measurement, Time.RESPONSE, Map.of(
            "p50", List.of(490_000L, 510_000L), "p90", List.of(880_000L, 911_000L), "p99", List.of(980_000L, 1_040_000L)),
            new TreeMap<>(Map.of("p99.9", few, "p99.99", few))),
            Time.SERVICE, Times.unbounded(measurement.times().of(Time.SERVICE), "it has few intervals"),
            Time.SEND_DELAY, times(
            measurement, Time.SEND_DELAY, Map.of("p50", some, "p99.9", some), Map.of("p99.99", few)),
            Time.RECEIVE_LATENESS, Times.unbounded(measurement.times().of(Time.RECEIVE_LATENESS), "it has few intervals"));
    }

    private static Times times(
        final LoadMeasurement measurement, final Time time, final Map<String, List<Long>> bounds,
        final Map<String, String> missing)
    {
        final Times times = Times.of(measurement.times().of(time));
        return new Times(times.percentiles(), times.min(), times.mean(), times.count(), bounds, missing);
    }

    private static List<MemberLoad> members(final int count)
    {
        return IntStream.range(0, count).mapToObj((i) -> new MemberLoad(
            i, 0 == i ? "leader" : "follower", i + 0.52, "limited by cores: its threads waited 1,234 ms/s for one", 672_400.0,
            336.2, null)).toList();
    }

    private static List<TailCause> causes(final int count, final int memberCount)
    {
        final String members =
            String.join(", ", IntStream.range(0, memberCount).mapToObj((i) -> "member-" + i + " 414,759 ms").toList());
        return sentences(count, "runnable threads waited for a core %d times: " + members).stream()
            .map((cause) -> new TailCause("few-cores", cause, "use more cores", 1, 1)).toList();
    }

    private static List<String> sentences(final int count, final String format)
    {
        return IntStream.range(0, count).mapToObj((i) -> String.format(format, i)).toList();
    }
}
