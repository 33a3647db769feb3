package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.FileNames;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Puts runs that were measured before into one page.
 */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Puts one or several runs, searches and sweeps into one HTML file.",
    description = {
        "",
        "The file needs nothing else: no network, no other file. Each run has written such a file into its own folder " +
        "already; with several folders their curves stand in the same charts, and what differs between them is listed. Of " +
        "failover tests the outages are set side by side. A search has its knee curve, a sweep its cells and ratios; a page " +
        "of each of their runs is made from the run's own folder.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { " 0:written", " 1:internal error", " 2:usage, or not the folder of a run" })
final class ReportCommand implements Callable<Integer>
{
    @Parameters(arity = "1..*", paramLabel = "DIR",
        description = "Folders of runs, of max-rate and of matrix, in the order of the page; also files NAME.hdr of " +
        "aeron-io/benchmarks, or folders of such files.")
    private List<Path> folders;

    @Option(names = "--output", paramLabel = "FILE",
        description = "File to write. Default: report.html, in the run's folder if there is one, else in this folder.")
    private Path output;

    @Override
    public Integer call()
    {
        final Path page = null != output ? output :
            1 == folders.size() && Files.isDirectory(folders.get(0)) ?
            folders.get(0).resolve(FileNames.PAGE) : Path.of(FileNames.PAGE);
        ReportPage.write(page, folders);
        System.out.println("report in " + page);
        return ExitCode.GOOD;
    }
}
