package io.clusterecho.reporting.compare;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.InvalidSettingException;

/** The conditions of a result, as far as they decide with which other results it can be compared. */
public record ComparableConditions(SortedMap<String, String> values)
{
    /**
     * @param document of a run or of a search.
     * @param allowed  keys of conditions that do not matter.
     */
    public static ComparableConditions of(final JsonNode document, final Set<String> allowed)
    {
        final SortedMap<String, String> values = Conditions.of(document);
        values.keySet().removeIf((path) ->
            !Conditions.isSeparating(path) || allowed.contains(path) || allowed.contains(Conditions.key(path)));
        return new ComparableConditions(values);
    }

    /**
     * Check the keys of {@code --allow-different}.
     *
     * @throws InvalidSettingException if no result has a condition of a key.
     */
    public static void check(final Set<String> allowed, final List<JsonNode> documents)
    {
        for (final String key : allowed)
        {
            if (!Conditions.GUARDED.contains(key) &&
                documents.stream().noneMatch((document) -> Conditions.of(document).containsKey(key)))
            {
                throw new InvalidSettingException("--allow-different", key, Conditions.allowedKeys());
            }
        }
    }

    /** Whether results can be compared. */
    public boolean isComparableWith(final ComparableConditions other)
    {
        return paths(List.of(this, other)).stream().noneMatch((path) -> Conditions.isDifferent(path, values, other.values));
    }

    /** These conditions, and those of a comparable result that these lack. */
    public ComparableConditions with(final ComparableConditions other)
    {
        final SortedMap<String, String> all = new TreeMap<>(other.values);
        all.putAll(values);
        return new ComparableConditions(all);
    }

    /** Paths of the conditions that differ among results, guarded ones first. */
    public static List<String> differing(final Collection<ComparableConditions> all)
    {
        return paths(all).stream()
            .filter((path) -> all.stream().anyMatch((one) -> all.stream().anyMatch(
            (other) -> Conditions.isDifferent(path, one.values, other.values))))
            .sorted((one, other) -> Integer.compare(order(one), order(other))).toList();
    }

    private static int order(final String path)
    {
        final int index = Conditions.GUARDED.indexOf(Conditions.key(path));
        return index < 0 ? Conditions.GUARDED.size() : index;
    }

    private static SortedSet<String> paths(final Collection<ComparableConditions> all)
    {
        final SortedSet<String> paths = new TreeSet<>();
        all.forEach((one) -> paths.addAll(one.values.keySet()));
        return paths;
    }
}
