package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/** Evidence of a faultless run, 1,000 messages at 1,000/s, to be modified by tests. */
final class SampleEvidence
{
    static final long RATE = 1_000;
    static final long NS_PER_MS = 1_000_000L;
    static final long OUTAGE_BOUND_NS = 500 * NS_PER_MS;

    long scheduled = 1_000;
    long answered = 1_000;
    long warmUpAnswered;
    long late;
    long unanswered;
    long neverSent;
    long duplicates;
    long outOfOrder;
    long corrupt;
    long events;
    long newLeaders;
    long reconnects;
    long gaps;
    long forgotten;
    long warmUpSkipped;
    double ratePerSecondAchieved = RATE;
    long stallNs;
    boolean isMeasured = true;
    String thresholds = "";
    boolean isPartial;
    List<String> problems = List.of();
    List<String> warnings = List.of();
    List<MemberAbsence> absences = List.of();

    SteadyState steadyState;
    ClientShare clientShare;
    boolean isOwnService;

    boolean isFailover;
    boolean isExactlyOnce;
    final List<Cycle> cycles = new ArrayList<>();
    List<Long> outages = List.of();
    boolean isAudited = true;
    long acknowledgedLost;
    long appliedTwice;
    Cycle.PartTimes afterReturn;
    long lostElsewhere;
    long findingCount;
    String firstFinding = "";

    /** Evidence of a failover test without any cycle. */
    static SampleEvidence ofFailover()
    {
        final SampleEvidence sample = new SampleEvidence();
        sample.isFailover = true;
        return sample;
    }

    RunEvidence evidence()
    {
        return new RunEvidence(
            isMeasured ? measurement() : null, RATE, thresholds.isEmpty() ? List.of() : Threshold.parse(thresholds), isPartial,
            problems, warnings, absences, isFailover ? failover() : null, steadyState, clientShare, null,
            isOwnService);
    }

    Verdict verdict()
    {
        return Verdict.of(evidence());
    }

    private LoadMeasurement measurement()
    {
        final Counts counts = new Counts().set(Counter.SCHEDULED, scheduled).set(Counter.ANSWERED, answered)
            .set(Counter.LATE, late).set(Counter.UNANSWERED, unanswered).set(Counter.NEVER_SENT, neverSent)
            .set(Counter.DUPLICATES, duplicates).set(Counter.OUT_OF_ORDER, outOfOrder).set(Counter.CORRUPT, corrupt)
            .set(Counter.EVENTS, events)
            .set(Counter.NEW_LEADERS, newLeaders).set(Counter.RECONNECTS, reconnects).set(Counter.GAPS, gaps)
            .set(Counter.FORGOTTEN, forgotten).set(Counter.WARM_UP_SKIPPED, warmUpSkipped)
            .set(Counter.ANSWERED_ALL, warmUpAnswered + answered + late);
        final LoadOutcome outcome =
            new LoadOutcome(counts, ratePerSecondAchieved, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValueWithCount(NS_PER_MS, answered);
        return new LoadMeasurement(outcome, new Histograms(Map.of(
            Time.RESPONSE, times, Time.SERVICE, times, Time.SEND_DELAY, times, Time.STALL, longest(stallNs))));
    }

    private FailoverAccount failover()
    {
        return new FailoverAccount(
            isExactlyOnce, List.copyOf(cycles), outages, isAudited, acknowledgedLost, appliedTwice,
            afterReturn, lostElsewhere, findingCount, firstFinding);
    }

    /** A histogram rounds its largest value up; this one returns it exactly, so that a limit can be met to the ns. */
    private static Histogram longest(final long valueNs)
    {
        final Histogram histogram = new Histogram(3)
        {
            @Override
            public long getMaxValue()
            {
                return valueNs;
            }
        };
        histogram.recordValue(valueNs);
        return histogram;
    }
}
