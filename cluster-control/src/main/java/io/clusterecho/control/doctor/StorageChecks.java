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
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.RoomNeeded;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.InvalidSettingException;

/** Checks of shared memory, disk and ports: free space, file system, speed. */
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
    private static final String EPHEMERAL_PORTS = "proc/sys/net/ipv4/ip_local_port_range";

    /** Room on a file system, in bytes. */
    record Space(long usable, long total)
    {
    }

    List<Check> all()
    {
        return List.of(sharedMemory(), disk(), fileSystem(), diskSpeed(this::measure), ports());
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
        // The size of all of it, of which others use a part.
        final long gigabytes = (room.get().total() - usable + wanted >> 30) + 1;
        final boolean isOnDisk = usable >= wanted && mount.isPresent() && !IN_MEMORY.contains(mount.get().type());
        return Check.of("shared memory", RoomNeeded.text(usable) + " free on " + point + ", needed " + RoomNeeded.text(wanted) +
            (isOnDisk ? ", " + mount.get().type() : ""))
            .failIf(
                usable < wanted, RoomNeeded.text(wanted) + " free, because a driver that runs out of it crashes",
                "sudo mount -o remount,size=" + gigabytes + "g " + CommandHint.quoted(point) +
                " # for a container: --shm-size=" + gigabytes + "g")
            .warnIf(
                isOnDisk, "a file system in memory, because writing buffers back to a disk stalls the driver's threads",
                CommandHint.of("cluster-node", "--set " + NodeSettings.AERON_DIR.key() + "=/dev/shm/cluster-echo"));
    }

    Check disk()
    {
        final long wanted = plan.memberCount() * new RoomNeeded(plan.config()).diskLength();
        final Path folder = plan.config().baseDir();
        return space.apply(folder).map(Space::usable).map((usable) -> Check.of(
            "disk", RoomNeeded.text(usable) + " free, needed at start " + RoomNeeded.text(wanted)).failIf(
            usable < wanted, RoomNeeded.text(wanted) + " free below " + folder + ", plus the log",
            "scripts/start-cluster.sh --base-dir DIR # on a larger disk"))
            .orElse(Check.unknown("disk", "the free space below " + folder + " is unknown", RoomNeeded.text(wanted)));
    }

    Check fileSystem()
    {
        final Optional<Mount> mount = Mount.of(files, plan.config().baseDir());
        if (mount.isEmpty())
        {
            return Check.unknown("file system", "there is no /proc/self/mounts", "a local disk");
        }

        final Set<String> options = Set.copyOf(mount.get().options());
        final String point = CommandHint.quoted(mount.get().point());
        return Check.of("file system", mount.get().text())
            .warnIf(
                IN_MEMORY.contains(mount.get().type()),
                "a disk, because a log in memory survives nothing, whatever " + NodeSettings.FSYNC.key() + " is",
                "scripts/start-cluster.sh --base-dir DIR # on a disk")
            .warnIf(
                FAR_OR_LAYERED.contains(mount.get().type()),
                "a local disk, not a network file system or a layer of a container",
                "scripts/start-cluster.sh --base-dir DIR # on a local disk; for a container: --volume /data:/data")
            .warnIf(
                !Collections.disjoint(options, WITHOUT_BARRIER),
                "barriers, because a sync otherwise does not empty the cache of the disk, and levels 1 and 2 of " +
                NodeSettings.FSYNC.key() + " survive no power loss unless a battery backs it",
                "sudo mount -o remount,barrier=1 " + point + " # xfs: without nobarrier in /etc/fstab")
            // The kernel shows strictatime as the absence of both.
            .warnIf(
                Collections.disjoint(options, Set.of("relatime", "noatime")),
                "noatime or relatime, because every read otherwise causes a write", "sudo mount -o remount,noatime " + point);
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
            return Check.of("disk speed", ex.getMessage()).failIf(
                true, "a writable folder, because members keep their logs there",
                "sudo chown \"$(id -u)\" " + CommandHint.quoted(plan.config().baseDir().toString()) +
                " # for a container: the user of its image, or -v DIR:/data:U");
        }

        return Check.of("disk speed", String.format(
            Locale.ROOT, "a page is synced in %.3f ms (median), %s=%d", medianMs, NodeSettings.FSYNC.key(), fsyncLevel)).warnIf(
            fsyncLevel > 0 && medianMs > SLOW_SYNC_MS, "less than 1 ms, because every commit waits for it at this level",
            "scripts/start-cluster.sh --base-dir DIR # on an NVMe disk; or --fsync 0, which is less durable");
    }

    private double measure(final Path folder)
    {
        final SyncTimes times =
            SyncTimes.measure(DiskPlace.of(NodeSettings.BASE_DIR.key(), folder), SYNC_TIME_NS, () -> false);
        final boolean isMetadata = 2 == plan.config().value(NodeSettings.FSYNC);
        return (isMetadata ? times.all() : times.data()).getValueAtPercentile(MEDIAN) / NS_PER_MS;
    }

    /** Media drivers bind with SO_REUSEADDR, so the kernel may give a member's port to a client that asks for any. */
    Check ports()
    {
        final String[] ephemeral = files.text(EPHEMERAL_PORTS).map(String::strip).orElse("").split("\\s+");
        final int first = plan.config().value(NodeSettings.BASE_PORT);
        final int last = plan.members().stream().mapToInt(MemberEndpoints::probePort).max().orElse(0);
        final boolean isEphemeral = 2 == ephemeral.length && Integer.parseInt(ephemeral[0]) <= last &&
            first <= Integer.parseInt(ephemeral[1]);
        return Check.of(
            "ports", plan.members().isEmpty() ? "no member needs a port" : "ports " + first + " to " + last +
            (isEphemeral ? " are in the kernel's range of ephemeral ports, " + String.join("-", ephemeral) : "")).warnIf(
            isEphemeral, "ports outside it, because the kernel may give one to the socket of a client too",
            "scripts/start-cluster.sh --base-port " + NodeSettings.BASE_PORT.defaultText());
    }
}
