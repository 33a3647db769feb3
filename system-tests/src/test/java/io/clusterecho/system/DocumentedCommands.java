package io.clusterecho.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.clusterecho.commands.LoadClient;
import io.clusterecho.control.ClusterNode;
import io.clusterecho.peers.command.Peers;


/**
 * Checks the commands that documents contain: commands and options of each jar and launcher with the jar's own help, and
 * scripts with the command that they run, or with their text.
 */
final class DocumentedCommands
{
    private static final Pattern JAR =
        Pattern.compile("(?:^|.*\\s)java\\s(?:\\S+\\s+)*?-jar\\s+\\S*?(cluster-node|load-client|peers)\\.jar(?=\\s|$)(.*)");
    private static final Pattern LAUNCHER = Pattern.compile("(?:^|.*\\s)(?:\\.\\./)*bin/([a-z-]+)(?=\\s|$)(.*)");
    private static final Pattern SCRIPT = Pattern.compile("(?:^|.*\\s)(?:\\S*/)?scripts/([a-z-]+\\.sh)(?=\\s|$)(.*)");
    private static final Pattern LISTED_COMMAND = Pattern.compile("(?m)^  ([a-z][a-z-]+)(?: {2,}|$)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z][a-z0-9-]*)");
    private static final Pattern END = Pattern.compile("^(.*?)(\\s+[#|&>].*)?$");
    private static final Map<String, String> COMMANDS_OF_SCRIPTS = Map.of(
        "start-cluster.sh", "cluster-node start",
        "stop-cluster.sh", "cluster-node stop",
        "cluster-status.sh", "cluster-node status",
        "failover-test.sh", "load-client failover",
        "demo.sh", "load-client run",
        "peers.sh", "peers matrix",
        "aws-guide.sh", "peers matrix");

    private final Path root;
    private final Map<String, String> helps = new HashMap<>();

    DocumentedCommands(final Path root)
    {
        this.root = root;
    }

    /** What is wrong with a line of code, a sentence each; nothing for lines without a command of this project. */
    List<String> problems(final String code)
    {
        final String line = code.replaceAll("(?:^|\\s)#.*", "").replaceAll("'[^']*'|\"[^\"]*\"", "X").replaceAll("[;|<>&].*", "");
        final List<String> problems = new ArrayList<>();
        final Matcher jar = JAR.matcher(line);
        final Matcher launcher = LAUNCHER.matcher(line);
        final Matcher script = SCRIPT.matcher(line);
        if (jar.matches())
        {
            check(problems, jar.group(1), words(jar.group(2)));
        }
        else if (launcher.matches())
        {
            if (Files.exists(root.resolve("bin").resolve(launcher.group(1))))
            {
                check(problems, launcher.group(1), words(launcher.group(2)));
            }
            else
            {
                problems.add("bin/" + launcher.group(1) + ": no such launcher");
            }
        }
        else if (script.matches())
        {
            checkScript(problems, script.group(1), words(script.group(2)));
        }

        return problems;
    }

    /** Whether a line is a command of this project. */
    boolean isCommand(final String line)
    {
        return !problems(appended(line, "--no-such-option")).isEmpty();
    }

    /** Whether a line is a command of this project that has an option. */
    boolean hasOption(final String line, final String option)
    {
        return isCommand(line) && problems(appended(line, option)).equals(problems(line));
    }

    /** A line with more words, before a comment, a pipe or an ampersand. */
    static String appended(final String line, final String words)
    {
        return END.matcher(line).replaceFirst("$1 " + Matcher.quoteReplacement(words) + "$2");
    }

    private void checkScript(final List<String> problems, final String script, final List<String> arguments)
    {
        final Path file = root.resolve("scripts").resolve(script);
        if (!Files.exists(file))
        {
            problems.add("scripts/" + script + ": no such script");
        }
        else
        {
            // A script may have options of its own, and pass others to a command.
            final String command = COMMANDS_OF_SCRIPTS.get(script);
            final Set<String> known = null == command ? Set.of("--help") : listed(OPTION, help(command));
            try
            {
                final String text = Files.readString(file);
                options(arguments).stream().filter((option) -> !text.contains(option) && !known.contains(option))
                    .forEach((option) -> problems.add(
                        (null == command ? "scripts/" + script : command) + ": no option " + option));
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    private void check(final List<String> problems, final String program, final List<String> arguments)
    {
        String command = program;
        int next = 0;
        while (next < arguments.size() && listed(LISTED_COMMAND, help(command)).contains(arguments.get(next)))
        {
            command += " " + arguments.get(next);
            next++;
        }
        if (command.equals(program) && next < arguments.size() && arguments.get(next).matches("[a-z][a-z-]*"))
        {
            problems.add(program + ": no command " + arguments.get(next));
        }
        else
        {
            checkOptions(problems, command, arguments);
        }
    }

    private void checkOptions(final List<String> problems, final String command, final List<String> arguments)
    {
        final Set<String> known = listed(OPTION, help(command));
        options(arguments).stream().filter((option) -> !known.contains(option))
            .forEach((option) -> problems.add(command + ": no option " + option));
    }

    private String help(final String command)
    {
        return helps.computeIfAbsent(command, (key) ->
        {
            final String brief = printed(key, "--help");
            return brief.contains("--help-all") ? brief + printed(key, "--help-all") : brief;
        });
    }

    private static String printed(final String command, final String option)
    {
        final List<String> arguments = new ArrayList<>(words(command));
        final String program = arguments.remove(0);
        arguments.add(option);
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        // Of all instances only one may do so at a time.
        synchronized (DocumentedCommands.class)
        {
            final PrintStream console = System.out;
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            try
            {
                execute(program, arguments.toArray(new String[0]));
            }
            finally
            {
                System.setOut(console);
            }
        }

        return printed.toString(StandardCharsets.UTF_8);
    }

    private static void execute(final String program, final String[] arguments)
    {
        switch (program)
        {
            case "cluster-node":
                ClusterNode.execute(System.err, arguments);
                break;

            case "load-client":
                LoadClient.execute(arguments);
                break;

            default:
                Peers.execute(arguments);
                break;
        }
    }

    private static Set<String> listed(final Pattern pattern, final String help)
    {
        final Set<String> listed = new HashSet<>();
        pattern.matcher(help).results().forEach((match) -> listed.add(match.group(1)));
        return listed;
    }

    private static List<String> words(final String text)
    {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }

    private static List<String> options(final List<String> words)
    {
        return words.stream().map(OPTION::matcher).filter(Matcher::lookingAt).map((match) -> match.group(1)).toList();
    }
}
