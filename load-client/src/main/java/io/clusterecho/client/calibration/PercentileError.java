package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.statistics.NearestRank;

import org.HdrHistogram.Histogram;

/**
 * A reported percentile compared with the true one.
 *
 * @param trueNs       known before the measurement, in ns.
 * @param errorNs      reported - true, in ns.
 * @param errorPercent the error in percent of the true value, with three decimals.
 * @param resolutionNs width of the histogram's bucket at the true value, in ns: an error below it is none.
 */
public record PercentileError(
    String percentile, long trueNs, long reportedNs, long errorNs, double errorPercent, long resolutionNs)
{
    private static final double PERCENT = 100;

    /**
     * Compare all percentiles of a result.
     *
     * @param trueNs   true times of the same messages in ns, in ascending order.
     * @throws IllegalArgumentException if there are not as many of the one as of the other.
     */
    public static List<PercentileError> of(final Histogram reported, final long[] trueNs)
    {
        if (0 == trueNs.length || reported.getTotalCount() != trueNs.length)
        {
            throw new IllegalArgumentException(
                "expected reported times=" + trueNs.length + " and at least 1, actual=" + reported.getTotalCount());
        }

        final List<PercentileError> errors = new ArrayList<>();
        for (final Percentile percentile : Percentile.values())
        {
            final long valueNs = trueNs[NearestRank.index(trueNs.length, percentile.percent())];
            final long errorNs = percentile.of(reported) - valueNs;
            errors.add(new PercentileError(
                percentile.label(), valueNs, percentile.of(reported), errorNs,
                Documents.rounded(PERCENT * errorNs / Math.max(1, valueNs), 3),
                reported.sizeOfEquivalentValueRange(valueNs)));
        }
        return errors;
    }

    /** Whether the reported value is lower than the true one: no lateness of a client explains that. */
    boolean isTooLow()
    {
        return errorNs < 0;
    }
}
