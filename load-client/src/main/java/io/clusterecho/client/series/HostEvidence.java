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
 * What further hosts have to say of a run, in a folder of the result for each: {@code environment.json}, and of each member
 * {@code member-N.log}. What they counted is there already. A host that does not answer leaves a {@code missing.txt} with the
 * reason: the run is worth no less.
 */
public final class HostEvidence
{
    private HostEvidence()
    {
    }

    /**
     * Fetch and write it.
     *
     * @param folder of the run.
     * @param hosts  of members; this machine is passed over, as the manifest has it.
     * @return what is missing, a sentence for each host; the run was measured all the same.
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
                    Files.write(folder.resolve(ProcessName.ofMember(member.memberId()) + ".log"), member.said());
                }
                return Optional.empty();
            }
            catch (final ControlFailure ex)
            {
                Files.writeString(folder.resolve("missing.txt"), ex.getMessage() + "\n");
                return Optional.of("the result is without what is on " + ex.getMessage());
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.of("the result is without what is on host " + host.name() + ": " + ex.getMessage());
        }
    }
}
