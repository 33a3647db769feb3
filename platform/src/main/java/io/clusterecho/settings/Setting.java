package io.clusterecho.settings;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * One key of a process's settings.
 *
 * @param key         as in property files and after {@code -D}.
 * @param defaultText default value; empty if it is derived from other settings.
 * @param doc         description, one or more sentences.
 * @param parser      of a value; throws {@link IllegalArgumentException} for one that is not allowed.
 */
public record Setting<T>(String key, String defaultText, String allowed, String doc, Function<String, T> parser)
{
    /** Parse a text into a value; an {@link InvalidSettingException} has key, value and what is allowed. */
    public T parse(final String text)
    {
        return InvalidSettingException.parsed(key, text, allowed, (given) -> parser.apply(given.trim()));
    }

    /** The same setting with values of another kind. */
    public <V> Setting<V> with(final Function<String, V> other)
    {
        return new Setting<>(key, defaultText, allowed, doc, other);
    }

    /** A whole number in a range, whose ends are allowed. */
    public static Setting<Integer> ofInt(
        final String key, final String defaultText, final int min, final int max, final String doc)
    {
        return new Setting<>(
            key, defaultText, "a whole number from " + min + " to " + max, doc,
            (text) ->
            {
                final int value = Integer.parseInt(text);
                return checked(value >= min && value <= max, value);
            });
    }

    /** A duration with a unit, as a value in nanoseconds. */
    public static Setting<Long> ofDuration(final String key, final String defaultText, final String doc)
    {
        return new Setting<>(
            key, defaultText, "a number with a unit of ns, us, ms, s, m or h, as in 500ms", doc, Quantity::parseDurationNs);
    }

    /** A size, as a value in bytes. */
    public static Setting<Long> ofSize(final String key, final String defaultText, final String doc)
    {
        return new Setting<>(
            key, defaultText, "a number of bytes with an optional k, m or g, as in 64k", doc, Quantity::parseSize);
    }

    public static Setting<Boolean> ofBoolean(final String key, final String defaultText, final String doc)
    {
        return new Setting<>(
            key, defaultText, "true or false", doc,
            (text) -> checked(Set.of("true", "false").contains(text), Boolean.valueOf(text)));
    }

    /** One of some words, which are named as allowed in this order. */
    public static Setting<String> ofWord(final String key, final String defaultText, final String doc, final String... words)
    {
        return new Setting<>(
            key, defaultText, String.join(", ", words).replaceFirst(", (?=[^,]*$)", " or "), doc,
            (text) -> checked(List.of(words).contains(text), text));
    }

    public static Setting<String> ofText(
        final String key, final String defaultText, final String allowed, final String doc)
    {
        return new Setting<>(key, defaultText, allowed, doc, Function.identity());
    }

    /** The value that a parser returns if it is allowed; else an {@link IllegalArgumentException}. */
    public static <T> T checked(final boolean isAllowed, final T value)
    {
        if (!isAllowed)
        {
            throw new IllegalArgumentException();
        }
        return value;
    }
}
