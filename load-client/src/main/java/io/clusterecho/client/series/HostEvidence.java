package io.clusterecho.client.series;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.LocalFailure;
import io.clusterecho.control.member.MemberHost;

/**
 * What further hosts have to say of a run, in a folder of the result for each: {@code environment.json}, and of each member
 * {@code member-N.log}. What they counted is there already. A host that does not answer leaves a {@code missing.txt} with the
 * reason: the run is worth no less.
 */
public final class HostEvidence
{
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

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
                MAPPER.writeValue(folder.resolve("environment.json").toFile(), host.environment());
                for (final ClusterMember member : host.members())
                {
                    Files.write(folder.resolve("member-" + member.memberId() + ".log"), member.said());
                }
                return Optional.empty();
            }
            catch (final LocalFailure ex)
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
