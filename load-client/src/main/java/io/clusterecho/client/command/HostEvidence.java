package io.clusterecho.client.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.node.local.ClusterMember;
import io.clusterecho.node.local.LocalFailure;
import io.clusterecho.node.local.MemberHost;

/**
 * What further hosts have to say of a run, in a folder of the result for each: {@code environment.json}, and of each member
 * {@code member-N.log}. What they counted is there already. A host that does not answer leaves a {@code missing.txt} with the
 * reason: the run is worth no less.
 */
final class HostEvidence
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
     */
    static void write(final ResultFolder folder, final List<MemberHost> hosts)
    {
        for (final MemberHost host : hosts)
        {
            if (!host.name().isEmpty())
            {
                write(folder.ofHost(host.name()), host);
            }
        }
    }

    private static void write(final Path folder, final MemberHost host)
    {
        try
        {
            MAPPER.writeValue(folder.resolve("environment.json").toFile(), host.environment());
            for (final ClusterMember member : host.members())
            {
                Files.write(folder.resolve("member-" + member.memberId() + ".log"), member.said());
            }
        }
        catch (final LocalFailure ex)
        {
            System.err.println("warning: the result is without what is on " + ex.getMessage());
            write(folder.resolve("missing.txt"), ex.getMessage() + "\n");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write to " + folder, ex);
        }
    }

    private static void write(final Path file, final String text)
    {
        try
        {
            Files.writeString(file, text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + file, ex);
        }
    }
}
