package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.LeaderControl;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

/** A member on a host of an inventory: the agent there executes each method on its own local member. */
final class RemoteMember extends RemoteNode implements ClusterMember
{
    private static final long COPY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(600);
    /** Exit status of tar when a file changed while it was read, and nothing else went wrong. */
    private static final int TAR_FILE_CHANGED = 1;
    /** The member's own record of its states. */
    private static final String STATE_FILES = "state*.log";

    RemoteMember(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        super(link, baseDir, endpoints);
    }

    @Override
    public int memberId()
    {
        return endpoints().memberId();
    }

    @Override
    public Path dir()
    {
        return NodeConfig.memberDir(baseDir(), memberId());
    }

    @Override
    public void useJar(final Path jar)
    {
        throw link().host().failure("runs the jar of its installation: install another version there");
    }

    @Override
    public void disk(final DiskAction action)
    {
        link().ask(request("disk").put("action", action.name()), START_TIMEOUT_NS);
    }

    @Override
    public void calls(final CallFault fault)
    {
        link().ask(
            request("calls").put("kind", fault.kind().name()).put("amount", fault.amount()), HostLink.SHORT_TIMEOUT_NS);
    }

    @Override
    public void releaseCalls()
    {
        ask("releaseCalls");
    }

    @Override
    public void limitFiles(final long count)
    {
        link().ask(request("limitFiles").put("count", count), HostLink.SHORT_TIMEOUT_NS);
    }

    @Override
    public void releaseFiles()
    {
        ask("releaseFiles");
    }

    @Override
    public void pause()
    {
        ask("pause");
    }

    @Override
    public void resume()
    {
        ask("resume");
    }

    @Override
    public void dumpStacks()
    {
        ask("stacks");
    }

    @Override
    public void impair(final Impairment impairment)
    {
        link().ask(request("impair").putPOJO("impairment", impairment), HostLink.SHORT_TIMEOUT_NS);
    }

    @Override
    public void restoreLink()
    {
        ask("restore");
    }

    @Override
    public void wipe()
    {
        link().ask(request("wipe"), START_TIMEOUT_NS);
    }

    @Override
    public void setAside(final String folder)
    {
        link().ask(request("aside").put("folder", folder), START_TIMEOUT_NS);
    }

    @Override
    public void purge(final long position, final int snapshotCount)
    {
        link().ask(request("purge").put("position", position).put("snapshots", snapshotCount), PURGE_TIMEOUT_NS);
    }

    @Override
    public boolean isSeeded()
    {
        return ask("seeded").asBoolean();
    }

    @Override
    public void putSeed(final MemberSeed seed)
    {
        link().ask(request("putSeed").putPOJO("seed", seed), START_TIMEOUT_NS);
    }

    @Override
    public Optional<MemberCounters> counters()
    {
        try
        {
            final JsonNode node = link().askAtOnce(request("counters"), HostLink.SAMPLE_TIMEOUT_NS);
            return node.isNull() ? Optional.empty() : Optional.of(link().parse(node, MemberCounters.class));
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            // Treated like a member that is not running; pid() distinguishes the two.
            return Optional.empty();
        }
    }

    @Override
    public void ask(final LeaderControl.Action action, final int clusterId, final Deadline deadline)
    {
        final long timeoutNs = deadline.remainingNs();
        link().ask(
            request("ask").put("action", action.name()).put("clusterId", clusterId).put("timeoutNs", timeoutNs),
            timeoutNs + HostLink.SHORT_TIMEOUT_NS);
    }

    @Override
    public List<ProcessSource> sources()
    {
        return processes();
    }

    @Override
    public void fetchStates(final Path folder)
    {
        copy("find . -name '" + STATE_FILES + "' | tar -cf - -T -", folder);
    }

    @Override
    public Path localDir(final Path folder)
    {
        // Recordings are sparse files of a fixed length.
        return copy("tar -cSf - --exclude='" + STATE_FILES + "' --exclude='./" + DAMAGED_PREFIX + "*' .", folder);
    }

    /** Run a command that packs files of the member's folder on its host, and unpack its output here. */
    private Path copy(final String packing, final Path folder)
    {
        final Path copy = folder.resolve("member-" + memberId());
        try
        {
            Files.createDirectories(copy);
            final ChildProcess sender = new Launch("the sender", link().host().overSsh(
                "cd " + InventoryHost.quoted(dir().toString()) + " && " + packing))
                .pipedOutput().errors(ProcessBuilder.Redirect.INHERIT).start(link().starter());
            try
            {
                unpack(sender, copy);
            }
            finally
            {
                sender.abandon();
            }

            return copy;
        }
        catch (final IOException ex)
        {
            throw notCopied(copy, ex);
        }
        catch (final UncheckedIOException ex)
        {
            throw notCopied(copy, ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw link().host().failure("the copy of " + dir() + " was interrupted");
        }
    }

    private UncheckedIOException notCopied(final Path copy, final IOException cause)
    {
        return new UncheckedIOException("cannot copy " + hostName() + ":" + dir() + " to " + copy, cause);
    }

    private void unpack(final ChildProcess sender, final Path copy) throws IOException, InterruptedException
    {
        final ChildProcess taker = new Launch("tar", List.of("tar", "-C", copy.toString(), "-xf", "-"))
            .pipedInput().output(ProcessBuilder.Redirect.DISCARD).errors(ProcessBuilder.Redirect.INHERIT).start(link().starter());
        try
        {
            try (var from = sender.output(); var to = taker.input())
            {
                from.transferTo(to);
            }
            // A member that keeps writing is read as on this machine: earlier data is complete.
            if (!taker.awaitEnd(COPY_TIMEOUT_NS) || 0 != taker.exitStatus() ||
                !sender.awaitEnd(COPY_TIMEOUT_NS) || sender.exitStatus() > TAR_FILE_CHANGED)
            {
                throw link().host().failure("the copy of " + dir() + " is incomplete");
            }
        }
        finally
        {
            taker.abandon();
        }
    }

    @Override
    ObjectNode addressed(final ObjectNode request)
    {
        return request.put("member", memberId());
    }
}
