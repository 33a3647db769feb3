package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

import io.aeron.archive.ArchiveMarkFile;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.aeron.cluster.codecs.ClusterTimeUnit;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Segment files and catalog, as an archive writes them; one recording after the other, each in files of one term. */
final class RecordedFiles
{
    static final int SEGMENT_LENGTH = 64 << 10;
    static final int LOG_STREAM_ID = 100;
    static final int MESSAGE_LENGTH = 320;

    private static final int CATALOG_LENGTH = 1 << 20;
    private static final int ALIGNMENT = 64;
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:20002";

    private final Path dir;
    private final UnsafeBuffer frames = new UnsafeBuffer(ByteBuffer.allocateDirect(4 * SEGMENT_LENGTH));
    private final UnsafeBuffer catalog = new UnsafeBuffer(new byte[CATALOG_LENGTH]);
    private final Random random = new Random(5);
    private final List<Integer> descriptors = new ArrayList<>();
    private int catalogEnd = CatalogHeaderDecoder.BLOCK_LENGTH;
    private boolean hasChecksums = true;
    private int streamId = LOG_STREAM_ID;
    private int end;

    RecordedFiles(final Path archiveDir)
    {
        dir = archiveDir;
    }

    RecordedFiles withoutChecksums()
    {
        hasChecksums = false;
        return this;
    }

    /** Begin another recording. */
    RecordedFiles begin(final int stream)
    {
        frames.setMemory(0, frames.capacity(), (byte)0);
        end = 0;
        streamId = stream;
        return this;
    }

    int end()
    {
        return end;
    }

    /** The frames of the present recording, to be damaged. */
    UnsafeBuffer frames()
    {
        return frames;
    }

    RecordedFiles term(final long id, final long timestamp)
    {
        new NewLeadershipTermEventEncoder().wrapAndApplyHeader(
            frames, end + DataHeaderFlyweight.HEADER_LENGTH, new MessageHeaderEncoder())
            .leadershipTermId(id).logPosition(end).timestamp(timestamp).termBaseLogPosition(end).leaderMemberId(0)
            .logSessionId(1).timeUnit(ClusterTimeUnit.MILLIS).appVersion(0);
        return frame(
            DataHeaderFlyweight.HEADER_LENGTH + MessageHeaderEncoder.ENCODED_LENGTH +
            NewLeadershipTermEventEncoder.BLOCK_LENGTH, DataHeaderFlyweight.HDR_TYPE_DATA);
    }

    RecordedFiles messages(final int count, final long termId)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] payload = new byte[MESSAGE_LENGTH - DataHeaderFlyweight.HEADER_LENGTH];
            random.nextBytes(payload);
            frames.putBytes(end + DataHeaderFlyweight.HEADER_LENGTH, payload);
            new SessionMessageHeaderEncoder().wrapAndApplyHeader(
                frames, end + DataHeaderFlyweight.HEADER_LENGTH, new MessageHeaderEncoder()).leadershipTermId(termId);
            frame(MESSAGE_LENGTH, DataHeaderFlyweight.HDR_TYPE_DATA);
        }
        return this;
    }

    /** Padding to the end of the file. */
    RecordedFiles pad()
    {
        return frame(SEGMENT_LENGTH - end % SEGMENT_LENGTH, DataHeaderFlyweight.HDR_TYPE_PAD);
    }

    private RecordedFiles frame(final int length, final int type)
    {
        final DataHeaderFlyweight header = new DataHeaderFlyweight();
        header.wrap(frames, end, DataHeaderFlyweight.HEADER_LENGTH);
        header.frameLength(length).headerType(type).flags(FrameDescriptor.UNFRAGMENTED);
        header.termOffset(end % SEGMENT_LENGTH).termId(end / SEGMENT_LENGTH).streamId(streamId);
        final int alignedLength = BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
        header.sessionId(!hasChecksums || DataHeaderFlyweight.HDR_TYPE_PAD == type ? 7 : Checksums.crc32c().compute(
            frames.addressOffset(), end + DataHeaderFlyweight.HEADER_LENGTH, alignedLength - DataHeaderFlyweight.HEADER_LENGTH));
        end += alignedLength;
        return this;
    }

    /** Write the files of the present recording, without a catalog. */
    RecordedFiles write(final long recordingId) throws IOException
    {
        for (int base = 0; base < end; base += SEGMENT_LENGTH)
        {
            final byte[] bytes = new byte[SEGMENT_LENGTH];
            frames.getBytes(base, bytes);
            Files.write(file(recordingId, base), bytes);
        }
        return this;
    }

    Path file(final long recordingId, final int base)
    {
        return dir.resolve(recordingId + "-" + base + ".rec");
    }

    Path catalogFile()
    {
        return dir.resolve("archive.catalog");
    }

    /** Offset in the catalog of the descriptor of a recording, without its header. */
    int descriptor(final int id)
    {
        return descriptors.get(id);
    }

    /** The present recording, as the catalog describes it. */
    Recording recording(final long id, final long stopPosition)
    {
        return new Recording(dir, id, 0, stopPosition, 0, SEGMENT_LENGTH, SEGMENT_LENGTH, streamId);
    }

    /** Write the files of the present recording, and add it to the catalog, in the order of ids from 0. */
    RecordedFiles add(final long id, final long startPosition, final long stopPosition) throws IOException
    {
        write(id);
        final int begin = catalogEnd + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
        final RecordingDescriptorEncoder descriptor = new RecordingDescriptorEncoder().wrap(catalog, begin)
            .recordingId(id).startTimestamp(1).stopTimestamp(stopPosition < 0 ? -1 : 2).startPosition(startPosition)
            .stopPosition(stopPosition).initialTermId(0).segmentFileLength(SEGMENT_LENGTH).termBufferLength(SEGMENT_LENGTH)
            .mtuLength(1408).sessionId(3).streamId(streamId).strippedChannel(CHANNEL).originalChannel(CHANNEL)
            .sourceIdentity("127.0.0.1:1");
        final int length = BitUtil.align(
            RecordingDescriptorHeaderDecoder.BLOCK_LENGTH + descriptor.encodedLength(), ALIGNMENT) -
            RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
        final CRC32C crc = new CRC32C();
        crc.update(catalog.byteArray(), begin, length);
        new RecordingDescriptorHeaderEncoder().wrap(catalog, catalogEnd).length(length).state(RecordingState.VALID)
            .checksum(hasChecksums ? (int)crc.getValue() : 0);
        catalogEnd = begin + length;
        descriptors.add(begin);
        new CatalogHeaderEncoder().wrap(catalog, 0).version(ArchiveMarkFile.SEMANTIC_VERSION)
            .length(CatalogHeaderEncoder.BLOCK_LENGTH).nextRecordingId(id + 1).alignment(ALIGNMENT);
        Files.write(catalogFile(), catalog.byteArray());
        return this;
    }
}
