package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Properties of the load rig of aeron-io/benchmarks that mean the same as an option. All others are refused: a setting that is
 * ignored would make another load than its name promises.
 */
final class BenchmarksKeys
{
    /** Prefix of all properties of the load rig of aeron-io/benchmarks. */
    static final String PREFIX = "io.aeron.benchmarks.";

    private static final String RATE = PREFIX + "message.rate";
    private static final String WARM_UP_RATE = PREFIX + "warmup.message.rate";
    private static final String NUMBER = "[0-9]{1,10}";

    private static final Map<String, Meaning> MEANINGS = Map.of(
        RATE, new Meaning("rate", "[0-9]{1,10}[KM]?", "", "a whole number of messages per second, with an optional K or M"),
        PREFIX + "message.length", new Meaning("size", NUMBER, "", "a whole number"),
        PREFIX + "batch.size", new Meaning("batch", NUMBER, "", "a whole number"),
        PREFIX + "iterations", new Meaning("duration", NUMBER, "s", "a whole number of iterations, which are seconds"),
        PREFIX + "warmup.iterations", new Meaning("warm-up", NUMBER, "s", "a whole number of iterations, which are seconds"),
        PREFIX + "histogram.logging.interval.ms", new Meaning("interval", NUMBER, "ms", "a whole number of milliseconds"),
        PREFIX + "output.directory", new Meaning("output", ".+", "", "a text"),
        PREFIX + "output.file", new Meaning("label", ".+", "", "a text"));

    /** An option, without dashes, the values that the rig allows, and the unit to append to them. */
    private record Meaning(String option, String pattern, String unit, String allowed)
    {
    }

    private BenchmarksKeys()
    {
    }

    /** Translate the rig's properties in a file to options without dashes; an empty value counts as missing, as in the rig. */
    static SortedMap<String, String> options(final Map<String, String> given, final Path file)
    {
        final SortedMap<String, String> options = new TreeMap<>();
        given.forEach((key, value) ->
        {
            if (!key.startsWith(PREFIX) || value.isEmpty())
            {
                return;
            }
            if (WARM_UP_RATE.equals(key))
            {
                if (!value.equals(given.get(RATE)))
                {
                    throw refused(key, value, file, "the warm-up has the rate of the measured window, so only the value of " +
                        RATE + " is");
                }
                return;
            }
            final Meaning meaning = MEANINGS.get(key);
            if (null == meaning)
            {
                throw refused(
                    key, value, file, "no option has the same meaning; remove it. Of aeron-io/benchmarks these are: " +
                    String.join(", ", new TreeMap<>(MEANINGS).keySet()));
            }
            if (!value.matches(meaning.pattern()))
            {
                throw refused(key, value, file, meaning.allowed());
            }
            options.put(meaning.option(), value + meaning.unit());
        });

        return options;
    }

    private static InvalidSettingException refused(final String key, final String value, final Path file, final String allowed)
    {
        return new InvalidSettingException(key + "=" + value + " in " + file + " is not allowed: " + allowed);
    }
}
