package io.clusterecho.client.series;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.ResultFolder;

/**
 * Evidence from other hosts of a run, in a folder of the result for each: {@code environment.json}, and {@code member-N.log}
 * for each member. Their counters are already there. For a host that does not answer, {@code missing.txt} contains the reason;
 * the run remains valid.
 */
public final class HostEvidence
{
    /**
     * Fetch and write the evidence.
     *
     * @param hosts  of members; this machine is skipped because the manifest describes it.
     * @return what is missing, a sentence for each host.
     */
    public static List<String> write(final ResultFolder folder, final List<MemberHost> hosts)
    {
        return hosts.stream().filter((host) -> !host.name().isEmpty()).flatMap((host) -> write(folder, host).stream()).toList();
    }

    private static Optional<String> write(final ResultFolder result, final MemberHost host)
    {
        try
        {
            final Path folder = result.ofHost(host.name());
            try
            {
                Files.writeString(folder.resolve("environment.json"), Documents.text(host.environment()));
                for (final ClusterMember member : host.members())
                {
                    Files.write(folder.resolve(ProcessName.ofMember(member.memberId()) + ".log"), member.output());
                }
                return Optional.empty();
            }
            catch (final ControlFailure ex)
            {
                Files.writeString(folder.resolve("missing.txt"), ex.getMessage() + "\n");
                return Optional.of("the result lacks evidence from " + ex.getMessage());
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.of("the result lacks evidence from host " + host.name() + ": " + ex.getMessage());
        }
    }
}
