package io.clusterecho.client.run;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The processes that share a load.
 *
 * @param commands  command lines that start them, used round-robin; empty for this program on this machine.
 * @param lines     command lines, already split, one for each process; empty if {@code commands} applies.
 * @param silenceNs longest silence, beyond an interval, before a process counts as lost; in ns.
 */
public record ClientsConfig(
    int count, boolean isCountGiven, List<String> commands, List<List<String>> lines, long silenceNs)
{
    /** Name of the command that runs a worker. */
    public static final String WORKER = "worker";
    public static final String COUNT = "--clients";
    public static final String COMMAND = "--client-command";

    private static final int MAX_COUNT = 100;
    /** The main class, by name because this module must not depend on its module. */
    private static final String MAIN_CLASS = "io.clusterecho.commands.LoadClient";

    public ClientsConfig
    {
        InvalidSettingException.throwIf(count > MAX_COUNT, COUNT, count, "1 to " + MAX_COUNT);
        InvalidSettingException.throwIf(
            count < commands.size(), COUNT, count, "at least " + commands.size() + ", the number of " + COMMAND + " options");
        InvalidSettingException.throwIf(
            commands.stream().anyMatch(String::isBlank), COMMAND, "", "a command line that starts a worker");
        InvalidSettingException.throwIf(silenceNs < 1, "--client-timeout", silenceNs + "ns", "more than 0");
        commands = List.copyOf(commands);
        lines = List.copyOf(lines);
    }

    /** The same with a command line for each process, already split, so that words may contain blanks. */
    ClientsConfig startedBy(final List<List<String>> newLines)
    {
        return new ClientsConfig(newLines.size(), isCountGiven, List.of(), newLines, silenceNs);
    }

    /** Whether other processes than this one send the load. */
    public boolean areApart()
    {
        return count > 1 || !commands.isEmpty() || !lines.isEmpty();
    }

    /** Check that only one process is configured, for a command that cannot be shared. */
    public void checkAlone(final String command)
    {
        InvalidSettingException.throwIf(
            areApart(), commands.isEmpty() ? COUNT : COMMAND, commands.isEmpty() ? count : commands.get(0),
            "not given with " + command + "; only run, max-rate and matrix can be shared");
    }

    /** Command lines that start the processes, each as a list of words. */
    public List<List<String>> commandLines()
    {
        final List<List<String>> all = new ArrayList<>(lines);
        for (int i = all.size(); i < count; i++)
        {
            all.add(commands.isEmpty() ? ownCommand() : List.of(commands.get(i % commands.size()).trim().split("\\s+")));
        }

        return all;
    }

    /** This program with the same JVM flags. */
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
            throw new IllegalStateException("only the load client's own program can start a worker", ex);
        }
    }
}
