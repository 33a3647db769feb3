package io.clusterecho.reporting.results;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * How precisely a run is to determine a percentile of the response time, as in {@code p99+-5%}.
 *
 * @param percentile of the response time, except the largest value.
 * @param share      half of the width of its 95% bounds, as a share of the percentile; from 0.001 to 0.5.
 */
public record PrecisionGoal(Percentile percentile, double share)
{
    private static final String ALLOWED =
        "a percentile (p50, p90, p99, p99.9 or p99.99), +- or \u00b1, and a share of it from 0.1% to 50%, as in p99+-5%";
    /** In the C locale a JVM reads two unknown characters for the bytes of the sign. */
    private static final Pattern FORM =
        Pattern.compile("\\s*(p[0-9.]+)\\s*(?:\\+-|\u00b1|\uFFFD{1,2})\\s*(\\S+)\\s*");
    private static final double LEAST = 0.001;
    private static final double MOST = 0.5;

    /** Parse a goal such as {@code p99+-5%}; an {@link IllegalArgumentException} says what is allowed. */
    public static PrecisionGoal parse(final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        final double share = matcher.matches() ? Quantity.parseShare(matcher.group(2)) : 0;
        return Stream.of(Percentile.values())
            .filter((percentile) -> share >= LEAST && share <= MOST && percentile.label().equals(matcher.group(1)))
            .findFirst().map((percentile) -> new PrecisionGoal(percentile, share))
            .orElseThrow(() -> new IllegalArgumentException(ALLOWED));
    }

    @Override
    public String toString()
    {
        return percentile.label() + "+-" + percent(share);
    }

    static String percent(final double share)
    {
        return Lines.text("%.1f", 100 * share).replaceFirst("\\.0$", "") + "%";
    }
}
