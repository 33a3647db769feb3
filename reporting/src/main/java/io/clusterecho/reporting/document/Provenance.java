package io.clusterecho.reporting.document;

import java.nio.file.Path;
import java.util.Map;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClientJvm;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.results.MemberStart;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.SettingKeys;

/** How a result was made, with everything needed to repeat it. */
public record Provenance(
    String durability, String placement, String resultFolder, String commandLine, Map<String, String> configuration,
    Map<String, String> cluster, MemberStart memberStart, Map<String, String> versions,
    Map<String, String> machine, Map<String, String> jvm)
{
    /** Provenance of a result of this process, with the facts of this machine and program. */
    public static Provenance of(final RunDescription description, final String resultFolder)
    {
        final String clusterDir = description.cluster().get(SettingKeys.BASE_DIR);
        return new Provenance(
            description.durability(), description.placement(), resultFolder, description.commandLine(),
            description.configuration(), description.cluster(), description.memberStart(), BuildFacts.versions(),
            null == clusterDir ? MachineFacts.machine() : MachineFacts.machine(Path.of(clusterDir)), ClientJvm.facts());
    }
}
