package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.report.FaultSummary;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.FileNames;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders stored results as one page. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    header = "Put runs, searches and sweeps into one HTML file.",
    description = {
        "",
        "The file needs no network and no other file. With several folders it overlays their curves and lists what " +
        "differs between them; failover tests, searches, sweeps and suites have charts of their own. With --faults " +
        "it is a summary of all failover tests in the folders, as Markdown." },
    exitCodeList = {
        "  0:written",
        "  1:internal error",
        "  2:usage, or a folder without a result" })
@CommandHelp(
    examples = {
        "load-client report results/20261122-101500-run",
        "load-client report results/before results/after --output both.html",
        "load-client report --faults results/reference-* --output results/FAULTS.md" })
final class ReportCommand implements Callable<Integer>
{
    @Parameters(arity = "1..*", paramLabel = "DIR",
        description = "Result folders, in the order of the page; also NAME.hdr files of aeron-io/benchmarks, or folders of them.")
    private List<Path> folders;

    @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "File to write. Default: report.html, in the result folder if there is one, else in this folder; with " +
        "--faults standard output.")
    private Path output;

    @Option(names = "--faults",
        description = "Summarize all failover tests in the folders by kind of fault: cycles, outages against what was " +
        "expected, messages acknowledged, lost and applied twice, audits.")
    private boolean isOfFaults;

    @Override
    public Integer call()
    {
        if (isOfFaults)
        {
            summarizeFaults();
            return ExitCode.GOOD;
        }
        final Path page = null != output ? output :
            1 == folders.size() && Files.isDirectory(folders.get(0)) ?
            folders.get(0).resolve(FileNames.PAGE) : Path.of(FileNames.PAGE);
        ReportPage.write(page, folders);
        System.out.println("report in " + page);
        return ExitCode.GOOD;
    }

    private void summarizeFaults()
    {
        if (null == output)
        {
            System.out.print(FaultSummary.markdown(folders));
        }
        else
        {
            ReportPage.write(output, FaultSummary.markdown(folders));
            System.out.println("report in " + output);
        }
    }
}
