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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;

/**
 * Contents of a sweep file.
 *
 * @param values          of every dimension, in their order.
 * @param clusterWarmUpNs added to that for the first run on a newly started cluster or server.
 * @param conditions      that define the highest rate, where rates are shares of it or it is searched.
 * @param reference       values of the cell whose highest rate is searched.
 * @param settings        of all members, our keys and Aeron's, and of the other systems.
 */
public record SweepPlan(
    Map<Dimension, List<String>> values,
    int repeats,
    long durationNs,
    long warmUpNs,
    long clusterWarmUpNs,
    List<Threshold> conditions,
    Map<Dimension, String> reference,
    double scale,
    SortedMap<String, String> settings)
{
    private static final int MOST_CELLS = 10_000;
    private static final int MOST_REPEATS = 1_000;
    private static final Map<String, String> DEFAULTS = Map.of(
        "repeats", "3", "duration", "10s", "warm-up", "5s", "cluster-warm-up", "10s", "slo", "p99<1ms", "reference", "",
        "scale", "1");
    private static final List<Setting<?>> OF_THE_SWEEP =
        List.of(NodeSettings.BASE_DIR, NodeSettings.MEMBER_ID, NodeSettings.AERON_DIR, NodeSettings.DELETE_DATA);

    /** Parse a sweep file, which errors call by the source. */
    public static SweepPlan parse(final Map<String, String> properties, final String source)
    {
        final Map<String, String> left = new TreeMap<>(properties);
        final Map<Dimension, List<String>> values = new EnumMap<>(Dimension.class);
        for (final Dimension dimension : Dimension.values())
        {
            values.put(dimension, parseList(
                dimension, Objects.requireNonNullElse(left.remove(dimension.key()), dimension.defaultText())));
        }

        final Map<String, String> texts = new TreeMap<>(DEFAULTS);
        texts.replaceAll((key, value) -> Objects.requireNonNullElse(left.remove(key), value));
        final SweepPlan plan = new SweepPlan(
            values,
            Setting.ofInt("repeats", "", 1, MOST_REPEATS, "").parse(texts.get("repeats")),
            parsed("duration", texts, Quantity::parseDurationNs),
            parsed("warm-up", texts, Quantity::parseDurationNs),
            parsed("cluster-warm-up", texts, Quantity::parseDurationNs),
            parsed("slo", texts, Threshold::parse),
            parseReference(texts.get("reference"), values),
            parsed("scale", texts, Quantity::parseShare),
            parseSettings(left, source));
        plan.check();
        return plan;
    }

    /** The plan as properties of a sweep file, sorted; {@link #parse} restores it. */
    public SortedMap<String, String> properties()
    {
        final SortedMap<String, String> properties = new TreeMap<>(settings);
        values.forEach((dimension, list) -> properties.put(dimension.key(), String.join(",", list)));
        properties.put("repeats", String.valueOf(repeats));
        properties.put("duration", durationNs + "ns");
        properties.put("warm-up", warmUpNs + "ns");
        properties.put("cluster-warm-up", clusterWarmUpNs + "ns");
        properties.put("slo", Threshold.join(conditions));
        properties.put("reference", String.join(
            ",", reference.entrySet().stream().map((entry) -> entry.getKey().key() + "=" + entry.getValue()).toList()));
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
        combinations.forEach((combination) -> cells.add(new Cell(cells.size() + 1, combination)));
        return cells;
    }

    /** Cells by the settings of the system that they need, in order. */
    public Map<Map<Dimension, String>, List<Cell>> groups()
    {
        return cells().stream().collect(Collectors.groupingBy(Cell::system, LinkedHashMap::new, Collectors.toList()));
    }

    /** Dimensions with more than one value, in their order. */
    public List<Dimension> varied()
    {
        return values.entrySet().stream().filter((entry) -> entry.getValue().size() > 1).map(Map.Entry::getKey).toList();
    }

    /** Whether a rate is a share of the highest one, which must then be known. */
    public boolean hasShares()
    {
        return values.get(Dimension.RATE).stream().anyMatch((rate) -> rate.endsWith("%"));
    }

    /** The cell whose highest rate shares refer to; its number is 0 because it need not be part of the sweep. */
    public Cell referenceCell()
    {
        final Map<Dimension, String> combination = new EnumMap<>(Dimension.class);
        values.forEach((dimension, list) -> combination.put(dimension, list.get(0)));
        combination.putAll(reference);
        return new Cell(0, combination);
    }

    private void check()
    {
        final long cellCount = values.values().stream().mapToLong(Collection::size).reduce(1, (one, other) -> one * other);
        InvalidSettingException.throwIf(cellCount > MOST_CELLS, "cells", cellCount, "at most " + MOST_CELLS);
        InvalidSettingException.throwIf(durationNs < 1, "duration", durationNs + "ns", "more than 0");
        InvalidSettingException.throwIf(scale <= 0, "scale", scale, "more than 0");
        PeerSystem.check(this);
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
        try
        {
            return parser.apply(texts.get(key).trim());
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(key, texts.get(key), ex.getMessage());
        }
    }

    private static Map<Dimension, String> parseReference(final String text, final Map<Dimension, List<String>> values)
    {
        final Map<Dimension, String> reference = new EnumMap<>(Dimension.class);
        for (final String part : text.isBlank() ? new String[0] : text.split(","))
        {
            final String[] pair = part.trim().split("=", 2);
            final Dimension dimension = Arrays.stream(Dimension.values())
                .filter((one) -> 2 == pair.length && Dimension.RATE != one && one.key().equals(pair[0].trim())).findFirst()
                .orElseThrow(() -> new InvalidSettingException(
                    "reference", text, "values of one cell except its rate, as in fsync=2,size=1344"));
            final String value = dimension.parse(pair[1]);
            InvalidSettingException.throwIf(
                !values.get(dimension).contains(value), "reference", part.trim(),
                "one of " + dimension.key() + "=" + String.join(",", values.get(dimension)));
            reference.put(dimension, value);
        }

        return reference;
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
