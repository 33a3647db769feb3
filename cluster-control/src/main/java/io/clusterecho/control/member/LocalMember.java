package io.clusterecho.control.member;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.platform.LoopDisk;
import io.clusterecho.settings.Io;

import org.agrona.concurrent.status.AtomicCounter;

/** A member of a cluster, as a process of this machine. */
public final class LocalMember extends LocalNode implements ClusterMember
{
    private static final long LINK_TIMEOUT_NS = 1_000_000_000L;
    private static final long KILL_TIMEOUT_NS = 30_000_000_000L;

    private final List<String> prefix;
    private final CallFaults calls;

    public LocalMember(
        final Place place,
        final Path settingsFile,
        final MemberLauncher launcher,
        final String prefix,
        final String faultLibrary)
    {
        super(place, settingsFile, launcher);
        this.prefix = prefix.isBlank() ? List.of() :
            List.of(prefix.strip().replace("{id}", String.valueOf(memberId())).split("\\s+"));
        calls = new CallFaults(memberId(), dir(), faultLibrary);
    }

    @Override
    List<String> prefix() throws IOException
    {
        return Stream.concat(prefix.stream(), calls.prefix().stream()).toList();
    }

    @Override
    public void disk(final DiskAction action)
    {
        Io.run((ex) -> ControlFailure.notReady(
            "the disk of " + name() + ": " + ex.getMessage() + " (scripts/disk-lab.sh makes disks that can fail)"), () ->
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
        });
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
        ControlFailure.notReadyIf(!isEnded, name() + " still runs after SIGKILL");
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
        running().limitFiles(String.valueOf(count));
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
        // What an earlier fault asked it to copy may be from a source that is gone.
        Io.run(
            (ex) -> ControlFailure.notReady("cannot delete the request to copy in " + dir() + ": " + ex),
            () -> MemberSeed.delete(dir()));
        delete(dir().resolve(MemberFolder.ARCHIVE_DIR));
        delete(dir().resolve(MemberFolder.CLUSTER_DIR));
    }

    @Override
    public MemberSeed seed()
    {
        final MemberStorage storage = storage();
        ControlFailure.notReadyIf(storage.snapshots().isEmpty(), name() + " has no snapshot to copy: run snapshot first");

        return MemberSeed.of(dir(), place().endpoints().archive(), storage.positionOfNewest(1));
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
        impair(impairment, LINK_TIMEOUT_NS);
    }

    @Override
    public void restoreLink()
    {
        impair(Impairment.NONE, 0);
    }

    private void impair(final Impairment impairment, final long timeoutNs)
    {
        Io.run((ex) -> new ControlFailure(ControlFailure.UNUSABLE, name() + " has no link filter (" + ex.getMessage() +
            "): start the cluster with " + NodeSettings.FAULT_FILTER.key() + "=true"), () ->
        {
            try (LinkFile control = LinkFile.open(dir()))
            {
                control.impair(impairment);
                control.awaitTaken(timeoutNs);
            }
        });
    }

    @Override
    public Optional<MemberCounters> counters()
    {
        return readCounters(MemberCounters::of);
    }

    @Override
    public void ask(final ClusterControl.ToggleState action, final int clusterId, final Deadline deadline)
    {
        final File cncFile = DriverCounters.file(aeronDir());
        if (cncFile.exists() && !cncFile.canWrite())
        {
            throw ControlFailure.denied("write " + cncFile, cncFile.toPath());
        }

        final Optional<DriverCounters> found = live().flatMap(
            (process) -> DriverCounters.map(aeronDir(), process.pid(), FileChannel.MapMode.READ_WRITE));
        ControlFailure.notReadyIf(found.isEmpty(), "the leader, " + name() + ", is not running any more");

        // Aeron's own interface for processes that may write to the folder of the leader's driver.
        try (DriverCounters counters = found.get())
        {
            final AtomicCounter toggle = ClusterControl.findControlToggle(counters.reader(), clusterId);
            ControlFailure.notReadyIf(
                null == toggle || !deadline.await(() -> action.toggle(toggle)),
                "the leader, " + name() + ", did not accept the request: " + (null == toggle ? "it has no control toggle" :
                "its state is " + ClusterControl.ToggleState.get(toggle)));
        }
    }
}
