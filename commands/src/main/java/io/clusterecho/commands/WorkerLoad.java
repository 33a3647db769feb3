package io.clusterecho.commands;

import java.util.List;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.settings.InvalidSettingException;

/** The options of a load, and nothing else. */
@Command(name = ClientsConfig.WORKER)
public final class WorkerLoad
{
    @Mixin
    private LoadOptions options;

    /** Read arguments as on the command line of {@code run}; of those that are given twice the last one counts. */
    public static RunConfig parse(final List<String> arguments)
    {
        final WorkerLoad load = new WorkerLoad();
        try
        {
            final CommandLine commandLine = Converters.register(new CommandLine(load));
            commandLine.setOverwrittenOptionsAllowed(true).setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(new String[0]));
            return load.options.config(commandLine.getCommandSpec());
        }
        catch (final ParameterException ex)
        {
            throw new InvalidSettingException(ex.getMessage());
        }
    }
}
