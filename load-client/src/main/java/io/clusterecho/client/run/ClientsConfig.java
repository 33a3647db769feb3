package io.clusterecho.client.run;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The processes that offer a load together.
 *
 * @param count     of them, from 1.
 * @param isCountGiven whether the user said how many.
 * @param commands  that start them, taken in turn; empty for this program on this machine.
 * @param lines     that start them, split already, one for each; empty where {@code commands} says it.
 * @param silenceNs for which one may say nothing, beyond an interval, before it counts as lost; in ns.
 */
public record ClientsConfig(
    int count, boolean isCountGiven, List<String> commands, List<List<String>> lines, long silenceNs)
{
    /** Name of the command that a worker is started with. */
    public static final String WORKER = "worker";
    /** Option with the number of processes. */
    public static final String COUNT = "--clients";
    /** Option with the command line of one. */
    public static final String COMMAND = "--client-command";

    private static final int MAX_COUNT = 100;
    /** Sees all others, and none of them it. */
    private static final String MAIN_CLASS = "io.clusterecho.commands.LoadClient";

    /**
     * Checks the values.
     *
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    public ClientsConfig
    {
        if (count > MAX_COUNT)
        {
            throw new InvalidSettingException(COUNT, count, "1 to " + MAX_COUNT);
        }
        if (count < commands.size())
        {
            throw new InvalidSettingException(
                COUNT, count, "at least " + commands.size() + ", as many as there are of " + COMMAND);
        }
        if (commands.stream().anyMatch(String::isBlank))
        {
            throw new InvalidSettingException(COMMAND, "", "a command line that starts a worker");
        }
        if (silenceNs < 1)
        {
            throw new InvalidSettingException("--client-timeout", silenceNs + "ns", "more than 0");
        }
        commands = List.copyOf(commands);
        lines = List.copyOf(lines);
    }

    /**
     * Processes that are started by command lines which are split already, whatever blanks are in their words.
     *
     * @param newLines one for each process.
     */
    ClientsConfig startedBy(final List<List<String>> newLines)
    {
        return new ClientsConfig(newLines.size(), isCountGiven, List.of(), newLines, silenceNs);
    }

    /**
     * Whether other processes than this one offer the load.
     *
     * @return true if so.
     */
    public boolean areApart()
    {
        return count > 1 || !commands.isEmpty() || !lines.isEmpty();
    }

    /**
     * For a command that cannot be shared.
     *
     * @param command by name.
     * @throws InvalidSettingException if several processes are asked for.
     */
    public void checkAlone(final String command)
    {
        if (areApart())
        {
            throw new InvalidSettingException(
                commands.isEmpty() ? COUNT : COMMAND, commands.isEmpty() ? count : commands.get(0),
                "not given with " + command + "; run, max-rate and matrix can be shared");
        }
    }

    /**
     * Command lines that start the processes.
     *
     * @return the words of each, one line for each process.
     */
    public List<List<String>> commandLines()
    {
        final List<List<String>> all = new ArrayList<>(lines);
        for (int i = all.size(); i < count; i++)
        {
            all.add(commands.isEmpty() ? ownCommand() : List.of(commands.get(i % commands.size()).trim().split("\\s+")));
        }

        return all;
    }

    /**
     * This program once more, with the flags of this JVM that decide how it works.
     */
    private static List<String> ownCommand()
    {
        final List<String> flags = JavaCommand.ownFlags("-D.*|-X(m[sxn]|ss).*|-XX:[+-].*|-XX:\\w+=[0-9]+[kKmMgG]?");
        return JavaCommand.ofProgram(mainClass(), MAIN_CLASS, flags, List.of(WORKER));
    }

    private static Class<?> mainClass()
    {
        try
        {
            return Class.forName(MAIN_CLASS, false, ClientsConfig.class.getClassLoader());
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalStateException("a worker can be started by the load client's own program only", ex);
        }
    }
}
