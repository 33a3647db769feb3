package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.host.Processors;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;

/**
 * Contents of a sweep file.
 *
 * @param values          of every dimension, in their order.
 * @param clusterWarmUpNs added to that for the first run on a newly started cluster or server.
 * @param conditions      that define the highest rate, where it is searched.
 * @param settings        of all members, our keys and Aeron's, and of the other systems.
 * @param published       source and test of the published figures that the cells are compared with, or empty.
 * @param ofTransports    values of single transports by {@code KEY@TRANSPORT}: of a dimension, a setting or the warm-up, and the
 *                        name of the system in the published figures.
 */
public record SweepPlan(
    Map<Dimension, List<String>> values,
    int repeats,
    long durationNs,
    long warmUpNs,
    long clusterWarmUpNs,
    List<Threshold> conditions,
    double scale,
    SortedMap<String, String> settings,
    String published,
    SortedMap<String, String> ofTransports)
{
    static final String PUBLISHED = "published";
    private static final String WARM_UP = "warm-up";
    private static final int MOST_CELLS = 10_000;
    private static final int MOST_REPEATS = 1_000;
    private static final Map<String, String> DEFAULTS = Map.of(
        "repeats", "3", "duration", "10s", WARM_UP, "5s", "cluster-warm-up", "10s", "slo", "p99<1ms",
        "scale", "1", PUBLISHED, "");
    private static final List<Setting<?>> OF_THE_SWEEP =
        List.of(NodeSettings.BASE_DIR, NodeSettings.MEMBER_ID, NodeSettings.AERON_DIR);

    /** Parse a sweep file, which errors call by the source. */
    public static SweepPlan parse(final Map<String, String> properties, final String source)
    {
        final Map<String, String> left = new TreeMap<>(properties);
        final Map<Dimension, List<String>> values = new EnumMap<>(Dimension.class);
        Stream.of(Dimension.values()).forEach((dimension) -> values.put(dimension, parseList(
            dimension, Objects.requireNonNullElse(left.remove(dimension.key()), dimension.defaultText()))));

        final SortedMap<String, String> ofTransports = parseOfTransports(left);
        final Map<String, String> texts = new TreeMap<>(DEFAULTS);
        texts.replaceAll((key, value) -> Objects.requireNonNullElse(left.remove(key), value));
        final SweepPlan plan = new SweepPlan(
            values,
            Setting.ofInt("repeats", "", 1, MOST_REPEATS, "").parse(texts.get("repeats")),
            parsed("duration", texts, Quantity::parseDurationNs),
            parsed(WARM_UP, texts, Quantity::parseDurationNs),
            parsed("cluster-warm-up", texts, Quantity::parseDurationNs),
            parsed("slo", texts, Threshold::parse),
            parsed("scale", texts, Quantity::parseShare),
            parseSettings(left, source),
            texts.get(PUBLISHED),
            ofTransports);
        plan.check();
        return plan;
    }

    /** The plan as properties of a sweep file, sorted; {@link #parse} restores it. */
    public SortedMap<String, String> properties()
    {
        final SortedMap<String, String> properties = new TreeMap<>(settings);
        properties.putAll(ofTransports);
        properties.put(PUBLISHED, published);
        values.forEach((dimension, list) -> properties.put(dimension.key(), String.join(",", list)));
        properties.put("repeats", String.valueOf(repeats));
        properties.put("duration", durationNs + "ns");
        properties.put(WARM_UP, warmUpNs + "ns");
        properties.put("cluster-warm-up", clusterWarmUpNs + "ns");
        properties.put("slo", Threshold.join(conditions));
        properties.put("scale", String.valueOf(scale));
        return properties;
    }

    /** All cells. Those that share a system are contiguous; the last dimension changes fastest. */
    public List<Cell> cells()
    {
        List<Map<Dimension, String>> combinations = List.of(Map.of());
        for (final Dimension dimension : Dimension.values())
        {
            combinations = combinations.stream().flatMap((combination) ->
                values.get(dimension).stream().map((value) -> Dimension.with(combination, dimension, value))).toList();
        }

        final List<Cell> cells = new ArrayList<>();
        combinations.forEach((combination) -> cells.add(new Cell(cells.size() + 1, adjusted(combination))));
        return cells;
    }

    /** The values that a combination has in effect: those of its transport alone, and a rate only for a load at a rate. */
    private Map<Dimension, String> adjusted(final Map<Dimension, String> combination)
    {
        final Map<Dimension, String> adjusted = new EnumMap<>(combination);
        adjusted.replaceAll((dimension, value) ->
            ofTransports.getOrDefault(dimension.key() + "@" + combination.get(Dimension.TRANSPORT), value));
        if (!Dimension.AT_A_RATE.equals(adjusted.get(Dimension.LOAD)))
        {
            adjusted.put(Dimension.RATE, Dimension.NONE);
        }
        adjusted.computeIfPresent(Dimension.IDLE, (dimension, value) ->
            value.startsWith(Dimension.BACKOFF_IF_FEW) ? idle(value, new Cell(0, adjusted).allInFlight()) : value);
        return adjusted;
    }

    /** A client that sleeps leaves few cores to the others, which pays for itself only with enough messages in flight. */
    private static String idle(final String value, final long inFlight)
    {
        final int colon = value.indexOf(':');
        return Processors.areFew() && (colon < 0 || inFlight >= Long.parseLong(value.substring(colon + 1))) ?
            Idle.backoff.name() : Dimension.AUTO;
    }

    /** The values of the cell that differs in one dimension only, and in what its transport alone sets. */
    Map<Dimension, String> twin(final Cell cell, final Dimension dimension, final String value)
    {
        final Map<Dimension, String> combination = new EnumMap<>(cell.values());
        // What a transport sets alone has one value for the others.
        combination.replaceAll((one, own) -> 1 == values.get(one).size() ||
            Dimension.RATE == one && Dimension.NONE.equals(own) ||
            ofTransports.containsKey(one.key() + "@" + cell.value(Dimension.TRANSPORT)) ? values.get(one).get(0) : own);
        combination.put(dimension, value);
        return adjusted(combination);
    }

    /** Warm-up of a run, the longest one if the load ends it by itself. */
    WarmUpTime warmUp(final Cell cell, final boolean isFresh)
    {
        final String given = ofTransports.get(WARM_UP + "@" + cell.value(Dimension.TRANSPORT));
        if (null != given)
        {
            return WarmUpTime.parse(given);
        }

        final long lengthNs = warmUpNs + (isFresh ? clusterWarmUpNs : 0);
        return new WarmUpTime(
            !cell.isAtARate() && lengthNs > SteadyRule.MIN_LENGTH_NS, Math.min(SteadyRule.MIN_LENGTH_NS, lengthNs), lengthNs);
    }

    /** The settings that are given for a kind of transport, alone or with others, by key. */
    Map<String, String> settings(final TransportKind kind)
    {
        final Map<String, String> ofKind = new TreeMap<>();
        kind.settings().forEach((setting) -> Stream.of(
            ofTransports.get(setting.key() + "@" + kind.name()), settings.get(setting.key())).filter(Objects::nonNull)
            .findFirst().ifPresent((value) -> ofKind.put(setting.key(), value)));
        return ofKind;
    }

    /** Cells by the settings of the system that they need, in order. */
    public Map<Map<Dimension, String>, List<Cell>> groups()
    {
        return cells().stream().collect(Collectors.groupingBy(Cell::system, LinkedHashMap::new, Collectors.toList()));
    }

    /** Reject the values of a dimension unless each is allowed. */
    public void require(final Dimension dimension, final Predicate<String> isAllowed, final String allowed)
    {
        final List<String> given = values.get(dimension);
        InvalidSettingException.throwIf(
            !given.stream().allMatch(isAllowed), dimension.key(), String.join(",", given), allowed);
    }

    /** Dimensions with more than one value, in their order. */
    public List<Dimension> varied()
    {
        return values.entrySet().stream().filter((entry) -> entry.getValue().size() > 1).map(Map.Entry::getKey).toList();
    }

    private void check()
    {
        final long cellCount = values.values().stream().mapToLong(Collection::size).reduce(1, (one, other) -> one * other);
        InvalidSettingException.throwIf(cellCount > MOST_CELLS, "cells", cellCount, "at most " + MOST_CELLS);
        InvalidSettingException.throwIf(durationNs < 1, "duration", durationNs + "ns", "more than 0");
        InvalidSettingException.throwIf(scale <= 0, "scale", scale, "more than 0");
        PeerSystem.check(this);
        final List<Cell> cells = cells();
        cells.forEach(Cell::check);
        if (!published.isEmpty())
        {
            ReportedFigures.check(published);
        }
        InvalidSettingException.throwIf(
            cells.stream().map(Cell::values).distinct().count() < cells.size(),
            "two cells are the same: give one value of what KEY@TRANSPORT sets, and of rate where a load is not at a rate");
    }

    private static List<String> parseList(final Dimension dimension, final String text)
    {
        final List<String> list =
            new ArrayList<>(Arrays.stream(text.split(",", -1)).map(dimension::parse).toList());
        InvalidSettingException.throwIf(new LinkedHashSet<>(list).size() < list.size(), dimension.key(), text, "each value once");

        return list;
    }

    private static <T> T parsed(
        final String key, final Map<String, String> texts, final Function<String, T> parser)
    {
        return InvalidSettingException.parsed(key, texts.get(key), null, (text) -> parser.apply(text.trim()));
    }

    /** Take the keys of single transports out of what is left. */
    private static SortedMap<String, String> parseOfTransports(final Map<String, String> left)
    {
        final SortedMap<String, String> ofTransports = new TreeMap<>();
        left.forEach((key, value) ->
        {
            final String[] pair = key.split("@", 2);
            if (2 == pair.length)
            {
                final Optional<Dimension> dimension =
                    Dimension.of(pair[0]).filter((one) -> Dimension.TRANSPORT != one && Dimension.RATE != one);
                final String transport = Dimension.TRANSPORT.parse(pair[1]);
                final TransportKind kind = TransportNames.kind(transport);
                InvalidSettingException.throwIf(
                    dimension.isEmpty() && !List.of(WARM_UP, PUBLISHED).contains(pair[0]) &&
                    (null == kind || !PeerSystem.has(kind, pair[0])), key, value,
                    "not given: of one transport there are " + WARM_UP + ", " + PUBLISHED + ", the keys of cells but rate, and " +
                    "its own settings");
                ofTransports.put(pair[0] + "@" + transport, dimension.isPresent() ?
                    dimension.get().parse(value) : WARM_UP.equals(pair[0]) ?
                    parsed(key, left, WarmUpTime::parse).toString() : value);
            }
        });
        left.keySet().removeIf((key) -> key.contains("@"));
        return ofTransports;
    }

    private static SortedMap<String, String> parseSettings(final Map<String, String> left, final String source)
    {
        final SortedMap<String, String> settings = new TreeMap<>();
        left.forEach((key, value) ->
        {
            Dimension.ofSetting(key).ifPresent((dimension) ->
            {
                throw new InvalidSettingException(key, value, "not given here: in a sweep the key is " + dimension.key());
            });
            InvalidSettingException.throwIf(
                OF_THE_SWEEP.stream().anyMatch((setting) -> setting.key().equals(key)), key, value,
                "not given: the sweep sets it");
            final boolean isOurs = NodeSettings.ALL.stream().anyMatch((setting) -> setting.key().equals(key));
            final boolean isForeign = List.of("aeron.", "agrona.", PeerSystem.PREFIX).stream().anyMatch(key::startsWith);
            InvalidSettingException.throwIf(
                !isOurs && !isForeign, "unknown key " + key + "=" + value + " (" + source + "); known are " + Dimension.keys() +
                " (each with one value or several, separated by commas), " + String.join(", ", new TreeMap<>(DEFAULTS).keySet()) +
                ", the settings of members: echo.*, aeron.* and agrona.*, and those of other systems: peer.*");
            settings.put(key, value);
        });
        return settings;
    }
}
