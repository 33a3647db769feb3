package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.settings.Quantity;

/** Why warm-up and measured window ended when they did, where the run decided that itself. */
public record WindowEnds(WarmUp warmUp, Until until)
{
    public static final WindowEnds PLANNED = new WindowEnds(null, null);

    /** What ended one of them. */
    public enum Cause
    {
        steady,
        /** The percentile was known as precisely as required. */
        precise,
        /** The longest time allowed. */
        bound,
        /** A request of the user, or whatever else ended the run early. */
        request
    }

    /**
     * The warm-up.
     *
     * @param unsteady what was not steady at its last interval; null if it was steady.
     */
    public record WarmUp(long lengthNs, long boundNs, Cause endedBy, String unsteady)
    {
        private String text()
        {
            return "warm-up of " + Quantity.formatNs(lengthNs) + switch (endedBy)
            {
                case steady, precise -> ", until steady";
                case bound -> null == unsteady ? ", to its bound: steady" : ", to its bound: not steady";
                case request -> ", ended early";
            } + " (at most " + Quantity.formatNs(boundNs) + ")";
        }
    }

    /**
     * The measured window.
     *
     * @param goal           as the user wrote it, such as {@code p99+-5%}.
     * @param endedBy        what ended it.
     * @param halfWidthShare half of the width of the bounds at its last interval, as a share of the percentile; null without.
     */
    public record Until(
        String goal, long lengthNs, long boundNs, Cause endedBy, Double halfWidthShare, String missing, int lookCount)
    {
        private String text()
        {
            return "measured for " + Quantity.formatNs(lengthNs) + switch (endedBy)
            {
                case steady, precise -> ", until " + goal;
                case bound -> ", to the bound, for " + goal;
                case request -> ", ended early, for " + goal;
            } + ": " + width() + " (at most " + Quantity.formatNs(boundNs) + "; looked " + lookCount + " times)";
        }

        private String width()
        {
            return null == halfWidthShare ? "no bounds" : "+-" + PrecisionGoal.percent(halfWidthShare);
        }
    }

    /** How warm-up and measured window ended, a line each for a person. */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        if (null != warmUp)
        {
            lines.add(warmUp.text());
        }
        if (null != until)
        {
            lines.add(until.text());
        }
        return lines;
    }

    /** What was not reached, a sentence each. */
    public List<String> warnings()
    {
        final List<String> warnings = new ArrayList<>();
        if (null != warmUp && Cause.bound == warmUp.endedBy && null != warmUp.unsteady)
        {
            warnings.add(String.format(
                Locale.ROOT, "the warm-up met its bound of %s before response times were steady: %s",
                Quantity.formatNs(warmUp.boundNs), warmUp.unsteady));
        }
        if (null != until && Cause.bound == until.endedBy)
        {
            warnings.add(String.format(
                Locale.ROOT, "the run met its bound of %s before %s was reached: %s", Quantity.formatNs(until.boundNs),
                until.goal, null == until.halfWidthShare ? until.missing : until.width()));
        }
        return warnings;
    }
}
