package io.clusterecho.reporting.compare;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * The comparison of one metric.
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
    /** What is proven about the difference. */
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
        return Double.isInfinite(share) ? "from 0" : String.format(Locale.ROOT, "%+.1f%%", 100 * share);
    }
}
