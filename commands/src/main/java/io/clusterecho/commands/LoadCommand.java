package io.clusterecho.commands;

import java.util.concurrent.Callable;

import io.clusterecho.client.run.RunConfig;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command with the options of a load and a printed result. */
@Command(mixinStandardHelpOptions = true)
abstract class LoadCommand implements Callable<Integer>
{
    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions options;

    @Mixin
    PrintOptions print;

    RunConfig config()
    {
        return options.config(spec);
    }

    /** Whether an option stands on the command line. */
    boolean isGiven(final String option)
    {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }
}
