package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

import io.clusterecho.client.calibration.Baselines;
import io.clusterecho.client.calibration.Calibrations;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.results.Threshold;

import picocli.CommandLine.Option;

/** What a result must meet, what it is called and where it is kept. */
@OptionGroup(OptionGroup.Heading.OUTPUT)
final class ResultOptions
{
    static final String ASSERT = "--assert";
    static final String LABEL = "--label";
    static final String OUTPUT = "--output";

    @Option(names = ASSERT, paramLabel = "CONDITIONS", converter = Converters.Thresholds.class,
        description = "Conditions that the result must meet, such as 'p99<1ms,lost==0'; exit status 99 when one fails.")
    List<Threshold> thresholds = List.of();

    @Option(names = LABEL, paramLabel = "TEXT", defaultValue = RunConfig.DEFAULT_LABEL, converter = Converters.Label.class,
        description = "Name of the result. Blanks and other special characters become dashes in the folder's name. " +
        "Default: ${DEFAULT-VALUE}.")
    String label;

    @Option(names = { OUTPUT, "-o" }, paramLabel = "DIR", defaultValue = "results", converter = Converters.OutputFolder.class,
        description = "Folder for result folders. Default: ${DEFAULT-VALUE}.")
    Path output;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "1s", converter = Converters.Duration.class,
        description = "Length of an interval of the time series, at least 100ms. Default: ${DEFAULT-VALUE}.")
    long intervalNs;

    @Option(names = "--baseline", paramLabel = "DIR",
        description = "Baseline with which the median is compared. Default: the newest matching one of this machine in --output.")
    private Path baseline;

    @Option(names = OptionFile.OPTION, paramLabel = "FILE",
        description = "Property file with defaults of options, such as rate=100k; repeatable. The command line wins.")
    private List<Path> configFiles = List.of();

    Baselines baselines()
    {
        final Consumer<String> warning = (text) -> System.err.println("warning: " + text);
        return (null != baseline ? Baselines.named(baseline) : Baselines.below(output, warning))
            .with(Calibrations.below(output, warning));
    }
}
