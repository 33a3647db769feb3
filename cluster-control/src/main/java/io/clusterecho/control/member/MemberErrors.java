package io.clusterecho.control.member;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;

import io.aeron.CncFileDescriptor;
import io.aeron.archive.ArchiveMarkFile;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.settings.Io;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;

/**
 * The distinct errors that a member's components logged since its last start: those of the driver from its CnC file, those of
 * archive, consensus module and service from their mark files, which outlive the process. All are copied: a page that was never
 * written cannot be read through a mapping while its file system is full.
 *
 * @param observationCount number of errors, repetitions included.
 * @param lastCount        how often the last one was logged.
 * @param lastTimeMs       epoch time in ms of the last one, 0 if there is none.
 * @param last             first line of the last error, empty if there is none.
 */
public record MemberErrors(int distinctCount, long observationCount, long lastCount, long lastTimeMs, String last)
{
    public static final MemberErrors NONE = new MemberErrors(0, 0, 0, 0, "");

    /** Read the error logs of a member, running or not; fails if one is damaged, or this user may not read its driver's. */
    public static MemberErrors read(final Path dir, final Path aeronDir)
    {
        if (Files.isDirectory(aeronDir) && !Files.isExecutable(aeronDir))
        {
            throw ControlFailure.denied("read " + aeronDir, aeronDir);
        }

        return Stream.concat(
            Stream.of(
                readIfThere(DriverCounters.file(aeronDir), CncFileDescriptor.META_DATA_LENGTH, MemberErrors::ofDriver),
                readIfThere(
                    dir.resolve(MemberFolder.ARCHIVE_DIR).resolve(ArchiveMarkFile.FILENAME).toFile(),
                    io.aeron.archive.codecs.mark.MarkFileHeaderDecoder.BLOCK_LENGTH, MemberErrors::ofArchive)),
            Io.call((ex) -> ControlFailure.notReady("cannot read the marks of " + dir + ": " + ex), () ->
                MemberFolder.marks(dir.resolve(MemberFolder.CLUSTER_DIR))).stream().map((file) -> readIfThere(
                file.toFile(), io.aeron.cluster.codecs.mark.MarkFileHeaderDecoder.BLOCK_LENGTH, MemberErrors::ofCluster)))
            .reduce(NONE, MemberErrors::and);
    }

    private MemberErrors and(final MemberErrors other)
    {
        final MemberErrors later = other.lastTimeMs > lastTimeMs ? other : this;
        return new MemberErrors(
            distinctCount + other.distinctCount, observationCount + other.observationCount, later.lastCount,
            later.lastTimeMs, later.last);
    }

    private static MemberErrors readIfThere(
        final File file, final int minLength, final Function<ByteBuffer, MemberErrors> reader)
    {
        if (file.length() <= minLength)
        {
            return NONE;
        }

        try
        {
            return reader.apply(ByteBuffer.wrap(Files.readAllBytes(file.toPath())));
        }
        catch (final NoSuchFileException | IllegalStateException ex)
        {
            // Deleted since it was listed, or its header is not yet written.
            return NONE;
        }
        catch (final IOException | RuntimeException ex)
        {
            throw ControlFailure.notReady("cannot read " + file + ": " + ex);
        }
    }

    private static MemberErrors ofDriver(final ByteBuffer cnc)
    {
        final UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        final int version = metaData.getInt(CncFileDescriptor.cncVersionOffset(0));
        if (0 == version)
        {
            return NONE;
        }
        CncFileDescriptor.checkVersion(version);
        return of(CncFileDescriptor.createErrorLogBuffer(cnc, metaData));
    }

    private static MemberErrors ofArchive(final ByteBuffer mark)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(mark);
        final io.aeron.archive.codecs.mark.MarkFileHeaderDecoder header =
            new io.aeron.archive.codecs.mark.MarkFileHeaderDecoder();
        header.wrapAndApplyHeader(buffer, 0, new io.aeron.archive.codecs.mark.MessageHeaderDecoder());
        return ofRegion(buffer, header.headerLength(), header.errorBufferLength());
    }

    private static MemberErrors ofCluster(final ByteBuffer mark)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(mark);
        final io.aeron.cluster.codecs.mark.MarkFileHeaderDecoder header =
            new io.aeron.cluster.codecs.mark.MarkFileHeaderDecoder();
        header.wrapAndApplyHeader(buffer, 0, new io.aeron.cluster.codecs.mark.MessageHeaderDecoder());
        return ofRegion(buffer, header.headerLength(), header.errorBufferLength());
    }

    private static MemberErrors ofRegion(final UnsafeBuffer buffer, final int offset, final int length)
    {
        // A file whose header is incomplete may have neither.
        return offset <= 0 || length <= 0 || offset + length > buffer.capacity() ?
            NONE : of(new UnsafeBuffer(buffer, offset, length));
    }

    private static MemberErrors of(final AtomicBuffer errorLog)
    {
        final MemberErrors[] errors = { NONE };
        ErrorLogReader.read(
            errorLog, (observationCount, firstTimeMs, lastTimeMs, text) -> errors[0] = errors[0].and(new MemberErrors(
                1, observationCount, observationCount, lastTimeMs, text.lines().findFirst().orElse(""))));
        return errors[0];
    }
}
