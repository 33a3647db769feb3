package io.clusterecho.system;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A code block of a document. If its first word is a program, it is a bash script that a reader runs at the root of a checkout. A
 * comment on a line before it, which no reader sees, may say how it is tested:
 * <pre>
 *   &lt;!-- test: skip other hosts --&gt;                       not run, for one of {@link #REASONS}
 *   &lt;!-- test: --cycles 1 --duration 2s --&gt;               run with these options in each command that has them
 *   &lt;!-- test: status 0 or 99 --&gt;                         its exit status; otherwise 0
 *   &lt;!-- test: --duration 2s; status 99 --&gt;
 * </pre>
 */
final class DocumentBlock
{
    /** Why commands are not run: what they need, or that they take minutes in whatever way they are shortened. */
    static final List<String> REASONS = List.of(
        "a changed source", "a cloud account", "a container runtime", "another driver", "files of the reader", "minutes",
        "more processors", "other hosts", "root", "the build");

    private static final Pattern PROGRAM = Pattern.compile(
        "((\\.\\./)*(bin|scripts)/\\S+|ansible-playbook|cd|cp|export|for|git|java|jq|kubectl|mkdir|mvn|pip|podman|python3|" +
        "scp|ssh|sudo|tar)" +
        "( .*)?");
    /** Unlike a sentence of quoted output that ends with a command. */
    private static final Pattern LIKE_COMMAND = Pattern.compile("(\\S+ )?(java|(\\.\\./)*(bin|scripts)/\\S+)( .*)?");
    private static final Pattern SKIP = Pattern.compile("skip (.+)");
    private static final Pattern STATUS = Pattern.compile("status (\\d+(?: or \\d+)*)");
    private static final Pattern OPTIONS = Pattern.compile("--[a-z-]+ [^ -]\\S*(?: --[a-z-]+ [^ -]\\S*)*");
    private static final Pattern OPTION = Pattern.compile("(--[a-z-]+) (\\S+)");
    private static final String REPEATABLE = "--set";

    private final int number;
    private final List<String> lines;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> options = new TreeMap<>();
    private String skipReason;
    private List<Integer> statuses = List.of(0);

    /**
     * Read the comment.
     *
     * @param number of the first line of the block in its document.
     * @param marker text of the comment after {@code test:}, or empty.
     * @param lines  of the block.
     */
    DocumentBlock(final int number, final String marker, final List<String> lines)
    {
        this.number = number;
        this.lines = joined(lines);
        if (!marker.isEmpty())
        {
            Arrays.stream(marker.split(";\\s*")).forEach(this::read);
            if (!isScript())
            {
                problems.add("no commands after the comment for tests");
            }
        }
    }

    private void read(final String clause)
    {
        final Matcher skip = SKIP.matcher(clause);
        final Matcher status = STATUS.matcher(clause);
        if (skip.matches())
        {
            skipReason = skip.group(1);
            if (!REASONS.contains(skipReason))
            {
                problems.add("'" + skipReason + "' is not a reason to skip; allowed are " + String.join(", ", REASONS));
            }
        }
        else if (status.matches())
        {
            statuses = Arrays.stream(status.group(1).split(" or ")).map(Integer::valueOf).toList();
        }
        else if (OPTIONS.matcher(clause).matches())
        {
            OPTION.matcher(clause).results().forEach((option) -> options.put(option.group(1), option.group(2)));
        }
        else
        {
            problems.add("'" + clause + "' is neither skip REASON nor status N nor options with values");
        }
    }

    int number()
    {
        return number;
    }

    boolean isScript()
    {
        return !lines.isEmpty() && PROGRAM.matcher(lines.get(0).strip()).matches();
    }

    /** Why it is not run, or null. */
    String skipReason()
    {
        return skipReason;
    }

    /** Exit statuses, one of which it must have. */
    List<Integer> statuses()
    {
        return statuses;
    }

    /** How many commands it has: lines, of which the body of a loop belongs to its first. */
    int commandCount()
    {
        return (int)lines.stream().filter((line) -> !line.isBlank() && !line.startsWith("    ") && !line.matches("(done|#).*"))
            .count();
    }

    /** What is wrong with the comment, and commands that would not be run. */
    List<String> problems(final DocumentedCommands commands)
    {
        final List<String> found = new ArrayList<>(problems);
        options.keySet().stream().filter((option) -> lines.stream().noneMatch((line) -> commands.hasOption(line, option)))
            .forEach((option) -> found.add("no command of the block has the option " + option));
        if (!isScript() && lines.stream().filter((line) -> LIKE_COMMAND.matcher(line).matches()).anyMatch(commands::isCommand))
        {
            found.add("a block with a command whose first word is not known as a program, so that no test runs it");
        }

        return found;
    }

    /** The script that tests run. */
    String script(final DocumentedCommands commands)
    {
        final StringBuilder script = new StringBuilder();
        for (final String line : lines)
        {
            String command = line;
            for (final Map.Entry<String, String> option : options.entrySet())
            {
                if (commands.hasOption(line, option.getKey()))
                {
                    command = with(command, option.getKey(), option.getValue());
                }
            }
            script.append(command).append('\n');
        }

        return script.toString();
    }

    private static String with(final String command, final String option, final String value)
    {
        final Matcher given = Pattern.compile("(\\s" + option + "[ =])('[^']*'|\\S+)").matcher(command);
        if (!REPEATABLE.equals(option) && given.find())
        {
            return given.replaceFirst(Matcher.quoteReplacement(given.group(1) + value));
        }

        return DocumentedCommands.appended(command, option + " " + value);
    }

    /** Without the indentation of a block, and with continued lines joined. */
    private static List<String> joined(final List<String> lines)
    {
        final List<String> joined = new ArrayList<>();
        final StringBuilder line = new StringBuilder();
        for (final String text : lines)
        {
            line.append(line.isEmpty() ? text.replaceFirst("^    ", "") : text.strip());
            if (text.endsWith("\\"))
            {
                line.setLength(line.length() - 1);
            }
            else
            {
                joined.add(line.toString());
                line.setLength(0);
            }
        }

        return joined;
    }
}
