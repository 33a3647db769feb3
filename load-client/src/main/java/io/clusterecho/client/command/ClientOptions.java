package io.clusterecho.client.command;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.LoadClient;
import io.clusterecho.client.worker.Crew;
import io.clusterecho.node.local.MemberLauncher;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/**
 * Whether the load is offered by several processes, and how they are started.
 */
final class ClientOptions
{
    /** Name of the command that a worker is started with. */
    static final String WORKER = "worker";

    private static final int MAX_COUNT = 100;
    private static final String COUNT = "--clients";
    private static final String COMMAND = "--client-command";

    @Option(names = COUNT, paramLabel = "N", converter = Converters.PositiveInt.class,
        description = "Processes that offer the one schedule together, each with --connections sessions. Default: as many as " +
        "--client-command is given, else 1.")
    Integer count;

    @Option(names = COMMAND, paramLabel = "LINE",
        description = "Starts a process of --clients, as in 'ssh HOST java -jar load-client.jar worker'; split at blanks, " +
        "without quotes. Given again it is that of the next one; they are taken in turn. Default: this program on this machine.")
    List<String> commands = List.of();

    @Option(names = "--client-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "How long one of --clients may say nothing, beyond --interval, before it counts as lost. " +
        "Default: ${DEFAULT-VALUE}.")
    long silenceNs;

    private List<List<String>> lines = List.of();

    /**
     * Have the processes started by command lines that are split already, whatever blanks are in their words.
     *
     * @param newLines one for each process.
     */
    void startBy(final List<List<String>> newLines)
    {
        lines = newLines;
        count = newLines.size();
    }

    /**
     * Whether other processes than this one offer the load.
     */
    boolean areApart()
    {
        return count() > 1 || !commands.isEmpty() || !lines.isEmpty();
    }

    int count()
    {
        return null != count ? count : Math.max(1, commands.size());
    }

    /**
     * Check what no single option can tell.
     *
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    void check(final LoadOptions options)
    {
        if (!areApart())
        {
            return;
        }
        if (count() > MAX_COUNT)
        {
            throw new InvalidSettingException(COUNT, count(), "1 to " + MAX_COUNT);
        }
        if (count() < commands.size())
        {
            throw new InvalidSettingException(
                COUNT, count(), "at least " + commands.size() + ", as many as there are of " + COMMAND);
        }
        if (commands.stream().anyMatch(String::isBlank))
        {
            throw new InvalidSettingException(COMMAND, "", "a command line that starts a worker");
        }
        if (count() * options.sessionCount > LoadOptions.MAX_SESSION_COUNT)
        {
            throw new InvalidSettingException(
                "--connections", options.sessionCount, "1 to " + LoadOptions.MAX_SESSION_COUNT / count() + " with " + COUNT +
                "=" + count() + ", " + LoadOptions.MAX_SESSION_COUNT + " over all of them");
        }
        if (count() > 1 && null != options.egressEndpoint && !options.egressEndpoint.endsWith(":0"))
        {
            throw new InvalidSettingException(
                "--egress", options.egressEndpoint, "a port of 0 with " + COUNT + ": each process needs one of its own");
        }
        if (LoadOptions.AtBound.end == options.atBound && options.isExactlyOnce())
        {
            throw new InvalidSettingException(
                "--at-bound", "end", "wait with " + COUNT + ": no process knows of the bounds of the others");
        }
        if (silenceNs < 1)
        {
            throw new InvalidSettingException("--client-timeout", silenceNs + "ns", "more than 0");
        }
    }

    /**
     * For a command that cannot be shared.
     *
     * @param command by name.
     * @throws InvalidSettingException if several processes are asked for.
     */
    void checkAlone(final String command)
    {
        if (areApart())
        {
            throw new InvalidSettingException(
                commands.isEmpty() ? COUNT : COMMAND, commands.isEmpty() ? count() : commands.get(0),
                "not given with " + command + "; run, max-rate and matrix can be shared");
        }
    }

    /**
     * The processes; none is started.
     */
    Crew newCrew()
    {
        final List<List<String>> all = new ArrayList<>(lines);
        for (int i = all.size(); i < count(); i++)
        {
            all.add(commands.isEmpty() ? ownCommand() : List.of(commands.get(i % commands.size()).trim().split("\\s+")));
        }

        return new Crew(all, COMMAND, silenceNs, System.err::println);
    }

    /**
     * This program once more, with the flags of this JVM that decide how it works.
     */
    private static List<String> ownCommand()
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> flag.matches("-D.*|-X(m[sxn]|ss).*|--add-.*|-XX:[+-].*|-XX:\\w+=[0-9]+[kKmMgG]?"))
            .forEach(command::add);
        final Path code = MemberLauncher.jarOf(LoadClient.class);
        if (code.toString().endsWith(".jar"))
        {
            command.addAll(List.of("-jar", code.toString()));
        }
        else
        {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), LoadClient.class.getName()));
        }
        command.add(WORKER);
        return command;
    }
}
