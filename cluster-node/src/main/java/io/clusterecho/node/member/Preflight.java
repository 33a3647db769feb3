package io.clusterecho.node.member;

import java.io.File;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;

import io.aeron.CncFileDescriptor;

import io.clusterecho.host.DiskPlace;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Checks of the machine before anything is launched: Aeron itself retries for ever on some ports that are in use, does not notice
 * others, and crashes with a memory fault if there is too little space.
 */
public final class Preflight
{
    /**
     * Check ports, free space and the driver's folder, in this order, of a member whose folder is locked; rejects the first
     * that fails.
     */
    static void check(final NodeConfig config)
    {
        checkPorts(config);
        if (!config.driver().isFound())
        {
            checkAeronDir(config.aeronDir());
        }
        checkRoom(config, 1);
        checkDisk(config, config.memberDir());
    }

    /** Reject a folder of a member, perhaps on another file system than the base folder, without enough space. */
    public static void checkDisk(final NodeConfig config, final Path memberDir)
    {
        checkRoom(
            memberDir, new RoomNeeded(config).diskLength(), NodeSettings.BASE_DIR.key(), "1 member", "make space there");
    }

    /**
     * Needed and available space, as text, in shared memory and on disk for members that are about to start; rejects too little.
     */
    public static String checkRoom(final NodeConfig config, final int memberCount)
    {
        final RoomNeeded need = new RoomNeeded(config);
        final String members = 1 == memberCount ? "1 member" : memberCount + " members";
        final long sharedLength = memberCount * need.sharedMemoryLength();
        final File shared = new File(DiskPlace.of(NodeSettings.AERON_DIR.key(), config.aeronDir()).folder());
        // Of a whole file system on which that is free, with what others use of it.
        final long gigabytes = (shared.getTotalSpace() - shared.getUsableSpace() + sharedLength >> 30) + 1;
        final String sharedMemory = checkRoom(
            config.aeronDir(), sharedLength, NodeSettings.AERON_DIR.key(), members,
            "enlarge it (sudo mount -o remount,size=" + gigabytes + "g; for a container: --shm-size=" + gigabytes +
            "g; for a pod: sizeLimit: " + gigabytes + "Gi of that volume), or lower " + NodeSettings.LOG_TERM_LENGTH.key() +
            " and " + NodeSettings.CLIENT_TERM_LENGTH.key());
        final String disk = checkRoom(
            config.baseDir(), memberCount * need.diskLength(), NodeSettings.BASE_DIR.key(), members,
            "set another base folder, on a larger disk");
        return members + (1 == memberCount ? " needs" : " need") + " up to " + sharedMemory +
            " of shared memory for " + RoomNeeded.SESSION_COUNT + " sessions, " +
            RoomNeeded.text(memberCount * need.sessionLength()) + " for each further session, and " + disk + " of disk at start";
    }

    /** Reject ports of a process that are in use, or not of this machine. */
    private static void checkPorts(final NodeConfig config)
    {
        final MemberEndpoints endpoints = config.endpoints();
        for (int i = 0; i < endpoints.named().size(); i++)
        {
            final String[] named = endpoints.named().get(i).split(" ");
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                // Otherwise a socket of another process that allows reuse would let ours bind.
                socket.setReuseAddress(false);
                socket.bind(new InetSocketAddress(InetAddress.getByName(endpoints.host()), endpoints.firstPort() + i));
            }
            catch (final UnknownHostException ex)
            {
                throw new InvalidSettingException(
                    NodeSettings.HOSTS.key(), endpoints.host(), "a name that resolves, or an address");
            }
            catch (final SocketException ex)
            {
                throw new InvalidSettingException(
                    "the " + named[0] + " port of " + (config.isBackup() ? "the backup" : config.processName()) + ", UDP " +
                    named[1] + ", cannot be bound (" + ex.getMessage() + "): it is in use, or not an address of this " +
                    "machine; see " + NodeSettings.BASE_PORT.key() + "=" + config.value(NodeSettings.BASE_PORT) + " and " +
                    NodeSettings.HOSTS.key());
            }
        }
    }

    /** The driver deletes its folder when it starts. That is only safe for a folder that a driver left behind. */
    private static void checkAeronDir(final Path aeronDir)
    {
        final File cncFile = aeronDir.resolve(CncFileDescriptor.CNC_FILE).toFile();
        final String[] names = aeronDir.toFile().list();
        if (null == names || 0 == names.length)
        {
            return;
        }

        final String key = NodeSettings.AERON_DIR.key();
        InvalidSettingException.throwIf(
            !cncFile.exists(), key, aeronDir, "a folder that does not exist, is empty, or is left from a media driver");
        DriverFile.read(aeronDir).flatMap(DriverFile::process).ifPresent((process) ->
        {
            throw new InvalidSettingException(
                key, aeronDir, "a folder that is not in use; the driver of process " + process.pid() + " uses it");
        });
    }

    private static String checkRoom(
        final Path folder, final long neededLength, final String key, final String users, final String advice)
    {
        final File existing = new File(DiskPlace.of(key, folder).folder());
        final long usableLength = existing.getUsableSpace();
        InvalidSettingException.throwIf(
            usableLength < neededLength, key, folder, "a file system with " + RoomNeeded.text(neededLength) + " free for " +
            users + "; " + existing + " has " + RoomNeeded.text(usableLength) + ": " + advice);
        return RoomNeeded.text(neededLength) + " (" + RoomNeeded.text(usableLength) + " free)";
    }
}
