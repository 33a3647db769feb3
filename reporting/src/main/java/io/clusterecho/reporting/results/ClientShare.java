package io.clusterecho.reporting.results;

import java.util.Locale;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * How much of a response time is the client's own: its send delay without back pressure, and its receive lateness. The share of
 * a percentile is what the percentile loses when each message is recorded without the client's part: {@code 1 - p99 of the
 * system times / p99 of the response times}. Percentiles of parts would not add up to it.
 */
public final class ClientShare
{
    /**
     * From here on the client adds as much to a percentile as everything else, so that the number is not one of the system.
     */
    public static final double LIMIT = 0.5;

    private ClientShare()
    {
    }

    /**
     * Share of one percentile.
     *
     * @param systemTime   the same percentile of their times without the client's part, in the same unit.
     * @return from 0 to 1; 0 if there were no messages.
     */
    public static double of(final double responseTime, final double systemTime)
    {
        return responseTime <= 0 ? 0 : Math.max(0, Math.min(1, 1 - systemTime / responseTime));
    }

    /**
     * Share of the 99th percentile of a run.
     *
     * @return from 0 to 1, at least: where the arrival of replies is not known it has the send delay alone; NaN if it is not
     * known at all: no system times, or messages without a reply.
     */
    public static double ofP99(final LoadMeasurement measurement)
    {
        final long systemCount = measurement.systemTimes().getTotalCount();
        return 0 == systemCount || systemCount != measurement.responseTimes().getTotalCount() ? Double.NaN :
            of(Percentile.P99.of(measurement.responseTimes()), Percentile.P99.of(measurement.systemTimes()));
    }

    /**
     * Whether a share is too large for a claim about the system.
     *
     * @param share NaN for unknown.
     */
    public static boolean isLimiting(final double share)
    {
        return share >= LIMIT;
    }

    /**
     * The warning of a run that was limited by its client.
     */
    static String warning(final LoadMeasurement measurement)
    {
        final long arrivalCount = measurement.receiveLateness().getTotalCount();
        final boolean isEachArrivalKnown = arrivalCount == measurement.responseTimes().getTotalCount();
        return String.format(
            Locale.ROOT,
            "%s: %s%.0f%% of p99 passed in the client, before it sent%s: this p99 shows little of the system measured; give " +
            "the client its own cores or another machine, or lower the rate",
            Verdict.CLIENT_LIMITED, isEachArrivalKnown ? "" : "at least ", 100 * ofP99(measurement),
            arrivalCount > 0 ? " or after the reply had arrived" : "");
    }
}
