package io.clusterecho.reporting.results;

import java.nio.file.Path;

import io.clusterecho.reporting.confidence.TailShare;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * How much of the time of the slowest 1% of messages is the client's own: send delay without back pressure, and receive
 * lateness. It is a ratio of sums, from {@code response-time.hlog} and {@code client-part.hlog}, which a cliff of the times
 * does not move as it moves a ratio of percentiles.
 *
 * @param share              from 0 to 1, at least: where the arrival of replies is not known it has the send delay alone.
 * @param low                lower bound, with 95% confidence, or null if not known.
 * @param clientNs           the client's part in the slowest 1%.
 * @param responseNs         response times of the slowest 1%.
 * @param messages           that are the slowest 1%.
 * @param isEachArrivalKnown whether the receive lateness of each message is in it.
 * @param coreWait           for cores that client and members share, or null if they did not or it is not known.
 * @param missing            why there are no bounds; null if there are.
 */
public record ClientShare(
    double share, Double low, Double high, Decision decision, long clientNs, long responseNs, long messages,
    boolean isEachArrivalKnown, CoreWait coreWait, String missing)
{
    /** From here on the client adds as much as everything else, so that the number is not one of the system. */
    public static final double LIMIT = 0.5;

    /** Where the scatter is not known, the client limits a run only if it adds three times as much as everything else. */
    static final double LIMIT_WITHOUT_BOUNDS = 0.75;

    /** Whether the client limits a run. */
    public enum Decision
    {
        /** The share is below the limit. */
        BELOW,
        /** The limit is within the bounds, or there are none and the share is not far enough above it. */
        UNDECIDED,
        /** All of the bounds are above the limit. */
        LIMITED
    }

    /** How long client and members on one machine waited for a core although they could run, in ms for each second. */
    public record CoreWait(double clientMsPerS, double membersMsPerS)
    {
        private static final double LEAST_MS_PER_S = 10;

        /** Rounded, or null if not both waited long enough to say that they share cores. */
        private CoreWait shared()
        {
            return clientMsPerS >= LEAST_MS_PER_S && membersMsPerS >= LEAST_MS_PER_S ?
                new CoreWait(Math.round(10 * clientMsPerS) / 10.0, Math.round(10 * membersMsPerS) / 10.0) : null;
        }
    }

    /** Null if not known: no system but the client, messages without a reply, or files that cannot be read. */
    public static ClientShare of(final Path folder, final LoadMeasurement measurement, final CoreWait wait)
    {
        final long count = measurement.times().of(Time.RESPONSE).getTotalCount();
        if (0 == measurement.times().of(Time.CLIENT_PART).getTotalCount() ||
            measurement.times().of(Time.SERVICE).getTotalCount() != count)
        {
            return null;
        }

        final TailShare tail = new TailShare(measurement.times().of(Time.RESPONSE));
        try (HistogramLog times = new HistogramLog(folder.resolve(Time.RESPONSE.log()));
            HistogramLog parts = new HistogramLog(folder.resolve(Time.CLIENT_PART.log())))
        {
            for (Histogram time = times.next(), part = parts.next(); null != time && null != part;
                time = times.next(), part = parts.next())
            {
                tail.add(time, part);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            // The verdict names evidence that could not be written.
            return null;
        }
        return tail.isComplete() ? of(tail, measurement.times().of(Time.RECEIVE_LATENESS).getTotalCount() == count, wait) : null;
    }

    static ClientShare of(final TailShare tail, final boolean isEachArrivalKnown, final CoreWait wait)
    {
        final String missing = tail.missing();
        final Double low = null == missing ? rounded(tail.share() - tail.halfWidth()) : null;
        final Double high = null == missing ? rounded(tail.share() + tail.halfWidth()) : null;
        return new ClientShare(
            rounded(tail.share()), low, high, decision(tail.share(), low, high), Math.round(tail.partNs()),
            Math.round(tail.timeNs()), Math.round(tail.count()), isEachArrivalKnown,
            null == wait ? null : wait.shared(), missing);
    }

    private static Decision decision(final double share, final Double low, final Double high)
    {
        return (null == high ? share : high) < LIMIT ? Decision.BELOW :
            (null == low ? share >= LIMIT_WITHOUT_BOUNDS : low >= LIMIT) ? Decision.LIMITED : Decision.UNDECIDED;
    }

    private static double rounded(final double share)
    {
        return Math.round(1e4 * Math.max(0, Math.min(1, share))) / 1e4;
    }

    /** Share with its bounds, for instance {@code at least 57% (51-63%)}. */
    public String text()
    {
        return (isEachArrivalKnown ? "" : "at least ") + Math.round(100 * share) + "%" + (null == low ? "" :
            Lines.text(" (%.0f-%.0f%%)", 100 * low, 100 * high));
    }

    String warning()
    {
        final String where = Lines.text(
            "%s of the time of the slowest 1%% passed in the client (%,d of %,d us, %,d messages)", text(),
            clientNs / 1_000, responseNs / 1_000, messages);
        final String advice = null == coreWait ?
            ": give the client its own cores or another machine, or lower the rate" : Lines.text(
            "; it shares its cores with the members, which waited for one for %.0f ms of each second, the client " +
            "for %.0f ms: use a machine with more cores, or compare only with runs of this one", coreWait.membersMsPerS,
            coreWait.clientMsPerS);
        return (Decision.LIMITED == decision ? Verdict.CLIENT_LIMITED : "undecided whether the client limits the tail") + ": " +
            where + (null == missing ? "" : ", its scatter is not known (" + missing + ")") + advice;
    }
}
