package io.clusterecho.system;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;

/** Damage to the files of a stopped member, as a bad disk or a lost write leaves it. */
enum FileDamage
{
    /** One bit of a payload in the middle of the log. */
    FLIPPED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            final Path log = segment(memberDir, recordingLog(memberDir).log());
            flip(log, middleFrame(log) + DataHeaderFlyweight.HEADER_LENGTH + 1);
        }
    },
    /** The last frames of the log were never written, though the catalog has their end. */
    ZEROED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            final Path log = segment(memberDir, recordingLog(memberDir).log());
            final long end = frameAfter(log, Long.MAX_VALUE);
            final long begin = frameAfter(log, end - PAGE_LENGTH);
            write(log, begin, new byte[(int)(end - begin)]);
        }
    },
    /** The segment file ends in the middle of the log. */
    CUT
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            final Path log = segment(memberDir, recordingLog(memberDir).log());
            truncate(log, middleFrame(log) + DataHeaderFlyweight.HEADER_LENGTH);
        }
    },
    /** One bit of the service's last snapshot. */
    SNAPSHOT
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            flip(segment(memberDir, recordingLog(memberDir).snapshot()), DataHeaderFlyweight.HEADER_LENGTH + 1);
        }
    },
    /** One bit of the log's length of terms in the archive's catalog. */
    CATALOG
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            // The first recording follows the header of the file, which has the length of its first cache line.
            final Path catalog = memberDir.resolve("archive/archive.catalog");
            final ByteBuffer header = read(catalog, 0, Integer.BYTES * 4);
            final int headerLength = header.getInt(Integer.BYTES);
            flip(
                catalog, headerLength + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH +
                RecordingDescriptorDecoder.termBufferLengthEncodingOffset() + 2);
        }
    },
    /** The archive's catalog is gone. */
    CATALOG_DELETED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            Files.delete(memberDir.resolve("archive/archive.catalog"));
        }
    },
    /** Part of the archive's catalog was never written. */
    CATALOG_ZEROED
    {
        @Override
        void apply(final Path memberDir)
        {
            write(memberDir.resolve("archive/archive.catalog"), 64, new byte[512]);
        }
    },
    /** The archive's catalog ends within its first recordings. */
    CATALOG_CUT
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            truncate(memberDir.resolve("archive/archive.catalog"), 200);
        }
    },
    /** One bit of the term offset of a frame of the service's last snapshot. */
    SNAPSHOT_HEADER
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            flip(segment(memberDir, recordingLog(memberDir).snapshot()), DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET);
        }
    },
    /** The list of terms and snapshots is empty. */
    RECORDING_LOG_EMPTIED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            truncate(memberDir.resolve("cluster").resolve(RecordingLog.RECORDING_LOG_FILE_NAME), 0);
        }
    },
    /** One bit of the type of the first entry in the list of terms and snapshots. */
    RECORDING_LOG
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            flip(memberDir.resolve("cluster").resolve(RecordingLog.RECORDING_LOG_FILE_NAME), RecordingLog.ENTRY_TYPE_OFFSET);
        }
    },
    /** The length of a frame in the middle of the log is 0, which is what marks the end of a log. */
    FRAME_LENGTH
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            final Path log = segment(memberDir, recordingLog(memberDir).log());
            write(log, middleFrame(log), new byte[Integer.BYTES]);
        }
    },
    /** The segment file of the log is gone. */
    SEGMENT_DELETED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            Files.delete(segment(memberDir, recordingLog(memberDir).log()));
        }
    },
    /** The list of terms and snapshots is gone. */
    RECORDING_LOG_DELETED
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            Files.delete(memberDir.resolve("cluster").resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
        }
    },
    /** The list of terms and snapshots ends within its first entry. */
    RECORDING_LOG_CUT
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            truncate(memberDir.resolve("cluster").resolve(RecordingLog.RECORDING_LOG_FILE_NAME), CUT_LENGTH);
        }
    },
    /** The file with the last vote is random. */
    NODE_STATE
    {
        @Override
        void apply(final Path memberDir) throws IOException
        {
            final byte[] bytes = new byte[CUT_LENGTH];
            new Random(20_261_123).nextBytes(bytes);
            write(memberDir.resolve("cluster").resolve(NodeStateFile.FILENAME), 0, bytes);
        }
    };

    private static final int CUT_LENGTH = 30;
    private static final int PAGE_LENGTH = 4096;
    private static final int SERVICE_ID = 0;

    /** Damage the files of a member that does not run. */
    abstract void apply(Path memberDir) throws IOException;

    /** Recording ids, -1 where there is none. */
    private record Recordings(long log, long snapshot)
    {
    }

    private static Recordings recordingLog(final Path memberDir)
    {
        try (RecordingLog recordingLog = new RecordingLog(memberDir.resolve("cluster").toFile(), false))
        {
            final RecordingLog.Entry snapshot = recordingLog.getLatestSnapshot(SERVICE_ID);
            return new Recordings(recordingLog.findLastTermRecordingId(), null == snapshot ? -1 : snapshot.recordingId);
        }
    }

    private static Path segment(final Path memberDir, final long recordingId)
    {
        return memberDir.resolve("archive").resolve(recordingId + "-0.rec");
    }

    /** Offset of a frame in the middle of the log. */
    private static long middleFrame(final Path log) throws IOException
    {
        return frameAfter(log, frameAfter(log, Long.MAX_VALUE) / 2);
    }

    /** Offset of the first frame with data at or after an offset; the end of the last frame if there is none. */
    private static long frameAfter(final Path log, final long minOffset) throws IOException
    {
        long offset = 0;
        while (offset < Files.size(log))
        {
            final ByteBuffer header = read(log, offset, DataHeaderFlyweight.HEADER_LENGTH);
            final int length = header.getInt(DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET);
            final int type = header.getShort(DataHeaderFlyweight.TYPE_FIELD_OFFSET) & 0xFFFF;
            if (length <= 0 || offset >= minOffset && DataHeaderFlyweight.HDR_TYPE_DATA == type)
            {
                break;
            }
            offset += BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
        }

        return offset;
    }

    private static void truncate(final Path path, final long length) throws IOException
    {
        try (FileChannel file = FileChannel.open(path, WRITE))
        {
            file.truncate(length);
        }
    }

    private static void flip(final Path path, final long offset) throws IOException
    {
        write(path, offset, new byte[]{ (byte)(read(path, offset, 1).get(0) ^ 1) });
    }

    private static ByteBuffer read(final Path path, final long offset, final int length) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(length).order(LITTLE_ENDIAN);
        try (FileChannel file = FileChannel.open(path, READ))
        {
            if (file.read(bytes, offset) < length)
            {
                throw new IOException("no " + length + " bytes at " + offset + " of " + path);
            }
        }
        return bytes.flip();
    }

    private static void write(final Path path, final long offset, final byte[] bytes)
    {
        try (FileChannel file = FileChannel.open(path, WRITE))
        {
            file.write(ByteBuffer.wrap(bytes), offset);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + path, ex);
        }
    }
}
