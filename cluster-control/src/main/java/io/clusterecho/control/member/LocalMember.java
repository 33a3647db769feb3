package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.HeldLog;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.platform.LoopDisk;
import io.clusterecho.settings.Settings;

/** A member of a cluster, as a process of this machine. */
public final class LocalMember extends LocalNode implements ClusterMember
{
    private static final long LINK_TIMEOUT_NS = 1_000_000_000L;
    private static final long KILL_TIMEOUT_NS = 30_000_000_000L;

    private final List<String> prefix;
    private final CallFaults calls;

    public LocalMember(
        final MemberEndpoints endpoints,
        final Path dir,
        final Path aeronDir,
        final Path settingsFile,
        final MemberLauncher launcher,
        final String prefix,
        final String faultLibrary)
    {
        super(endpoints, dir, aeronDir, settingsFile, launcher);
        this.prefix = prefix.isBlank() ? List.of() :
            List.of(prefix.strip().replace("{id}", String.valueOf(endpoints.memberId())).split("\\s+"));
        calls = new CallFaults(endpoints.memberId(), dir, faultLibrary);
    }

    @Override
    List<String> arguments()
    {
        return List.of("--member-id", String.valueOf(memberId()));
    }

    @Override
    NodeConfig ownConfig(final Settings settings)
    {
        return new NodeConfig(settings.put(NodeSettings.MEMBER_ID.key(), String.valueOf(memberId()), "command"));
    }

    @Override
    List<String> prefix() throws IOException
    {
        final List<String> words = new ArrayList<>(prefix);
        words.addAll(calls.prefix());
        return words;
    }

    @Override
    public int memberId()
    {
        return endpoints().memberId();
    }

    @Override
    public void disk(final DiskAction action)
    {
        try
        {
            final LoopDisk disk = LoopDisk.on(dir());
            switch (action)
            {
                case LOSE_POWER -> losePower(disk);
                case STALL -> disk.freeze();
                case RESUME -> disk.thaw();
                case FILL -> disk.fill();
                case FREE -> disk.free();
                default ->
                {
                    // Checked above.
                }
            }
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "the disk of member " + memberId() + ": " + ex.getMessage() +
                " (scripts/disk-lab.sh makes disks that can fail)");
        }
    }

    private void losePower(final LoopDisk disk) throws IOException
    {
        // Found first: its record cannot be read while the disk is without power.
        final Optional<ProcessHandle> handle = handle();
        kill();
        disk.shutDown();
        final boolean isEnded =
            Deadline.in(KILL_TIMEOUT_NS).await(() -> !handle.map(ProcessHandle::isAlive).orElse(false));
        disk.remount();
        if (!isEnded)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, name() + " still runs after SIGKILL");
        }
    }

    /** Reject settings that only matter on the member's own machine and cannot be used there. */
    void check()
    {
        calls.check();
    }

    @Override
    public void calls(final CallFault fault)
    {
        calls.add(fault, pid());
    }

    @Override
    public void releaseCalls()
    {
        calls.clear();
    }

    @Override
    public void limitFiles(final long count)
    {
        running().limitFiles(count);
    }

    @Override
    public void releaseFiles()
    {
        running().releaseFiles();
    }

    @Override
    public void pause()
    {
        live().ifPresent(ProcessRecord::pause);
    }

    @Override
    public void resume()
    {
        live().ifPresent(ProcessRecord::resume);
    }

    @Override
    public void dumpStacks()
    {
        live().ifPresent(ProcessRecord::dumpStacks);
    }

    @Override
    public void wipe()
    {
        checkEnded();
        files().wipe();
    }

    @Override
    public void setAside(final String folder)
    {
        checkEnded();
        files().setAside(folder);
    }

    @Override
    public int rebuildList()
    {
        checkEnded();
        return TermList.rebuild(dir());
    }

    @Override
    public HeldLog held(final long limit)
    {
        return HeldLog.of(dir().resolve(MemberFolder.ARCHIVE_DIR), limit);
    }

    @Override
    public MemberSeed seed()
    {
        final MemberStorage storage = storage();
        if (storage.snapshots().isEmpty())
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, name() + " has no snapshot to copy: run snapshot first");
        }

        return MemberSeed.of(dir(), endpoints().archive(), storage.positionOfNewest(1));
    }

    @Override
    public boolean isSeeded()
    {
        return MemberSeed.isIn(dir());
    }

    @Override
    public void putSeed(final MemberSeed seed)
    {
        checkEnded();
        seed.write(dir());
    }

    @Override
    public void impair(final Impairment impairment)
    {
        try (LinkFile control = LinkFile.open(dir()))
        {
            checkAddresses(control, impairment);
            control.impair(impairment);
            control.awaitTaken(LINK_TIMEOUT_NS);
        }
        catch (final IOException ex)
        {
            throw withoutFilter(ex);
        }
    }

    @Override
    public void restoreLink()
    {
        try (LinkFile control = LinkFile.open(dir()))
        {
            control.impair(Impairment.NONE);
        }
        catch (final IOException ex)
        {
            throw withoutFilter(ex);
        }
    }

    private void checkAddresses(final LinkFile control, final Impairment impairment)
    {
        if (Impairment.Scope.ALL != impairment.scope() && 0 == control.memberCount())
        {
            throw new ControlFailure(
                ControlFailure.UNUSABLE,
                name() + " cannot distinguish members and clients by their addresses: start the cluster with " +
                NodeSettings.PLACEMENT.key() + "=cluster, or with a different address for each member");
        }
    }

    @Override
    public Optional<MemberCounters> counters()
    {
        return readCounters(MemberCounters::of);
    }

    @Override
    public void ask(final LeaderControl.Action action, final int clusterId, final Deadline deadline)
    {
        LeaderControl.ask(this, clusterId, action, deadline);
    }

    @Override
    public void fetchStates(final Path folder)
    {
        // A reader of the folder reads them first.
    }

    @Override
    public Path localDir(final Path folder)
    {
        return dir();
    }

    private ControlFailure withoutFilter(final IOException ex)
    {
        return new ControlFailure(
            ControlFailure.UNUSABLE, name() + " has no link filter (" + ex.getMessage() +
            "): start the cluster with " + NodeSettings.FAULT_FILTER.key() + "=true");
    }
}
