package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.AuditText;
import io.clusterecho.failover.audit.Auditor;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.Terminal;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the logs of a cluster's members with one another and with the clients' journals. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    header = "Check in the logs what happened to every message.",
    description = {
        "",
        "Reads every member's log, whether the member is stopped, was killed or runs. What a majority holds is applied by " +
        "the rules of the echo service and compared with the clients' journals. Nothing is changed." },
    exitCodeList = {
        "  0:clean",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  4:findings" })
@CommandHelp(
    examples = {
        "load-client audit --base-dir cluster-data",
        "load-client audit --journal results/20261122-101500-failover/journal.bin m0 m1 m2" })
public final class AuditCommand implements Callable<Integer>
{
    private static final int MAX_MEMBERS = 99;

    @Option(names = "--base-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of a cluster, with member-0, member-1, ... Default: ${DEFAULT-VALUE}.")
    private Path clusterDir;

    @Option(names = "--journal", paramLabel = "FILE",
        description = "Journal of a client; repeatable.")
    private List<Path> journals = List.of();

    @Option(names = "--json", description = "Print the report, or an error, as one JSON document.")
    private boolean isJson;

    @Parameters(paramLabel = "DIR", arity = "0..*",
        description = "Folders of all members of the cluster. Default: those in --base-dir.")
    private List<Path> folders = List.of();

    @Override
    public Integer call()
    {
        final AuditReport report = Auditor.audit(folders.isEmpty() ? memberFolders() : folders, journals);
        Terminal.print(isJson ? Documents.text(report) : AuditText.text(report));
        return report.isClean() ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    private List<Path> memberFolders()
    {
        final Path settings = clusterDir.resolve("cluster.properties");
        InvalidSettingException.throwIf(
            Files.isRegularFile(settings) && "plain".equals(Settings.load(settings).get(SettingKeys.SERVICE)), "--base-dir",
            clusterDir, "the folder of a cluster with echo.service=echo: the plain service cannot be audited");

        final List<Path> members = IntStream.range(0, MAX_MEMBERS).mapToObj((id) -> clusterDir.resolve("member-" + id))
            .filter(Files::isDirectory).toList();
        InvalidSettingException.throwIf(
            members.isEmpty(), "--base-dir", clusterDir, "a folder with member-0, member-1, ... in it");

        return members;
    }
}
