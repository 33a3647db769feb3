package io.clusterecho.client.sweep;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** A combination of values of a sweep, one for each dimension, with its number in the order of the sweep, from 1. */
public record Cell(int number, Map<Dimension, String> values)
{
    static final String PING_PONG = "ping-pong";
    /** Begin of the load that requests prices, before their number. */
    static final String PRICES = TransportKind.PRICE_STREAM + ":";

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

    /** Whether the client sends at a rate, given or searched, rather than as fast as its load goes. */
    public boolean isAtARate()
    {
        return Dimension.AT_A_RATE.equals(value(Dimension.LOAD));
    }

    boolean isRateGiven()
    {
        return isAtARate() && !isSearch();
    }

    /** Options of its load, except those that it leaves to the command. */
    List<String> options()
    {
        return Stream.of(Dimension.CONNECTIONS, Dimension.IDLE, Dimension.SNAPSHOT_EVERY, Dimension.CHURN)
            .filter((dimension) -> !dimension.isDefault(value(dimension)))
            .flatMap((dimension) -> Stream.of("--" + dimension.key(), value(dimension))).toList();
    }

    /** Sessions, or messages in flight on each of them, of a load that is not at a rate. */
    int count(final Dimension dimension)
    {
        final String text = value(dimension);
        return Dimension.AUTO.equals(text) ? 1 : Integer.parseInt(text);
    }

    /** Messages in flight on all sessions of a load that is not at a rate. */
    long allInFlight()
    {
        return (long)count(Dimension.IN_FLIGHT) * count(Dimension.CONNECTIONS);
    }

    void check()
    {
        final String load = value(Dimension.LOAD);
        final TransportKind kind = TransportNames.kind(value(Dimension.TRANSPORT));
        InvalidSettingException.throwIf(
            !isAtARate() && !PING_PONG.equals(load) && (null == kind || !kind.loads().contains(load.split(":")[0])),
            Dimension.LOAD.key(), load, "not given with transport=" + value(Dimension.TRANSPORT) + ", which has no such load");
        final String size = value(Dimension.SIZE);
        InvalidSettingException.throwIf(
            (isAtARate() || PING_PONG.equals(load)) && !Dimension.NONE.equals(size) &&
            Long.parseLong(size) < EchoMessage.MIN_LENGTH, Dimension.SIZE.key(), size, Dimension.SIZE.allowed());
        final List<Dimension> without = isAtARate() ? List.of(Dimension.IN_FLIGHT) : PING_PONG.equals(load) ?
            List.of(Dimension.FAULT, Dimension.SNAPSHOT_EVERY, Dimension.CHURN) :
            List.of(Dimension.FAULT, Dimension.SNAPSHOT_EVERY, Dimension.CHURN, Dimension.CONNECTIONS);
        without.forEach((dimension) -> InvalidSettingException.throwIf(
            !dimension.isDefault(value(dimension)), dimension.key(), value(dimension),
            dimension.defaultText() + " with load=" + load));
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

    /** Target rate in messages per second, at least 1, rounded to three digits if it is scaled; not where it is not given. */
    public long ratePerSecond(final double scale)
    {
        final long rate = Long.parseLong(value(Dimension.RATE));
        return 1 == scale ? rate : Math.max(1, Quantity.threeDigits(scale * rate));
    }
}
