package io.clusterecho.control.command;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.process.CommandHint;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help in two lengths. {@code --help} shows the usage, examples, and the options that most users need in a sentence each;
 * {@code --help-all} explains every option, under the headings of {@link OptionGroup}.
 */
public final class HelpLayout
{
    private static final String HELP_ALL = "--help-all";
    private static final String EXAMPLES = "examples";
    private static final String OWN = "Options";
    private static final String HELP = "Help";
    private static final int MIN_WIDTH = 80;
    private static final int MAX_WIDTH = 110;

    /**
     * Give a command and its subcommands this layout and the versions of the build, and an option {@code --help-all} to those
     * with options that {@code --help} leaves out.
     */
    public static void apply(final CommandLine command)
    {
        final CommandSpec spec = command.getCommandSpec().version(BuildFacts.lines());
        final Object user = spec.userObject();
        final CommandHelp help = null == user ? null :
            (user instanceof Method method ? method : user.getClass()).getAnnotation(CommandHelp.class);
        if (null != help && help.mostUsed().length > 0 && null == spec.findOption(HELP_ALL))
        {
            spec.addOption(OptionSpec.builder(HELP_ALL).usageHelp(true).arity("0").type(boolean.class)
                .description("Show every option with its description, and exit.").build());
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
            .headerHeading("%n").parameterListHeading(isWithoutParameters ? "" : "%nArguments:%n")
            .commandListHeading("%nCommands:%n");
        if (usage.width() < MIN_WIDTH || usage.width() > MAX_WIDTH)
        {
            usage.width(MAX_WIDTH);
        }
        usage.sectionKeys(List.of(
            UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING, UsageMessageSpec.SECTION_KEY_SYNOPSIS,
            UsageMessageSpec.SECTION_KEY_HEADER_HEADING, UsageMessageSpec.SECTION_KEY_HEADER,
            UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING, UsageMessageSpec.SECTION_KEY_DESCRIPTION, EXAMPLES,
            UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
            UsageMessageSpec.SECTION_KEY_OPTION_LIST,
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
            UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING, UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST,
            UsageMessageSpec.SECTION_KEY_FOOTER_HEADING, UsageMessageSpec.SECTION_KEY_FOOTER));
        usage.sectionMap().put(EXAMPLES, (ignored) -> examples(help));
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, (rendered) -> options(rendered, help));
    }

    private static String examples(final CommandHelp help)
    {
        return null == help || 0 == help.examples().length ? "" : String.format("%nExamples:%n") +
            Stream.of(help.examples()).map((example) -> (example + " ").split(" ", 2))
            .map((words) -> String.format("  %s%n", CommandHint.of(words[0], words[1].strip()).stripTrailing()))
            .collect(Collectors.joining());
    }

    private static String options(final Help rendered, final CommandHelp help)
    {
        final CommandSpec spec = rendered.commandSpec();
        if (null == help || 0 == help.mostUsed().length ||
            null != spec.commandLine().getParseResult() && spec.commandLine().getParseResult().hasMatchedOption(HELP_ALL))
        {
            return groups(spec).entrySet().stream().map((group) -> list(rendered, group.getKey(), group.getValue()))
                .collect(Collectors.joining());
        }

        return list(rendered, "Most used options", Stream.concat(Stream.of(help.mostUsed()), Stream.of("--help", HELP_ALL))
            .map((name) -> brief(spec.findOption(name))).toList()) +
            String.format("%n%s explains the other options.%n", HELP_ALL);
    }

    /** The option with the first sentence of its description, and its default. Those of help have variables in their names. */
    private static OptionSpec brief(final OptionSpec option)
    {
        // Where a description is read, its format has been applied.
        final String text = String.join("", option.description()).replace("%", "%%");
        return option.usageHelp() ? option : OptionSpec.builder(option)
            .description(text.replaceFirst("^(.*?)[.;] (?:.*?(Default: .*))?.*$", "$1. $2").strip()).build();
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
        return spec.options().stream().filter((option) -> !option.hidden())
            .sorted(Comparator.comparingInt((option) -> OWN.equals(titleOf(option)) ? 0 : HELP.equals(titleOf(option)) ? 2 : 1))
            .collect(Collectors.groupingBy(HelpLayout::titleOf, LinkedHashMap::new, Collectors.toList()));
    }

    private static String titleOf(final OptionSpec option)
    {
        final Class<?> declaring = option.userObject() instanceof Field field ? field.getDeclaringClass() :
            option.userObject() instanceof RecordComponent component ? component.getDeclaringRecord() : null;
        return option.usageHelp() || option.versionHelp() ? HELP : Optional.ofNullable(declaring)
            .map((type) -> type.getAnnotation(OptionGroup.class)).map(OptionGroup::value).orElse(OWN);
    }
}
