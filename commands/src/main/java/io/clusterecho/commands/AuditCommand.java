package io.clusterecho.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.clusterecho.failover.audit.AuditDocument;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.AuditText;
import io.clusterecho.failover.audit.Auditor;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Holds the logs of a cluster's members against one another and against the journals of clients.
 */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Proves from the recorded logs what became of every message.",
    description = {
        "",
        "Reads the log of every member from its folder, whether the member is stopped, was killed or runs. What a majority " +
        "holds is applied by the rules of the echo service and held against what the clients' journals say. Nothing is changed.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "0:clean", "1:internal error", "2:usage", "4:findings" })
public final class AuditCommand implements Callable<Integer>
{
    @Option(names = "--cluster-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of a cluster on this machine, with member-0, member-1, ... in it (${DEFAULT-VALUE}).")
    private Path clusterDir;

    @Option(names = "--journal", paramLabel = "FILE",
        description = "Journal of a client; may be given again.")
    private List<Path> journals = List.of();

    @Option(names = "--json", description = "Print the report as JSON.")
    private boolean isJson;

    @Parameters(paramLabel = "DIR", arity = "0..*",
        description = "Folders of the members, one for each member of the cluster, in place of those below --cluster-dir.")
    private List<Path> folders = List.of();

    @Override
    public Integer call() throws IOException
    {
        final AuditReport report = Auditor.audit(folders.isEmpty() ? memberFolders() : folders, journals);
        System.out.print(isJson ? Documents.text(AuditDocument.of(report)) : AuditText.text(report));
        System.out.flush();

        return report.isClean() ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    private List<Path> memberFolders() throws IOException
    {
        if (!Files.isDirectory(clusterDir))
        {
            throw new InvalidSettingException("--cluster-dir", clusterDir, "a folder with member-0, member-1, ... in it");
        }

        final Path settings = clusterDir.resolve("cluster.properties");
        if (Files.isRegularFile(settings) && "plain".equals(Settings.load(settings).get(SettingKeys.SERVICE)))
        {
            throw new InvalidSettingException(
                "--cluster-dir", clusterDir,
                "the folder of members with echo.service=echo: the plain service keeps no accounts that could be audited");
        }

        try (Stream<Path> files = Files.list(clusterDir))
        {
            final List<Path> members = files
                .filter((file) -> file.getFileName().toString().matches("member-\\d{1,2}") && Files.isDirectory(file))
                .sorted(Comparator.comparingInt(AuditCommand::memberId))
                .toList();
            if (members.isEmpty())
            {
                throw new InvalidSettingException("--cluster-dir", clusterDir, "a folder with member-0, member-1, ... in it");
            }

            return members;
        }
    }

    private static int memberId(final Path folder)
    {
        return Integer.parseInt(folder.getFileName().toString().substring("member-".length()));
    }
}
