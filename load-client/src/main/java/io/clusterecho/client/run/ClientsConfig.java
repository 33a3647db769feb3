package io.clusterecho.client.run;

import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The processes that share a load, each with all sessions.
 *
 * @param silenceNs longest silence, beyond an interval, before a process counts as lost; in ns.
 * @param lines     command lines that start them, split into words and used round-robin; those of the commands if there are
 *                  none, and without commands this program on this machine.
 */
@OptionGroup("Several clients")
public record ClientsConfig(
    @LoadOption(names = ClientsConfig.COUNT, label = "N", kind = LoadOption.Kind.COUNT, isOfWorker = false,
        text = "Client processes that share the schedule, each with --connections sessions. Default: the number of " +
        "--client-command options, else 1.")
    Integer givenCount,
    @LoadOption(names = ClientsConfig.COMMAND, label = "LINE", isOfWorker = false,
        text = "Command that starts a client process, such as 'ssh HOST cluster-echo/bin/load-client worker'; split at " +
        "blanks, without quotes. Repeatable: used round-robin. Default: this program on this machine.")
    List<String> commands,
    @LoadOption(names = "--client-timeout", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME, isOfWorker = false,
        text = "Silence, beyond --interval, after which a client process counts as lost. Default: ${DEFAULT-VALUE}.")
    long silenceNs,
    List<List<String>> lines)
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
        lines = lines.isEmpty() ? commands.stream().map((command) -> List.of(command.trim().split("\\s+"))).toList() :
            List.copyOf(lines);
        final int count = count(givenCount, lines);
        InvalidSettingException.throwIf(count > MAX_COUNT, COUNT, count, "1 to " + MAX_COUNT);
        InvalidSettingException.throwIf(
            count < lines.size(), COUNT, count, "at least " + lines.size() + ", the number of " + COMMAND + " options");
        InvalidSettingException.throwIf(
            lines.stream().anyMatch((line) -> line.get(0).isEmpty()), COMMAND, "", "a command line that starts a worker");
        InvalidSettingException.throwIf(silenceNs < 1, "--client-timeout", silenceNs + "ns", "more than 0");
    }

    private static int count(final Integer given, final List<?> lines)
    {
        return null != given ? given : Math.max(1, lines.size());
    }

    public int count()
    {
        return count(givenCount, lines);
    }

    /** Whether other processes than this one send the load. */
    public boolean areApart()
    {
        return count() > 1 || !lines.isEmpty();
    }

    /** Check that only one process is configured, for a command that cannot be shared. */
    public void checkAlone(final String command)
    {
        InvalidSettingException.throwIf(
            areApart(), lines.isEmpty() ? COUNT : COMMAND, lines.isEmpty() ? count() : String.join(" ", lines.get(0)),
            "not given with " + command + "; only run, max-rate and matrix can be shared");
    }

    /** Command lines that start the processes, each as a list of words. */
    public List<List<String>> commandLines()
    {
        return IntStream.range(0, count())
            .mapToObj((i) -> lines.isEmpty() ? ownCommand() : lines.get(i % lines.size())).toList();
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
