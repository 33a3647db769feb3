package io.clusterecho.settings;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The settings of a process, before they become its immutable configuration. Later sources win: defaults, property files in
 * argument order, system properties, command line.
 * <p>
 * Keys that begin with {@code aeron.} or {@code agrona.} belong to Aeron: those from files are available from
 * {@link #foreignProperties()}, unless the same system property is set. Any other unknown key is an error.
 */
public final class Settings
{
    private final Map<String, Setting<?>> known = new LinkedHashMap<>();
    private final Map<String, String> given = new TreeMap<>();
    private final Map<String, String> foreign = new TreeMap<>();
    private final String ownPrefix;

    /** Settings without values, with the prefix of our own keys, such as {@code echo.}. */
    public Settings(final String ownPrefix, final Collection<? extends Setting<?>> known)
    {
        this.ownPrefix = ownPrefix;
        known.forEach((setting) -> this.known.put(setting.key(), setting));
    }

    /**
     * Add all values of property files in UTF-8, in order; an unknown key, or a file that cannot be read or parsed, is an error.
     */
    public Settings putFiles(final List<Path> files)
    {
        files.forEach((file) -> load(file).forEach((key, value) -> put(key, value, file.toString())));

        return this;
    }

    /** Add those of the system properties that have our prefix; an unknown key with that is an error. */
    public Settings putSystemProperties(final Properties properties)
    {
        for (final String key : properties.stringPropertyNames())
        {
            if (key.startsWith(ownPrefix))
            {
                put(key, properties.getProperty(key), "-D");
            }
            foreign.remove(key);
        }

        return this;
    }

    /** Add one value; an unknown key is an error that names the source. */
    public Settings put(final String key, final String value, final String source)
    {
        if (known.containsKey(key))
        {
            given.put(key, value.strip());
        }
        else if (key.startsWith("aeron.") || key.startsWith("agrona."))
        {
            foreign.put(key, value.strip());
        }
        else
        {
            throw new InvalidSettingException(
                "unknown key " + key + "=" + value + " (" + source + "); known keys are " +
                String.join(", ", known.keySet()) + ", and Aeron's own aeron.* and agrona.*");
        }

        return this;
    }

    /** Add values of an option, each as in {@code echo.fsync=1}; one without a key, or with an unknown one, is an error. */
    public Settings putAssignments(final List<String> assignments, final String option)
    {
        for (final String assignment : assignments)
        {
            final int equals = assignment.indexOf('=');
            InvalidSettingException.throwIf(equals < 1, option, assignment, "KEY=VALUE, as in " + ownPrefix + "fsync=1");
            put(assignment.substring(0, equals), assignment.substring(equals + 1), option);
        }

        return this;
    }

    /** Whether any source has a value, and not only the default applies. */
    public boolean isGiven(final Setting<?> setting)
    {
        return given.containsKey(setting.key());
    }

    /** Value of a setting, or its parsed default; an {@link InvalidSettingException} has key, value and what is allowed. */
    public <T> T value(final Setting<T> setting)
    {
        return setting.parse(given.getOrDefault(setting.key(), setting.defaultText()));
    }

    /** Text of a setting from the last source that has one, or the default. */
    public String text(final Setting<?> setting)
    {
        return given.getOrDefault(setting.key(), setting.defaultText());
    }

    /** Keys of Aeron and Agrona from property files, sorted, for the process to set as system properties. */
    public Map<String, String> foreignProperties()
    {
        return foreign;
    }

    /** Keys and values of a property file in UTF-8, sorted; one that cannot be read or parsed is an error. */
    public static Map<String, String> load(final Path file)
    {
        final Properties properties = new Properties()
        {
            @Override
            public synchronized Object put(final Object key, final Object value)
            {
                final Object before = super.put(key, value);
                InvalidSettingException.throwIf(
                    null != before, String.valueOf(key), before + " and " + value, "one value in a file; " + file + " has two");
                return null;
            }
        };
        try (Reader reader = new StringReader(withoutMark(Files.readString(file, StandardCharsets.UTF_8))))
        {
            properties.load(reader);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                "property file", file, "a readable file of key=value lines in UTF-8 (" + Cause.of(ex) + ")");
        }

        final Map<String, String> byKey = new TreeMap<>();
        for (final String key : properties.stringPropertyNames())
        {
            // Properties keep blanks at the end of a line, which nobody sees. As everywhere, a value does not include them.
            final String value = properties.getProperty(key).strip();
            InvalidSettingException.throwIf(
                value.indexOf('\0') >= 0, key, value.replace("\0", "\\0"), "text without NUL characters");
            byKey.put(key, value);
        }
        return byKey;
    }

    /** Text without the byte order mark that some editors write before UTF-8, and none shows. */
    public static String withoutMark(final String text)
    {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
