package io.clusterecho.reporting.results;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * The calibration of the client that made a result; or why there is none.
 *
 * @param start         when it was made: ISO 8601, UTC.
 * @param ageS          from then until the result, in s.
 * @param worstErrorsNs largest error over all its rates and echoes, by percentile: reported - true, in ns.
 * @param missing       why there is none and how to make one, else null.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CalibrationNote(
    String folder, String start, Long ageS, String host, Map<String, Long> worstErrorsNs, String missing)
{
    private static final long S_PER_MINUTE = 60;
    private static final long S_PER_HOUR = 3_600;
    private static final long S_PER_DAY = 86_400;

    /** A result without a calibration, with the reason and how to make one. */
    public static CalibrationNote missing(final String reason)
    {
        return new CalibrationNote(null, null, null, null, null, reason);
    }

    public String text()
    {
        return null != missing ? missing : Lines.text(
            "%s ago on %s: p50 at most %s from the truth, p99 %s, p99.9 %s; %s", age(ageS), host,
            error(Percentile.P50), error(Percentile.P99), error(Percentile.P99_9), folder);
    }

    /** A time in whole units, of which there are two or more. */
    static String age(final long ageS)
    {
        return ageS >= 2 * S_PER_DAY ? ageS / S_PER_DAY + " days" : ageS >= 2 * S_PER_HOUR ? ageS / S_PER_HOUR + " h" :
            ageS >= 2 * S_PER_MINUTE ? ageS / S_PER_MINUTE + " min" : ageS + " s";
    }

    private String error(final Percentile percentile)
    {
        final Long errorNs = worstErrorsNs.get(percentile.label());
        return null == errorNs ? "unknown" : Quantity.formatNs(Math.abs(errorNs));
    }
}
