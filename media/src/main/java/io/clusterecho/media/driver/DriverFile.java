package io.clusterecho.media.driver;

import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import io.aeron.AeronCounters;
import io.aeron.CncFileDescriptor;
import io.aeron.driver.MediaDriverVersion;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * State of a driver from its CnC file at one moment, and the processes that use it.
 *
 * @param startTimeMs    epoch time in ms, as all here.
 * @param versionOfAeron composed of major, minor and patch, or 0 if unknown.
 */
public record DriverFile(long pid, long startTimeMs, int versionOfAeron, long heartbeatTimeMs)
{
    /** Of the Aeron that was loaded: its constants were compiled into this class, and may be of another version. */
    private static final MediaDriverVersion OURS = new MediaDriverVersion();
    /** Beside the driver's files, with a pid as suffix: a process that uses a driver in another process. */
    private static final String USER_FILE = "cluster-echo-user-";

    /** Map the CnC file of a driver; empty if there is no driver, or it is not ready. */
    public static Optional<MappedByteBuffer> map(final Path folder, final FileChannel.MapMode mode)
    {
        final File file = folder.resolve(CncFileDescriptor.CNC_FILE).toFile();
        // A file shorter than its fixed part is about to be replaced.
        if (file.length() <= CncFileDescriptor.META_DATA_LENGTH)
        {
            return Optional.empty();
        }

        final MappedByteBuffer cnc;
        try
        {
            cnc = IoUtil.mapExistingFile(file, mode, CncFileDescriptor.CNC_FILE);
        }
        catch (final IllegalStateException ex)
        {
            // Deleted since it was listed.
            return Optional.empty();
        }

        if (0 == CncFileDescriptor.createMetaDataBuffer(cnc).getInt(CncFileDescriptor.cncVersionOffset(0)))
        {
            IoUtil.unmap(cnc);
            return Optional.empty();
        }
        return Optional.of(cnc);
    }

    /** @return its content, or empty if there is no driver, or it is not ready. */
    public static Optional<DriverFile> read(final Path folder)
    {
        return map(folder, FileChannel.MapMode.READ_ONLY).map((cnc) ->
        {
            try
            {
                final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
                final boolean isReadable =
                    CncFileDescriptor.CNC_VERSION == metaData.getInt(CncFileDescriptor.cncVersionOffset(0)) &&
                    CncFileDescriptor.isCncFileLengthSufficient(metaData, cnc.capacity());
                return new DriverFile(
                    CncFileDescriptor.pid(metaData), CncFileDescriptor.startTimestampMs(metaData),
                    isReadable ? versionOfAeron(cnc, metaData) : 0,
                    isReadable ? new ManyToOneRingBuffer(
                        CncFileDescriptor.createToDriverBuffer(cnc, metaData)).consumerHeartbeatTime() : 0);
            }
            finally
            {
                IoUtil.unmap(cnc);
            }
        });
    }

    /** The process of the driver, empty if it has ended: one that reuses its pid started after the driver. */
    public Optional<ProcessHandle> process()
    {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(
            (process) -> process.info().startInstant().map((start) -> start.toEpochMilli() <= startTimeMs).orElse(true));
    }

    /** Reject a driver whose Aeron, 0 if unknown, is not that of this process. */
    static void checkVersion(final String driver, final int versionOfAeron)
    {
        InvalidSettingException.throwIf(
            SemanticVersion.compose(OURS.majorVersion(), OURS.minorVersion(), OURS.patchVersion()) != versionOfAeron,
            "the media driver " + driver + " is Aeron " +
            (0 == versionOfAeron ? "of an unknown version" : SemanticVersion.toString(versionOfAeron)) +
            ", this program has Aeron " + OURS + ": use a driver of the same version");
    }

    /** Record that this process uses the driver. */
    static void claim(final Path folder)
    {
        final Path file = userFile(folder, ProcessHandle.current().pid());
        Io.run("cannot write " + file, () -> Files.write(file, new byte[0]));
    }

    /** Remove the record of {@link #claim(Path)}. */
    static void release(final Path folder)
    {
        IoUtil.deleteIfExists(userFile(folder, ProcessHandle.current().pid()).toFile());
    }

    /** Whether a process has recorded that it uses the driver of a folder, which runs in another process. */
    public static boolean isUsedBy(final Path folder, final long pid)
    {
        return Files.exists(userFile(folder, pid));
    }

    /** Pid of the driver that another process uses; empty if it runs in that process, or there is none. */
    public static OptionalLong pidUsedBy(final Path folder, final long user)
    {
        return isUsedBy(folder, user) ?
            read(folder).map((file) -> OptionalLong.of(file.pid())).orElse(OptionalLong.empty()) : OptionalLong.empty();
    }

    /** Delete the folders {@code PREFIX<pid>-<number>} of drivers of processes that no longer exist, where this user may. */
    public static void deleteLeftovers(final File sharedMemory, final String prefix)
    {
        final File[] folders = sharedMemory.listFiles(
            (parent, name) -> name.startsWith(prefix) && name.substring(prefix.length()).matches("\\d{1,9}-\\d+"));
        for (final File folder : null == folders ? new File[0] : folders)
        {
            final String name = folder.getName();
            if (ProcessHandle.of(Long.parseLong(name.substring(prefix.length(), name.lastIndexOf('-')))).isEmpty())
            {
                IoUtil.delete(folder, true);
            }
        }
    }

    private static Path userFile(final Path folder, final long pid)
    {
        return folder.resolve(USER_FILE + pid);
    }

    /** The counters in a mapped file, whose labels are in ASCII. */
    public static CountersReader counters(final MappedByteBuffer cnc, final DirectBuffer metaData)
    {
        return new CountersReader(
            CncFileDescriptor.createCountersMetaDataBuffer(cnc, metaData),
            CncFileDescriptor.createCountersValuesBuffer(cnc, metaData), StandardCharsets.US_ASCII);
    }

    private static int versionOfAeron(final MappedByteBuffer cnc, final DirectBuffer metaData)
    {
        final CountersReader counters = counters(cnc, metaData);
        // A driver allocates its own counters first, so that each has its number among them as its id.
        final int id = AeronCounters.SYSTEM_COUNTER_ID_AERON_VERSION;
        return AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID == counters.getCounterTypeId(id) &&
            id == counters.metaDataBuffer().getInt(CountersReader.metaDataOffset(id) + CountersReader.KEY_OFFSET) ?
            (int)counters.getCounterValue(id) : 0;
    }
}
