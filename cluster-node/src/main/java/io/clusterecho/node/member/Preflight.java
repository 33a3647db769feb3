package io.clusterecho.node.member;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.aeron.CncFileDescriptor;

import org.agrona.DirectBuffer;
import org.agrona.IoUtil;

import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

/**
 * What a member needs of its machine, looked at before anything is launched: Aeron itself repeats an attempt for ever on
 * some ports that are taken, does not notice others, and dies of a memory fault where there is too little room.
 */
public final class Preflight
{
    private static final List<String> PURPOSES = List.of("ingress", "consensus", "log", "catch-up", "archive");

    private Preflight()
    {
    }

    /**
     * Check ports, room and the driver's folder, in this order.
     *
     * @param config of the member, whose folder is locked.
     * @throws InvalidSettingException for the first thing that is missing.
     */
    static void check(final NodeConfig config)
    {
        checkPorts(config.endpoints());
        if (!config.driver().isFound())
        {
            checkAeronDir(config.aeronDir());
        }
        checkRoom(config, 1);
    }

    /**
     * Check that there is room in shared memory and on the disk for members that are about to start.
     *
     * @param config      of one of them.
     * @param memberCount of members that are to share the file systems of this one.
     * @return how much all of them take, and how much there is, in words.
     * @throws InvalidSettingException if there is not.
     */
    public static String checkRoom(final NodeConfig config, final int memberCount)
    {
        final RoomNeeded need = new RoomNeeded(config);
        final String sharedMemory = checkRoom(
            config.aeronDir(), memberCount * need.sharedMemoryLength(), NodeSettings.AERON_DIR.key(),
            "or lower " + NodeSettings.LOG_TERM_LENGTH.key() + " and " + NodeSettings.CLIENT_TERM_LENGTH.key());
        final String disk = checkRoom(
            config.baseDir(), memberCount * need.diskLength(), NodeSettings.BASE_DIR.key(),
            "for one segment of the log and the reserve below which the archive records nothing new");
        return (1 == memberCount ? "1 member needs" : memberCount + " members need") + " up to " + sharedMemory +
            " in shared memory with " + RoomNeeded.SESSION_COUNT + " sessions, " +
            RoomNeeded.text(memberCount * need.sessionLength()) + " for each more, and " + disk + " on the disk to begin with";
    }

    /**
     * Check that a member can have its ports.
     *
     * @param endpoints of the member.
     * @throws InvalidSettingException for the first that is taken, or not of this machine.
     */
    public static void checkPorts(final MemberEndpoints endpoints)
    {
        final List<String> addresses = List.of(
            endpoints.ingress(), endpoints.consensus(), endpoints.log(), endpoints.catchup(), endpoints.archive());
        for (int i = 0; i < PURPOSES.size(); i++)
        {
            final String address = addresses.get(i);
            final int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                // Else a socket of another process that allows reuse would let ours in.
                socket.setReuseAddress(false);
                socket.bind(new InetSocketAddress(InetAddress.getByName(endpoints.host()), port));
            }
            catch (final UnknownHostException ex)
            {
                throw new InvalidSettingException(
                    NodeSettings.HOSTS.key(), endpoints.host(), "a name that can be resolved, or an address");
            }
            catch (final SocketException ex)
            {
                throw new InvalidSettingException(
                    "the " + PURPOSES.get(i) + " port of member " + endpoints.memberId() + ", UDP " + address +
                    ", cannot be bound (" + ex.getMessage() + "): it is taken or not an address of this machine; see " +
                    NodeSettings.BASE_PORT.key() + "=" + endpoints.basePort() + " and " + NodeSettings.HOSTS.key());
            }
        }
    }

    /**
     * The driver deletes its folder when it starts. It may do so only with a folder that a driver left behind.
     */
    private static void checkAeronDir(final Path aeronDir)
    {
        final File cncFile = aeronDir.resolve(CncFileDescriptor.CNC_FILE).toFile();
        final String[] names = aeronDir.toFile().list();
        if (null == names || 0 == names.length)
        {
            return;
        }

        if (!cncFile.exists())
        {
            throw new InvalidSettingException(
                NodeSettings.AERON_DIR.key(), aeronDir, "a folder that is not there yet, is empty, or was a media driver's");
        }

        liveDriver(cncFile).ifPresent(
            (pid) ->
            {
                throw new InvalidSettingException(
                    NodeSettings.AERON_DIR.key(), aeronDir, "a folder that is not in use; the driver of process " + pid +
                    " works there");
            });
    }

    /**
     * The process whose media driver works in a folder.
     *
     * @param cncFile file of that name in the folder, which is there.
     * @return its pid, or empty if it is gone.
     */
    public static Optional<Long> liveDriver(final File cncFile)
    {
        if (cncFile.length() < CncFileDescriptor.META_DATA_LENGTH)
        {
            return Optional.empty();
        }

        final MappedByteBuffer mapped = IoUtil.mapExistingFile(cncFile, CncFileDescriptor.CNC_FILE);
        try
        {
            final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
            final long startTimeMs = CncFileDescriptor.startTimestampMs(metaData);
            // A process that took over the pid of a dead driver began after that driver did.
            return ProcessHandle.of(CncFileDescriptor.pid(metaData))
                .filter(ProcessHandle::isAlive)
                .filter((process) -> process.info().startInstant().map((i) -> i.toEpochMilli() <= startTimeMs).orElse(true))
                .map(ProcessHandle::pid);
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }

    private static String checkRoom(final Path folder, final long neededLength, final String key, final String advice)
    {
        Path existing = folder;
        while (!Files.exists(existing))
        {
            existing = existing.getParent();
        }

        try
        {
            final long usableLength = Files.getFileStore(existing).getUsableSpace();
            if (usableLength < neededLength)
            {
                throw new InvalidSettingException(
                    key, folder, "a file system with " + RoomNeeded.text(neededLength) + " free, " + advice + "; " +
                    existing + " has " + RoomNeeded.text(usableLength));
            }
            return RoomNeeded.text(neededLength) + " of " + RoomNeeded.text(usableLength);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(key, folder + " (" + ex + ")", "a file system that can be read");
        }
    }
}
