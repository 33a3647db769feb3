package io.clusterecho.control.command;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.clusterecho.process.CommandHint;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help in two lengths. {@code --help} shows the usage, examples, the options that most users need in a sentence each, and the
 * names of the others; {@code --help-all} explains every option, under the headings of {@link OptionGroup}.
 */
public final class HelpLayout
{
    private static final String HELP_ALL = "--help-all";
    private static final String EXAMPLES = "examples";
    private static final String OPTIONS = "groupedOptions";
    private static final int MIN_WIDTH = 80;
    private static final int MAX_WIDTH = 110;

    private HelpLayout()
    {
    }

    /**
     * Give a command and its subcommands this layout, and an option {@code --help-all} to those with options that
     * {@code --help} only names.
     */
    public static void apply(final CommandLine command)
    {
        final CommandSpec spec = command.getCommandSpec();
        final CommandHelp help = helpOf(spec);
        if (null != help)
        {
            Stream.<Class<?>>iterate(spec.userObject().getClass(), Objects::nonNull, Class::getSuperclass)
                .flatMap((type) -> Stream.ofNullable(type.getDeclaredAnnotation(CommandHelp.class)))
                .flatMap((one) -> Stream.of(one.refused()))
                .forEach((name) -> replace(spec, name, (option) -> option.hidden(true)));
            Stream.of(help.described()).map((text) -> text.split("=", 2))
                .forEach((parts) -> replace(spec, parts[0], (option) -> option.description(parts[1])));
            if (help.mostUsed().length > 0 && null == spec.findOption(HELP_ALL))
            {
                spec.addOption(OptionSpec.builder(HELP_ALL).usageHelp(true).arity("0").type(boolean.class)
                    .description("Show every option with its description, and exit.").build());
            }
        }
        if (!"help".equals(spec.name()))
        {
            layOut(spec.usageMessage(), help, spec.positionalParameters().isEmpty());
        }
        command.getSubcommands().values().forEach(HelpLayout::apply);
    }

    private static void layOut(final UsageMessageSpec usage, final CommandHelp help, final boolean isWithoutParameters)
    {
        usage.sortOptions(false).autoWidth(true).abbreviateSynopsis(true).exitCodeListHeading("%nExit status:%n")
            .parameterListHeading(isWithoutParameters ? "" : "%nArguments:%n").commandListHeading("%nCommands:%n");
        if (usage.width() < MIN_WIDTH || usage.width() > MAX_WIDTH)
        {
            usage.width(MAX_WIDTH);
        }
        final List<String> keys = new ArrayList<>(List.of(
            UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING, UsageMessageSpec.SECTION_KEY_SYNOPSIS,
            UsageMessageSpec.SECTION_KEY_HEADER_HEADING, UsageMessageSpec.SECTION_KEY_HEADER,
            UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING, UsageMessageSpec.SECTION_KEY_DESCRIPTION, EXAMPLES,
            UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, OPTIONS,
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
            UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING, UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST,
            UsageMessageSpec.SECTION_KEY_FOOTER_HEADING, UsageMessageSpec.SECTION_KEY_FOOTER));
        usage.sectionKeys(keys);
        usage.headerHeading("%n");
        usage.sectionMap().put(EXAMPLES, (ignored) -> examples(help));
        usage.sectionMap().put(OPTIONS, (rendered) -> options(rendered, help));
    }

    private static String examples(final CommandHelp help)
    {
        if (null == help || 0 == help.examples().length)
        {
            return "";
        }

        final StringBuilder text = new StringBuilder(String.format("%nExamples:%n"));
        for (final String example : help.examples())
        {
            final String[] words = example.split(" ", 2);
            text.append(String.format("  %s%n", CommandHint.of(words[0], 2 == words.length ? words[1] : "").stripTrailing()));
        }
        return text.toString();
    }

    private static String options(final Help rendered, final CommandHelp help)
    {
        final CommandSpec spec = rendered.commandSpec();
        final Map<String, List<OptionSpec>> groups = groups(spec);
        if (null == help || 0 == help.mostUsed().length || isAllAsked(spec))
        {
            final StringBuilder text = new StringBuilder();
            groups.forEach((title, options) -> text.append(list(rendered, title, options)));
            return text.toString();
        }

        final List<String> names = Arrays.asList(help.mostUsed());
        final List<OptionSpec> mostUsed = new ArrayList<>();
        for (final String name : names)
        {
            mostUsed.add(requireOption(spec, name));
        }
        mostUsed.addAll(List.of(requireOption(spec, "--help"), requireOption(spec, HELP_ALL)));
        final StringBuilder text = new StringBuilder(
            list(rendered, "Most used options", mostUsed.stream().map(HelpLayout::brief).toList()));
        if (!spec.subcommands().isEmpty())
        {
            return text.append(String.format("%n%s explains the other options.%n", HELP_ALL)).toString();
        }
        final Map<String, String> others = new LinkedHashMap<>();
        groups.forEach((title, options) ->
        {
            final List<String> rest = options.stream()
                .filter((option) -> !mostUsed.contains(option)).map(OptionSpec::longestName).toList();
            if (!rest.isEmpty())
            {
                others.put(title, String.join(" ", rest));
            }
        });
        text.append(String.format("%nMore options (%s explains them):%n", HELP_ALL));
        final int indent = 2 + 2 + others.keySet().stream().mapToInt(String::length).max().orElse(0);
        others.forEach((title, rest) ->
            text.append(wrap(String.format("  %-" + (indent - 2) + "s", title), rest, indent, spec.usageMessage().width())));
        return text.toString();
    }

    /** The option with the first sentence of its description, and its default. Those of help have variables in their names. */
    private static OptionSpec brief(final OptionSpec option)
    {
        // Where a description is read, its format has been applied.
        final String text = String.join("", option.description()).replace("%", "%%");
        return option.usageHelp() ? option : OptionSpec.builder(option)
            .description(text.replaceFirst("^(.*?)[.;] (?:.*?(Default: .*))?.*$", "$1. $2").strip()).build();
    }

    private static String wrap(final String begin, final String words, final int indent, final int width)
    {
        final StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder(begin);
        for (final String word : words.split(" "))
        {
            if (line.length() + word.length() + 1 > width && line.length() > indent)
            {
                text.append(String.format("%s%n", line.toString().stripTrailing()));
                line = new StringBuilder(" ".repeat(indent));
            }
            line.append(word).append(' ');
        }
        return text.append(String.format("%s%n", line.toString().stripTrailing())).toString();
    }

    private static String list(final Help rendered, final String title, final List<OptionSpec> options)
    {
        final Help.Layout layout = rendered.createDefaultLayout(options, Collections.emptyList(), rendered.colorScheme());
        layout.addOptions(options, rendered.createDefaultParamLabelRenderer());
        return String.format("%n%s:%n%s", title, layout);
    }

    /** Options that are not hidden, by their headings: the command's own first, help and version last. */
    private static Map<String, List<OptionSpec>> groups(final CommandSpec spec)
    {
        final SortedMap<Integer, List<OptionSpec>> byPlace = new TreeMap<>();
        spec.options().stream().filter((option) -> !option.hidden()).forEach(
            (option) -> byPlace.computeIfAbsent(placeOf(option), (ignored) -> new ArrayList<>()).add(option));
        final OptionGroup.Heading[] shared = OptionGroup.Heading.values();
        final Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        byPlace.forEach((place, options) -> groups.put(
            place < 0 ? byPlace.subMap(0, shared.length).isEmpty() ? "Options" : "Options of " + spec.name() :
            place < shared.length ? shared[place].title() : "Help", options));
        return groups;
    }

    private static int placeOf(final OptionSpec option)
    {
        final OptionGroup group = groupOf(option);
        return option.usageHelp() || option.versionHelp() ? Integer.MAX_VALUE : null == group ? -1 : group.value().ordinal();
    }

    private static OptionGroup groupOf(final OptionSpec option)
    {
        return option.userObject() instanceof Field field ? groupOf(field, field.getDeclaringClass()) :
            option.userObject() instanceof RecordComponent component ? groupOf(component, component.getDeclaringRecord()) : null;
    }

    private static OptionGroup groupOf(final AnnotatedElement declaration, final Class<?> declaring)
    {
        return Optional.ofNullable(declaration.getAnnotation(OptionGroup.class))
            .orElseGet(() -> declaring.getAnnotation(OptionGroup.class));
    }

    private static boolean isAllAsked(final CommandSpec spec)
    {
        final CommandLine.ParseResult result = spec.commandLine().getParseResult();
        return null != result && result.hasMatchedOption(HELP_ALL);
    }

    private static void replace(
        final CommandSpec spec, final String name, final UnaryOperator<OptionSpec.Builder> change)
    {
        final OptionSpec option = requireOption(spec, name);
        spec.remove(option);
        spec.addOption(change.apply(OptionSpec.builder(option)).build());
    }

    private static OptionSpec requireOption(final CommandSpec spec, final String name)
    {
        final OptionSpec option = spec.findOption(name);
        if (null == option)
        {
            throw new IllegalArgumentException(spec.qualifiedName() + " has no option " + name);
        }

        return option;
    }

    private static CommandHelp helpOf(final CommandSpec spec)
    {
        return null == spec.userObject() ? null : spec.userObject().getClass().getAnnotation(CommandHelp.class);
    }
}
