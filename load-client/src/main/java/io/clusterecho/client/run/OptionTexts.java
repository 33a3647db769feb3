package io.clusterecho.client.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Options of a command as text, from which the record of a result and the command line of a worker are made.
 *
 * @param values   of each option, by name without dashes.
 * @param ofWorker names of those that a worker needs.
 */
public record OptionTexts(SortedMap<String, List<String>> values, Set<String> ofWorker)
{
    public OptionTexts
    {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        ofWorker = Set.copyOf(ofWorker);
    }

    public OptionTexts with(final String name, final String... texts)
    {
        final SortedMap<String, List<String>> changed = new TreeMap<>(values);
        changed.put(name, List.of(texts));
        return new OptionTexts(changed, ofWorker);
    }

    /** The same without options that have no effect. */
    public OptionTexts without(final Set<String> names)
    {
        final SortedMap<String, List<String>> changed = new TreeMap<>(values);
        changed.keySet().removeAll(names);
        return new OptionTexts(changed, ofWorker);
    }

    /** Each option with its values, separated by commas. */
    public SortedMap<String, String> recorded()
    {
        final SortedMap<String, String> recorded = new TreeMap<>();
        values.forEach((name, texts) -> recorded.put(name, String.join(",", texts)));
        return recorded;
    }

    /** The command line of a worker, with options and values that this process knows better than the worker. */
    public List<String> arguments(final Map<String, String> resolved)
    {
        final List<String> arguments = new ArrayList<>();
        values.forEach((name, texts) ->
        {
            if (ofWorker.contains(name) && !resolved.containsKey("--" + name))
            {
                texts.forEach((text) -> arguments.add("--" + name + "=" + text));
            }
        });
        resolved.forEach((name, text) -> arguments.add(name + "=" + text));
        return arguments;
    }
}
