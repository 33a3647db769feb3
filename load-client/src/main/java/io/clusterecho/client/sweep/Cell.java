package io.clusterecho.client.sweep;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.settings.Quantity;

/**
 * One combination of values.
 *
 * @param number in the order of the sweep, from 1.
 * @param values of every dimension.
 */
public record Cell(int number, Map<Dimension, String> values)
{
    /**
     * Value in a dimension.
     *
     * @param dimension to look up.
     * @return in its one form.
     */
    public String value(final Dimension dimension)
    {
        return values.get(dimension);
    }

    /**
     * What its cluster is told.
     *
     * @return values of the dimensions that are of the cluster.
     */
    public Map<Dimension, String> cluster()
    {
        final Map<Dimension, String> cluster = new EnumMap<>(values);
        cluster.keySet().removeIf((dimension) -> !dimension.isOfCluster());
        return cluster;
    }

    /**
     * Name among cells that differ in some dimensions.
     *
     * @param varied the dimensions in which they differ.
     * @return for instance {@code fsync=0 size=288}.
     */
    public String name(final Collection<Dimension> varied)
    {
        return varied.isEmpty() ? "the only cell" : varied.stream().map((dimension) -> dimension.key() + "=" + value(dimension))
            .collect(Collectors.joining(" "));
    }

    /**
     * Messages per second.
     *
     * @param maxRate that shares are of, in messages per second.
     * @param scale   factor on all rates.
     * @return three digits of it where it is a share or scaled; at least 1.
     */
    public long ratePerSecond(final long maxRate, final double scale)
    {
        final String text = value(Dimension.RATE);
        final boolean isShare = text.endsWith("%");
        final double rate = scale * (isShare ? Quantity.parseShare(text) * maxRate : Double.parseDouble(text));
        return Math.max(1, isShare || 1 != scale ? Quantity.threeDigits(rate) : Math.round(rate));
    }
}
