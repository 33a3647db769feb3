package io.clusterecho.control.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Mount;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.RoomNeeded;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.InvalidSettingException;

/** Checks of shared memory and disk: free space, file system and speed. */
record StorageChecks(HostPlan plan, HostFiles files, Function<Path, Optional<Space>> space)
{
    private static final long SYNC_TIME_NS = 300_000_000L;
    private static final double SLOW_SYNC_MS = 1.0;
    private static final double NS_PER_MS = 1e6;
    private static final double MEDIAN = 50.0;
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");
    private static final Set<String> FAR_OR_LAYERED =
        Set.of("nfs", "nfs4", "cifs", "smb3", "overlay", "aufs", "fuse.sshfs", "9p", "virtiofs", "ceph");
    private static final Set<String> WITHOUT_BARRIER = Set.of("nobarrier", "barrier=0");

    /** Room on a file system, in bytes. */
    record Space(long usable, long total)
    {
    }

    List<Check> all()
    {
        return List.of(sharedMemory(), disk(), fileSystem(), diskSpeed(this::measure));
    }

    /** Space of the file system of a folder, which need not exist. */
    static Optional<Space> space(final Path folder)
    {
        try
        {
            final FileStore store = Files.getFileStore(Path.of(DiskPlace.of("folder", folder).folder()));
            return Optional.of(new Space(store.getUsableSpace(), store.getTotalSpace()));
        }
        catch (final IOException | InvalidSettingException ex)
        {
            return Optional.empty();
        }
    }

    Check sharedMemory()
    {
        final RoomNeeded need = new RoomNeeded(plan.config());
        final Path folder = plan.config().aeronDir();
        final long wanted = plan.memberCount() * need.sharedMemoryLength() +
            plan.clientCount() * RoomNeeded.SESSION_COUNT * need.sessionLength();
        final Optional<Mount> mount = Mount.of(files, folder);
        final String point = mount.map(Mount::point).orElse("/dev/shm");
        final Optional<Space> room = space.apply(folder);
        if (room.isEmpty())
        {
            return Check.unknown("shared memory", "the free space of " + point + " is unknown", RoomNeeded.text(wanted));
        }

        final long usable = room.get().usable();
        final String found = RoomNeeded.text(usable) + " free on " + point + ", needed " + RoomNeeded.text(wanted);
        if (usable < wanted)
        {
            // The size of all of it, of which others use a part.
            final long gigabytes = (room.get().total() - usable + wanted >> 30) + 1;
            return Check.fail(
                "shared memory", found, RoomNeeded.text(wanted) + " free, because a driver that runs out of it crashes",
                "sudo mount -o remount,size=" + gigabytes + "g " + CommandHint.quoted(point) +
                " # for a container: --shm-size=" + gigabytes + "g");
        }
        if (mount.isPresent() && !IN_MEMORY.contains(mount.get().type()))
        {
            return Check.warn(
                "shared memory", found + ", " + mount.get().type(),
                "a file system in memory, because writing buffers back to a disk stalls the driver's threads",
                CommandHint.of("cluster-node", "--set " + NodeSettings.AERON_DIR.key() + "=/dev/shm/cluster-echo"));
        }

        return Check.ok("shared memory", found);
    }

    Check disk()
    {
        final long wanted = plan.memberCount() * new RoomNeeded(plan.config()).diskLength();
        final Path folder = plan.config().baseDir();
        final Optional<Long> usable = space.apply(folder).map(Space::usable);
        if (usable.isEmpty())
        {
            return Check.unknown("disk", "the free space below " + folder + " is unknown", RoomNeeded.text(wanted));
        }

        final String found = RoomNeeded.text(usable.get()) + " free, needed at start " + RoomNeeded.text(wanted);
        return usable.get() < wanted ? Check.fail(
            "disk", found, RoomNeeded.text(wanted) + " free below " + folder + ", plus the log",
            "scripts/start-cluster.sh --base-dir DIR # on a larger disk") : Check.ok("disk", found);
    }

    Check fileSystem()
    {
        final Path folder = plan.config().baseDir();
        final Optional<Mount> mount = Mount.of(files, folder);
        if (mount.isEmpty())
        {
            return Check.unknown("file system", "there is no /proc/self/mounts", "a local disk");
        }

        final String type = mount.get().type();
        final String found = mount.get().text();
        if (IN_MEMORY.contains(type))
        {
            return Check.warn(
                "file system", found,
                "a disk, because a log in memory survives nothing, whatever " + NodeSettings.FSYNC.key() + " is",
                "scripts/start-cluster.sh --base-dir DIR # on a disk");
        }
        if (FAR_OR_LAYERED.contains(type))
        {
            return Check.warn(
                "file system", found, "a local disk, not a network file system or a layer of a container",
                "scripts/start-cluster.sh --base-dir DIR # on a local disk; for a container: --volume /data:/data");
        }
        if (!Collections.disjoint(mount.get().options(), WITHOUT_BARRIER))
        {
            return Check.warn(
                "file system", found,
                "barriers, because a sync otherwise does not empty the cache of the disk, and levels 1 and 2 of " +
                NodeSettings.FSYNC.key() + " survive no power loss unless a battery backs it",
                "sudo mount -o remount,barrier=1 " + CommandHint.quoted(mount.get().point()) +
                " # xfs: without nobarrier in /etc/fstab");
        }
        // The kernel shows strictatime as the absence of both.
        final boolean isAccessTimed = Collections.disjoint(mount.get().options(), List.of("relatime", "noatime"));
        return isAccessTimed ? Check.warn(
            "file system", found, "noatime or relatime, because every read otherwise causes a write",
            "sudo mount -o remount,noatime " + CommandHint.quoted(mount.get().point())) :
            Check.ok("file system", found);
    }

    /** Time to sync a page to disk, of which the meter returns the median in ms, judged by the configured file sync level. */
    Check diskSpeed(final Function<Path, Double> meter)
    {
        final int fsyncLevel = plan.config().value(NodeSettings.FSYNC);
        final double medianMs;
        try
        {
            medianMs = meter.apply(plan.config().baseDir());
        }
        catch (final InvalidSettingException ex)
        {
            return Check.fail(
                "disk speed", ex.getMessage(), "a writable folder, because members keep their logs there",
                "sudo chown \"$(id -u)\" " + CommandHint.quoted(plan.config().baseDir().toString()) +
                " # for a container: the user of its image, or -v DIR:/data:U");
        }

        final String found = String.format(
            Locale.ROOT, "a page is synced in %.3f ms (median), %s=%d", medianMs, NodeSettings.FSYNC.key(), fsyncLevel);
        return fsyncLevel > 0 && medianMs > SLOW_SYNC_MS ? Check.warn(
            "disk speed", found, "less than 1 ms, because every commit waits for it at this level",
            "scripts/start-cluster.sh --base-dir DIR # on an NVMe disk; or --fsync 0, which is less durable") :
            Check.ok("disk speed", found);
    }

    private double measure(final Path folder)
    {
        final SyncTimes times =
            SyncTimes.measure(DiskPlace.of(NodeSettings.BASE_DIR.key(), folder), SYNC_TIME_NS, () -> false);
        final boolean isMetadata = 2 == plan.config().value(NodeSettings.FSYNC);
        return (isMetadata ? times.all() : times.data()).getValueAtPercentile(MEDIAN) / NS_PER_MS;
    }
}
