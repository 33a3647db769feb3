package io.clusterecho.client.sweep;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.settings.Quantity;

/** A combination of values of a sweep, one for each dimension, with its number in the order of the sweep, from 1. */
public record Cell(int number, Map<Dimension, String> values)
{
    /** Value of a dimension, in canonical form. */
    public String value(final Dimension dimension)
    {
        return values.get(dimension);
    }

    /** Whether a fault hits a follower. */
    public boolean isFault()
    {
        return !Dimension.NONE.equals(value(Dimension.FAULT));
    }

    /** Whether its highest rate is searched, rather than run at a rate that is given. */
    public boolean isSearch()
    {
        return Dimension.MAX.equals(value(Dimension.RATE));
    }

    /** Values of the dimensions that configure the cluster, or the servers of another system. */
    public Map<Dimension, String> system()
    {
        final Map<Dimension, String> system = new EnumMap<>(values);
        system.keySet().removeIf((dimension) -> !dimension.isOfSystem());
        return system;
    }

    /** Name among cells that differ in some dimensions, for instance {@code fsync=0 size=288}. */
    public String name(final Collection<Dimension> varied)
    {
        return varied.isEmpty() ? "the only cell" : varied.stream().map((dimension) -> dimension.key() + "=" + value(dimension))
            .collect(Collectors.joining(" "));
    }

    /**
     * Target rate in messages per second; not of a cell whose rate is searched.
     *
     * @param maxRate that shares refer to, in messages per second.
     * @return at least 1; rounded to three digits if it is a share or scaled.
     */
    public long ratePerSecond(final long maxRate, final double scale)
    {
        final String text = value(Dimension.RATE);
        final boolean isShare = text.endsWith("%");
        final double rate = scale * (isShare ? Quantity.parseShare(text) * maxRate : Double.parseDouble(text));
        return Math.max(1, isShare || 1 != scale ? Quantity.threeDigits(rate) : Math.round(rate));
    }
}
