package io.clusterecho.reporting.published;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The published ratio to show beside a measured one, or why there is none. This is the one rule of all tables and pages: it is
 * shown only if system, call style, message, load and metric of both its figures are those of the measured ratio.
 *
 * @param ratio       of the report, empty if it must not be shown.
 * @param differences a phrase for each thing in which the report's figures differ.
 * @param notStated   names of what the report does not state, so that it cannot be checked.
 */
public record PublishedRatio(OptionalDouble ratio, List<String> differences, List<String> notStated)
{
    /** No report has such a figure. */
    public static final PublishedRatio NONE = new PublishedRatio(OptionalDouble.empty(), List.of(), List.of());

    /** One side of a ratio: a measured experiment and the published figure that is nearest to it. */
    public record Side(Experiment ours, PublishedFigure published)
    {
    }

    /** @param others differences of what was measured that no experiment names. */
    public static PublishedRatio of(final Side own, final Side base, final Collection<String> others)
    {
        final List<String> differences = new ArrayList<>();
        if (!own.published().source().equals(base.published().source()))
        {
            differences.add("source: figures of two reports, " + own.published().source() + " and " + base.published().source());
        }
        differences.addAll(differences(own));
        differences(base).stream().filter((difference) -> !differences.contains(difference))
            .forEach((difference) -> differences.add("base, " + difference));
        differences.addAll(others);
        final List<String> notStated = Stream.of(own, base)
            .flatMap((side) -> side.ours().notStatedBy(side.published().experiment()).stream()).distinct().toList();
        return new PublishedRatio(
            differences.isEmpty() ? OptionalDouble.of(own.published().value() / base.published().value()) :
            OptionalDouble.empty(), differences, notStated);
    }

    /** The inverse, as for a rate of which the report has the duration. */
    public PublishedRatio inverse()
    {
        return new PublishedRatio(
            ratio.isPresent() ? OptionalDouble.of(1 / ratio.getAsDouble()) : ratio, differences, notStated);
    }

    private static List<String> differences(final Side side)
    {
        return side.ours().differencesFrom(side.published().experiment());
    }
}
