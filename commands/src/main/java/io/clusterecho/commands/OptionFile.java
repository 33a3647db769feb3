package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Property files whose keys are names of options without dashes ({@code rate=100k}). They replace defaults, in the order of
 * the {@code --config} options; the command line wins over them.
 */
record OptionFile(Map<String, String> values) implements IDefaultValueProvider
{
    static final String OPTION = "--config";

    /** Read the files that the arguments name with {@code --config}; keys must be options of the command. */
    static OptionFile of(final String[] args, final CommandSpec spec)
    {
        final OptionFile optionFile = new OptionFile(new TreeMap<>());
        for (final String file : named(args))
        {
            optionFile.put(Path.of(file), spec);
        }

        return optionFile;
    }

    private void put(final Path file, final CommandSpec spec)
    {
        Settings.load(file).forEach((key, value) ->
        {
            InvalidSettingException.throwIf(
                null == spec.findOption("--" + key) || "config".equals(key),
                "unknown key " + key + "=" + value + " in " + file + ": allowed are the options of " + spec.qualifiedName() +
                " without dashes");
            values.put(key, value);
        });
    }

    @Override
    public String defaultValue(final ArgSpec argument)
    {
        return argument instanceof OptionSpec option ? Stream.of(option.names())
            .map((name) -> values.get(name.replaceFirst("^--?", ""))).filter(Objects::nonNull).findFirst().orElse(null) : null;
    }

    /** Value that the files of a command line give an option, or null. */
    static String value(final CommandSpec spec, final String option)
    {
        return spec.commandLine().getDefaultValueProvider() instanceof OptionFile file ?
            file.defaultValue(spec.findOption(option)) : null;
    }

    private static List<String> named(final String[] args)
    {
        final List<String> files = new ArrayList<>();
        for (int i = 0; i < args.length; i++)
        {
            if (OPTION.equals(args[i]) && i + 1 < args.length)
            {
                files.add(args[i + 1]);
            }
            else if (args[i].startsWith(OPTION + "="))
            {
                files.add(args[i].substring(OPTION.length() + 1));
            }
        }

        return files;
    }
}
