package io.clusterecho.commands;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.client.run.DeclaredOption;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.settings.InvalidSettingException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The options of a load on the command line of the command that mixes this in; {@link #config} makes the configuration. */
@Command
public final class LoadOptions
{
    private CommandSpec command;

    @Spec(Spec.Target.MIXEE)
    private void command(final CommandSpec mixee)
    {
        command = mixee;
        DeclaredOption.ALL.forEach((option) -> command.addOption(spec(option)));
    }

    private static OptionSpec spec(final DeclaredOption option)
    {
        final LoadOption declaration = option.declaration();
        final OptionSpec.Builder spec = OptionSpec.builder(declaration.names()).paramLabel(declaration.label())
            .description(declaration.text()).type(option.component().getType()).auxiliaryTypes(option.type())
            .userObject(option.component()).completionCandidates(declaration.kind().candidates());
        for (final String byDefault : declaration.byDefault())
        {
            spec.defaultValue(byDefault);
        }
        if (LoadOption.Kind.PLAIN != declaration.kind())
        {
            spec.converters((text) -> Converters.convert(text, declaration.kind()::parse));
        }
        return spec.build();
    }

    /** Make the configuration, checked, after the command line was parsed. */
    RunConfig config()
    {
        final Map<String, Object> values = new TreeMap<>();
        final Collection<OptionSpec> others = new ArrayList<>(command.options());
        for (final DeclaredOption option : DeclaredOption.ALL)
        {
            final OptionSpec spec = command.findOption(option.name());
            others.remove(spec);
            if (null != spec.getValue())
            {
                values.put(option.name(), spec.getValue());
            }
        }
        final RunConfig config = RunConfig.of(values, texts(others), TypedCommand.of(command));
        checkReplaced(config.load());
        return config;
    }

    /** Arguments that repeat the options of the load on the command line. */
    List<String> arguments()
    {
        final ParseResult given = command.commandLine().getParseResult();
        return DeclaredOption.ALL.stream().filter((option) -> given.hasMatchedOption(option.name()))
            .flatMap((option) -> option.texts(given.matchedOption(option.name()).getValue()).stream()
            .map((text) -> option.name() + "=" + text)).toList();
    }

    /** What a trace or kinds replace must not be given in the same place. The command line wins over a file, and says so. */
    private void checkReplaced(final LoadConfig load)
    {
        final ParseResult given = command.commandLine().getParseResult();
        final String by = load.replacement();
        final String reason = ("--kind".equals(by) ? ": each kind" : ": a trace") + " has its own";
        final boolean isTyped = given.hasMatchedOption(by);
        final List<String> ofFiles = new ArrayList<>();
        for (final String option : load.replaced().stream().sorted().toList())
        {
            final String value = given.hasMatchedOption(option) ?
                given.matchedOption(option).originalStringValues().get(0) : OptionFile.value(command, option);
            InvalidSettingException.throwIf(
                null != value && (given.hasMatchedOption(option) || !isTyped), option, value, "not given with " + by + reason);
            if (null != value)
            {
                ofFiles.add(option + "=" + value);
            }
        }
        if (!ofFiles.isEmpty())
        {
            System.err.println(
                "warning: " + by + " replaces " + String.join(" and ", ofFiles) + " of " + OptionFile.OPTION + reason);
        }
    }

    /** Options by their first names without dashes, as they were given or by default. No option holds a secret. */
    static SortedMap<String, String> texts(final Collection<OptionSpec> options)
    {
        final SortedMap<String, String> texts = new TreeMap<>();
        for (final OptionSpec option : options)
        {
            final Object value = option.getValue();
            if (!option.usageHelp() && !option.versionHelp() && null != value)
            {
                texts.put(option.names()[0].substring(2), value instanceof List<?> list ?
                    String.join(",", list.stream().map(String::valueOf).toList()) :
                    "TIME".equals(option.paramLabel()) && value instanceof Long ? value + "ns" : value.toString());
            }
        }
        return texts;
    }
}
