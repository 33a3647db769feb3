package io.clusterecho.reporting.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.report.LiveRun.Snapshot;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;

import org.HdrHistogram.Histogram;

/**
 * The metrics of a run in progress for Prometheus. All values of an answer are of the same interval, which the thread that
 * watches the run has taken anyway. Thread-safe.
 */
final class LiveMetrics
{
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final String PREFIX = "cluster_echo_client_";
    private static final double NS_PER_S = 1e9;
    /** Three buckets a decade, from 10 us to 10 s. */
    private static final long[] BOUNDS_NS = bounds(10_000, 10_000_000_000L);

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final LiveRun run;
    private Snapshot now;

    LiveMetrics(final LiveRun run)
    {
        this.run = run;
        Info.builder().name(PREFIX + "run").help("Label and durability of the run.").labelNames("label", "durability")
            .register(registry).setLabelValues(run.label(), run.durability());
        putMessages();
        putState();
        putTimes(Time.RESPONSE, "Receive time - intended send time");
        putTimes(Time.SERVICE, "Receive time - send time");
        putTimes(Time.SEND_DELAY, "Send time - intended send time");
        putTimes(Time.RECEIVE_LATENESS, "Receive time - arrival of the reply, where known");
        register(this::newestTimes);
        putTimes(Time.STALL, "Stalls of the client's process");
    }

    /** All metrics, in Prometheus' text format. */
    synchronized byte[] text()
    {
        now = run.snapshot();
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        try
        {
            writer.write(text, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("memory cannot fail", ex);
        }
        return text.toByteArray();
    }

    private void putMessages()
    {
        putCount("sent_messages", "Messages handed to the transport, warm-up included.", Counter.SENT_ALL);
        putCount("answered_messages", "First replies, warm-up included.", Counter.ANSWERED_ALL);
        putCount("late_messages", "First replies beyond the late limit, of the measured window.", Counter.LATE);
        putCounter(
            "lost_messages", "Measured messages that were sent and had no reply by the end of the run; 0 until then.",
            (snapshot) -> snapshot.isComplete() ?
            snapshot.totals().of(Counter.SENT) - snapshot.totals().of(Counter.ANSWERED) - snapshot.totals().of(Counter.LATE) : 0);
        putCount("duplicate_replies", "Further replies to an answered message of the measured window.", Counter.DUPLICATES);
        putCount("corrupt_replies", "Replies that are not the complete echo of a message.", Counter.CORRUPT);
        putCount("out_of_order_replies", "First replies overtaken by a reply to a newer message.", Counter.OUT_OF_ORDER);
        putCount("resent_messages", "Messages sent again.", Counter.RESENT);
        putCount("back_pressured_offers", "Attempts to send that met back pressure.", Counter.BACK_PRESSURED);
        putCount("disconnected_offers", "Attempts to send without a session.", Counter.DISCONNECTED);
        putCount("leader_changes", "Changes of leader that the client saw.", Counter.NEW_LEADERS);
        putCount("reconnects", "Sessions opened to replace lost ones.", Counter.RECONNECTS);
        putGauge(
            "in_flight_messages", "Messages sent and not answered, warm-up included.",
            (snapshot) -> snapshot.totals().of(Counter.SENT_ALL) - snapshot.totals().of(Counter.ANSWERED_ALL));
        putGauge("target_messages_per_second", "Rate of the schedule.", Snapshot::ratePerSecondAsked);
        putGauge(
            "achieved_messages_per_second", "First replies per second in the newest interval.", Snapshot::achievedPerSecond);
    }

    private void putState()
    {
        putGauge(
            "leader_member_id", "Member id of the leader, -1 if unknown.",
            (snapshot) -> snapshot.rows().isEmpty() || newest(snapshot).leader().isEmpty() ? -1 :
            Integer.parseInt(newest(snapshot).leader()));
        GaugeWithCallback.builder().name(PREFIX + "phase").labelNames("phase")
            .help("1 for the phase of the newest interval, 0 for the others.")
            .callback((callback) -> List.of(RunPhase.WARM_UP, RunPhase.MEASURE, RunPhase.DRAIN).forEach((phase) -> callback.call(
                !now.rows().isEmpty() && newest(now).phase().equals(phase.label()) ? 1 : 0, phase.label())))
            .register(registry);
        putGauge(
            "run_failed", "Verdict so far: 1 if replies, stalls or times have already failed the run, else 0; rate and losses " +
            "are judged at its end.",
            (snapshot) -> isFailed(snapshot) ? 1 : 0);
    }

    private boolean isFailed(final Snapshot snapshot)
    {
        final LoadMeasurement measurement = snapshot.measurement();
        return measurement.outcome().of(Counter.SCHEDULED) > 0 && !Verdict.of(new RunEvidence(
            measurement, Math.max(1, snapshot.ratePerSecondAsked()), run.thresholds(), false, List.of(), List.of(), List.of(),
            null)).isGood();
    }

    /** A histogram of the run so far. */
    private void putTimes(final Time time, final String help)
    {
        register(() -> HistogramSnapshot.builder()
            .name(PREFIX + time.label().replace(' ', '_') + "_seconds").help(help + ", of the measured window so far.")
            .dataPoint(dataPoint(now.measurement().times().of(time))).build());
    }

    private static HistogramSnapshot.HistogramDataPointSnapshot dataPoint(final Histogram times)
    {
        final ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long below = 0;
        for (final long boundNs : BOUNDS_NS)
        {
            final long count = times.getCountBetweenValues(0, boundNs);
            buckets.bucket(boundNs / NS_PER_S, count - below);
            below = count;
        }
        final long count = times.getTotalCount();
        buckets.bucket(Double.POSITIVE_INFINITY, count - below);
        return HistogramSnapshot.HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(buckets.build()).sum(0 == count ? 0 : times.getMean() * count / NS_PER_S).build();
    }

    /** Exact quantiles, which buckets do not have. */
    private SummarySnapshot newestTimes()
    {
        final Histogram times = now.newestTimes();
        final Quantiles.Builder quantiles = Quantiles.builder();
        for (final Percentile percentile : Percentile.values())
        {
            // No quantile of too few: 0 would look like a fast interval.
            final Long timeNs = percentile.stated(times);
            quantiles.quantile(
                Math.round(percentile.percent() * 1e4) / 1e6, null == timeNs ? Double.NaN : timeNs / NS_PER_S);
        }
        return SummarySnapshot.builder()
            .name(PREFIX + "interval_response_time_seconds")
            .help("Receive time - intended send time, quantiles of the newest interval.")
            .dataPoint(SummarySnapshot.SummaryDataPointSnapshot.builder().quantiles(quantiles.build()).build()).build();
    }

    private static Interval newest(final Snapshot snapshot)
    {
        return snapshot.rows().get(snapshot.rows().size() - 1).interval();
    }

    private void putCount(final String name, final String help, final Counter counter)
    {
        putCounter(name, help, (snapshot) -> snapshot.totals().of(counter));
    }

    private void putCounter(final String name, final String help, final ToDoubleFunction<Snapshot> value)
    {
        CounterWithCallback.builder().name(PREFIX + name + "_total").help(help)
            .callback((callback) -> callback.call(value.applyAsDouble(now))).register(registry);
    }

    private void putGauge(final String name, final String help, final ToDoubleFunction<Snapshot> value)
    {
        GaugeWithCallback.builder().name(PREFIX + name).help(help)
            .callback((callback) -> callback.call(value.applyAsDouble(now))).register(registry);
    }

    private void register(final Collector collector)
    {
        registry.register(collector);
    }

    private static long[] bounds(final long firstNs, final long lastNs)
    {
        final long[] bounds = new long[(int)Math.round(3 * Math.log10((double)lastNs / firstNs)) + 1];
        long decadeNs = firstNs;
        for (int i = 0; i < bounds.length; i++)
        {
            bounds[i] = decadeNs * (0 == i % 3 ? 1 : 1 == i % 3 ? 2 : 5);
            decadeNs *= 2 == i % 3 ? 10 : 1;
        }

        return bounds;
    }
}
