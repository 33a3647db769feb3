package io.clusterecho.commands;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.run.DeclaredOption;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.platform.Redaction;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The options of a load, and those of the records of the command that mixes this in, on its command line; {@link #config} and
 * {@link #read} make the records.
 */
@Command
public final class LoadOptions
{
    /** Options of what only a single run does beside its load, for {@link CommandHelp#without}. */
    static final String BESIDE = "--(snapshot-every|receivers|churn)";

    private CommandSpec command;

    @Spec(Spec.Target.MIXEE)
    private void command(final CommandSpec mixee)
    {
        command = mixee;
        final List<CommandHelp> helps = Stream.<Class<?>>iterate(
            command.userObject().getClass(), Objects::nonNull, Class::getSuperclass)
            .flatMap((type) -> Stream.ofNullable(type.getDeclaredAnnotation(CommandHelp.class))).toList();
        final List<String> missing = helps.stream().flatMap((help) -> Stream.of(help.without())).toList();
        final Map<String, String> described = helps.stream().flatMap((help) -> Stream.of(help.described()))
            .map((text) -> text.split("=", 2)).collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1]));
        Stream.concat(
            helps.stream().flatMap((help) -> Stream.of(help.declared())).flatMap(DeclaredOption::of),
            DeclaredOption.ALL.stream().filter((option) -> missing.stream().noneMatch(option.name()::matches)))
            .forEach((option) -> command.addOption(
                spec(option, described.getOrDefault(option.name(), option.declaration().text()))));
    }

    private static OptionSpec spec(final DeclaredOption option, final String description)
    {
        final LoadOption declaration = option.declaration();
        final OptionSpec.Builder spec = OptionSpec.builder(declaration.names()).paramLabel(declaration.label())
            .description(description).type(option.component().getType()).auxiliaryTypes(option.type())
            .userObject(option.component()).completionCandidates(declaration.kind().candidates())
            .required(declaration.isRequired()).splitRegex(declaration.isSplit() ? "," : "");
        if (boolean.class == option.type())
        {
            spec.defaultValue("false");
        }
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
        final Map<String, Object> values = DeclaredOption.values(List.of());
        values.putAll(values());
        final List<OptionSpec> others = command.options().stream().filter((option) ->
            DeclaredOption.ALL.stream().noneMatch((one) -> one.component() == option.userObject())).toList();
        final RunConfig config = RunConfig.of(values, texts(others), typed(command));
        checkReplaced(config.load());
        return config;
    }

    /** Make a record of options of the command, and of other components by their names. */
    <R extends Record> R read(final Class<R> type, final Map<String, ?> others)
    {
        final Map<String, Object> values = values();
        values.putAll(others);
        return DeclaredOption.read(type, values);
    }

    private Map<String, Object> values()
    {
        final Map<String, Object> values = new TreeMap<>();
        command.options().stream().filter((option) -> option.userObject() instanceof RecordComponent && null != option.getValue())
            .forEach((option) -> values.put(option.names()[0], option.getValue()));
        return values;
    }

    /** The command line that repeats what was asked for, without secrets. */
    static String typed(final CommandSpec spec)
    {
        return "java -jar " + spec.root().name() + ".jar " + String.join(
            " ",
            Redaction.of(spec.root().commandLine().getParseResult().originalArgs()).stream().map(CommandHint::quoted).toList());
    }

    /** Arguments that repeat the options of the load on the command line. */
    List<String> arguments()
    {
        final ParseResult given = command.commandLine().getParseResult();
        return DeclaredOption.ALL.stream().filter((option) -> given.hasMatchedOption(option.name()))
            .flatMap((option) -> option.texts(given.matchedOption(option.name()).getValue()).stream()
            .map((text) -> option.name() + "=" + text)).toList();
    }

    /** What a trace or kinds replace must not be given beside them, on the command line or in a file. */
    private void checkReplaced(final LoadConfig load)
    {
        final ParseResult given = command.commandLine().getParseResult();
        for (final String option : load.replaced().stream().sorted().toList())
        {
            final String value = given.hasMatchedOption(option) ?
                given.matchedOption(option).originalStringValues().get(0) : OptionFile.value(command, option);
            InvalidSettingException.throwIf(
                null != value, option, value, "not given with " + load.replacement());
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
