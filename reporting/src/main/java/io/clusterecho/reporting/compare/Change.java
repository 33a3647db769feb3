package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * How a metric changed between two sets of runs: the one judge of {@code compare} and of the gate of {@code trend}.
 *
 * @param share          median of B divided by that of A, less 1; infinite where that of A alone is 0.
 * @param pValue         of this metric alone, without correction.
 * @param adjustedPValue corrected for the number of metrics.
 */
@JsonPropertyOrder({ "metric", "unit", "a", "b", "change", "p", "adjustedP", "outcome" })
record Change(
    Metric metric,
    MedianInterval a,
    MedianInterval b,
    @JsonIgnore double share,
    @JsonProperty("p") double pValue,
    @JsonProperty("adjustedP") double adjustedPValue,
    Outcome outcome)
{
    enum Outcome
    {
        /** Proven, large enough to matter, and better. */
        BETTER("better"),
        /** Proven, large enough to matter, and worse. */
        WORSE("worse"),
        /** Proven, but too small to matter. */
        SMALL("~"),
        /** The difference is not significant. */
        UNPROVEN("~");

        private final String sign;

        Outcome(final String sign)
        {
            this.sign = sign;
        }
    }

    /**
     * A metric of two sets.
     *
     * @param a      reference, at least one run.
     * @param b      compared with it, at least one run.
     * @param points medians of the days that A is of, beyond all of which a proven change is, since what was the same for all
     *               runs of a day counts in every one of them; empty if A and B were made in turn.
     */
    record Pair(Metric metric, RunSet a, RunSet b, List<Double> points)
    {
    }

    /**
     * A metric of the starts of a set. Few runs that happen to agree do not know it better than each knows its own percentile.
     *
     * @param below uncertainty of the median from that within the runs, in ns; 0 if they have no bounds. Also {@code above}.
     */
    private record Sample(double[] values, MedianInterval interval, double below, double above)
    {
        /** Standard error of a median, as a multiple of that of a mean: the root of half of pi, for a normal distribution. */
        private static final double MEDIAN_FACTOR = 1.2533;

        static Sample of(final RunSet set, final Metric metric, final double confidence)
        {
            final double[] values = set.values(metric);
            final MedianInterval interval = MedianInterval.of(values, confidence);
            if (set.runs().stream().anyMatch((run) -> null == metric.boundsIn(run)))
            {
                return new Sample(values, interval, 0, 0);
            }
            final double factor = 1 == values.length ? 1 : MEDIAN_FACTOR / Math.sqrt(values.length);
            final double below = factor * median(set, (run) -> metric.of(run) - metric.boundsIn(run)[0]);
            final double above = factor * median(set, (run) -> metric.boundsIn(run)[1] - metric.of(run));
            final MedianInterval widened = new MedianInterval(
                interval.median(), Math.min(interval.low(), interval.median() - below),
                Math.max(interval.high(), interval.median() + above), interval.confidence());
            return new Sample(values, widened, below, above);
        }

        private static double median(final RunSet set, final ToDoubleFunction<ComparedRun> value)
        {
            return NearestRank.of(set.runs().stream().mapToDouble(value).toArray(), NearestRank.MEDIAN);
        }

        /** Whether both leave open at least the difference of their medians. */
        boolean isWithinThatOf(final Sample other)
        {
            final double difference = other.interval.median() - interval.median();
            return below + above > 0 && other.below + other.above > 0 && Math.abs(difference) <=
                (difference > 0 ? Math.hypot(above, other.below) : Math.hypot(below, other.above));
        }
    }

    /** Whether even starts that do not overlap could not prove a change. */
    static boolean isTooFew(final int countA, final int countB, final double alpha)
    {
        return 0 == countA || 0 == countB || MannWhitney.leastPValue(countA, countB) > alpha;
    }

    /**
     * Compare several metrics, unproven where there are too few starts. The p-values are corrected by Holm's method: the smallest
     * of n is multiplied by n, the next by n - 1, and so on, and none is less than the one before. The chance of any false alarm
     * is at most the significance level, however the metrics depend on one another.
     */
    static List<Change> judged(final List<Pair> pairs, final ComparisonPlan plan)
    {
        final List<Sample> a = pairs.stream().map((pair) -> Sample.of(pair.a, pair.metric, 1 - plan.alpha())).toList();
        final List<Sample> b = pairs.stream().map((pair) -> Sample.of(pair.b, pair.metric, 1 - plan.alpha())).toList();
        final double[] pValues = IntStream.range(0, pairs.size())
            .mapToDouble((i) -> MannWhitney.pValue(a.get(i).values, b.get(i).values)).toArray();
        final List<Change> changes = new ArrayList<>(Collections.nCopies(pairs.size(), null));
        double least = 0;
        int left = pairs.size();
        for (final int i : IntStream.range(0, left).boxed().sorted(Comparator.comparingDouble((one) -> pValues[one])).toList())
        {
            least = Math.max(least, Math.min(1, left-- * pValues[i]));
            changes.set(i, of(pairs.get(i), a.get(i), b.get(i), plan, plan.alpha() / pairs.size(), pValues[i], least));
        }
        return changes;
    }

    private static Change of(
        final Pair pair,
        final Sample a,
        final Sample b,
        final ComparisonPlan plan,
        final double strictestAlpha,
        final double pValue,
        final double adjustedPValue)
    {
        final double median = b.interval.median();
        final double share = a.interval.median() == median ? 0 : median / a.interval.median() - 1;
        // The test compares ranks; where the medians point the other way, it proves no change of them.
        final boolean isProven = !isTooFew(a.values.length, b.values.length, strictestAlpha) && adjustedPValue <= plan.alpha() &&
            Math.signum(share) * MannWhitney.direction(a.values, b.values) >= 0 && !a.isWithinThatOf(b) &&
            (pair.points.stream().allMatch((point) -> median > point) ||
            pair.points.stream().allMatch((point) -> median < point));
        return new Change(pair.metric, a.interval, b.interval, share, pValue, adjustedPValue, !isProven ? Outcome.UNPROVEN :
            Math.abs(share) < plan.minEffect() ? Outcome.SMALL :
            share > 0 == pair.metric.isHigherBetter() ? Outcome.BETTER : Outcome.WORSE);
    }

    @JsonProperty
    String unit()
    {
        return metric.unit();
    }

    /** The share, or null if it is not a number. */
    @JsonProperty
    @JsonInclude(JsonInclude.Include.ALWAYS)
    Double change()
    {
        return Double.isFinite(share) ? share : null;
    }

    /** Whether a difference that matters is proven. */
    boolean isShown()
    {
        return Outcome.BETTER == outcome || isWorse();
    }

    boolean isWorse()
    {
        return Outcome.WORSE == outcome;
    }

    /** {@code better}, {@code worse}, or {@code ~} unless a difference that matters is proven. */
    String sign()
    {
        return outcome.sign;
    }

    String shareText()
    {
        return Double.isInfinite(share) ? "from 0" : Lines.text("%+.1f%%", 100 * share);
    }
}
