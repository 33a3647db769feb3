package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;

import io.clusterecho.node.member.Recording;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the frames of one recording in order and checks each frame's header and checksum.
 * <p>
 * Reading ends at the stop position of the catalog. A recording without one, because its member runs or was killed, ends after
 * its last complete frame. Each error becomes a finding. A frame with a wrong checksum is skipped over, see
 * {@link #isIntact}; an invalid header ends the reading.
 * <p>
 * An archive that records with checksums stores each frame's CRC32C in the session id field. It covers the payload up to the
 * next multiple of {@link FrameDescriptor#FRAME_ALIGNMENT}. A padding frame has none, and only its header is in the file.
 */
class LogReader implements AutoCloseable
{
    private static final int PAGE_LENGTH = 4096;
    private static final int MAX_FRAME_LENGTH = 1 << 16;
    private static final int PROBE_COUNT = 64;
    private static final int RACE_RETRIES = 20;
    private static final long RACE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Recording stream;
    final Integer memberId;
    private final String name;
    private final AuditFindings findings;
    private final SegmentWindow window = new SegmentWindow();
    private final boolean hasChecksums;

    private long position;
    private long nextPosition;
    private long segmentBase;
    private int frameIndex;
    /** Whether the frame matches its checksum; true if it has none. */
    boolean isIntact;
    private boolean isBroken;
    /** Frames so far that do not match their checksum. */
    long badChecksumCount;

    LogReader(final Recording stream, final int memberId, final String name, final AuditFindings findings)
    {
        this(stream, memberId, name, findings, hasChecksums(stream, name, findings));
    }

    private LogReader(
        final Recording stream, final Integer memberId, final String name, final AuditFindings findings,
        final boolean hasChecksums)
    {
        this.stream = stream;
        this.memberId = memberId;
        this.name = name;
        this.findings = findings;
        this.hasChecksums = hasChecksums;
        position = stream.startPosition();
        nextPosition = position;
    }

    /**
     * A recording does not state whether it has checksums. A session id that equals the checksum of one of the first frames by
     * chance is ruled out.
     */
    private static boolean hasChecksums(final Recording stream, final String name, final AuditFindings findings)
    {
        boolean isMatch = false;
        int count = 0;
        try (LogReader probe = new LogReader(stream, AuditReport.Finding.ALL_MEMBERS, name, new AuditFindings(), false))
        {
            while (!isMatch && count < PROBE_COUNT && probe.next())
            {
                if (!probe.isPadding())
                {
                    count++;
                    isMatch = probe.isChecksumRight();
                }
            }
        }
        if (!isMatch && count > 0)
        {
            findings.note(
                name + " was recorded without checksums: damage is only found where members differ or a message's own check " +
                "fails");
        }

        return isMatch || 0 == count;
    }

    /** @return false at the end. */
    boolean next()
    {
        if (isBroken)
        {
            return false;
        }

        position = nextPosition;
        try
        {
            final boolean isFound = locate();
            nextPosition += isFound ? alignedLength() : 0;
            badChecksumCount += isFound && !isIntact ? 1 : 0;
            return isFound;
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return fail(FindingKind.UNREADABLE, "cannot be read at position " + position + " (" + ex + ")");
        }
    }

    /** Whether damage was found in the frames up to here, or ended them. */
    boolean isDamaged()
    {
        return isBroken || badChecksumCount > 0;
    }

    /** Position at which the frame begins; at the end, the end of the last frame. */
    long position()
    {
        return position;
    }

    long endPosition()
    {
        return nextPosition;
    }

    /** Buffer containing the frame until the next call of {@link #next()}. */
    UnsafeBuffer buffer()
    {
        return window.buffer;
    }

    /** Index of the frame's header in {@link #buffer()}. */
    int frameIndex()
    {
        return frameIndex;
    }

    int frameLength()
    {
        return FrameDescriptor.frameLength(window.buffer, frameIndex);
    }

    /** Aligned length of the frame in the log in bytes. */
    int alignedLength()
    {
        return BitUtil.align(frameLength(), FRAME_ALIGNMENT);
    }

    /** Whether the frame is padding at the end of a term. */
    boolean isPadding()
    {
        return FrameDescriptor.isPaddingFrame(window.buffer, frameIndex);
    }

    /** Whether the frame is data that has a flag, {@link FrameDescriptor#BEGIN_FRAG_FLAG} or {@code END_FRAG_FLAG}. */
    boolean has(final byte flag)
    {
        return !isPadding() && (FrameDescriptor.frameFlags(buffer(), frameIndex) & flag) != 0;
    }

    /** The entry that the frame contains or begins. */
    LogEntry entry()
    {
        return LogEntry.decode(buffer(), frameIndex + HEADER_LENGTH, frameLength() - HEADER_LENGTH, position, nextPosition);
    }

    long startPosition()
    {
        return stream.startPosition();
    }

    @Override
    public void close()
    {
        window.close();
    }

    private boolean locate() throws IOException
    {
        if (!stream.isOpen() && position >= stream.stopPosition())
        {
            return false;
        }

        segmentBase = stream.segmentBase(position);
        if (!window.open(stream.segmentFile(segmentBase)))
        {
            return failMissingSegment();
        }

        final long offset = position - segmentBase;
        if (!loadHeader(offset))
        {
            return false;
        }

        frameIndex = window.index(offset);
        final String problem = headerProblem(window.buffer, frameIndex);
        if (null != problem)
        {
            return fail(FindingKind.BAD_FRAME, "has an invalid frame at position " + position + ": its " + problem);
        }

        isIntact = true;
        return isPadding() || loadPayload(offset);
    }

    /** @return false at the end of the log. */
    private boolean loadHeader(final long offset) throws IOException
    {
        int available = window.load(offset, HEADER_LENGTH, false);
        if (HEADER_LENGTH == available && isZero(offset, offset + HEADER_LENGTH))
        {
            // A live member may have written since the window was read.
            available = window.load(offset, HEADER_LENGTH, true);
        }
        if (available < HEADER_LENGTH)
        {
            return failTruncated(offset);
        }
        if (!isZero(offset, offset + HEADER_LENGTH))
        {
            return true;
        }

        if (!stream.isOpen())
        {
            return fail(
                FindingKind.CUT_SHORT,
                "ends at position " + position + ", but its catalog states " + stream.stopPosition());
        }
        if (window.channel.size() < stream.segmentLength())
        {
            return failTruncated(offset);
        }

        final long found = firstByteAfter(offset);
        if (found < 0)
        {
            return false;
        }
        window.load(offset, HEADER_LENGTH, true);
        return !isZero(offset, offset + HEADER_LENGTH) || fail(
            FindingKind.HOLE, "has a hole at position " + position + " and continues at " + found);
    }

    private boolean loadPayload(final long offset) throws IOException
    {
        final int length = alignedLength();
        for (int i = 0; i < RACE_RETRIES; i++)
        {
            if (window.load(offset, length, i > 0) < length)
            {
                return failTruncated(offset);
            }
            frameIndex = window.index(offset);
            isIntact = !hasChecksums || isChecksumRight();
            if (isIntact || !stream.isOpen() || firstByteAfter(offset + length) >= 0)
            {
                break;
            }
            // The last frame of an open recording may still be being written.
            LockSupport.parkNanos(RACE_WAIT_NS);
        }

        if (!isIntact)
        {
            if (stream.isOpen() && isTorn(offset) && firstByteAfter(offset + length) < 0)
            {
                findings.note(
                    name + " ends with a partly written frame at position " + position + ": its member was killed during it");
                return false;
            }
            findings.add(FindingKind.BAD_CHECKSUM, memberId, position,
                name + " has a frame at position " + position + " whose bytes do not match its checksum");
        }

        return true;
    }

    /** A member killed during a write leaves whole pages: the rest of the frame, from a page boundary on, was never written. */
    private boolean isTorn(final long offset)
    {
        final long end = offset + alignedLength();
        long boundary = BitUtil.align(offset + HEADER_LENGTH, (long)PAGE_LENGTH);
        while (boundary < end && !isZero(boundary, end))
        {
            boundary += PAGE_LENGTH;
        }
        return boundary < end;
    }

    /** Whether the bytes of a range in the window are all zero. */
    private boolean isZero(final long begin, final long end)
    {
        for (long i = begin; i < end; i++)
        {
            if (0 != window.buffer.getByte(window.index(i)))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isChecksumRight()
    {
        return FrameDescriptor.frameSessionId(window.buffer, frameIndex) ==
            Recording.checksum(window.buffer, frameIndex, alignedLength());
    }

    /** Position of the first non-zero byte at or after an offset of this segment, in this file or the next; -1 if none. */
    private long firstByteAfter(final long offset) throws IOException
    {
        final long found = window.firstNonZero(offset);
        if (found >= 0)
        {
            return segmentBase + found;
        }

        final long nextBase = segmentBase + stream.segmentLength();
        try (SegmentWindow next = new SegmentWindow())
        {
            final long foundInNext = next.open(stream.segmentFile(nextBase)) ? next.firstNonZero(0) : -1;
            return foundInNext < 0 ? -1 : nextBase + foundInNext;
        }
    }

    /** What is wrong with a header, worded to follow "its", or null. */
    private String headerProblem(final UnsafeBuffer buffer, final int index)
    {
        final int length = FrameDescriptor.frameLength(buffer, index);
        final int termOffset = (int)(position & (stream.termLength() - 1));
        final int termId = LogBufferDescriptor.computeTermIdFromPosition(
            position, LogBufferDescriptor.positionBitsToShift(stream.termLength()), stream.initialTermId());
        final int type = FrameDescriptor.frameType(buffer, index);
        final int version = FrameDescriptor.frameVersion(buffer, index);
        final int statedOffset = DataHeaderFlyweight.termOffset(buffer, index);
        final int statedTermId = FrameDescriptor.frameTermId(buffer, index);
        final int streamId = DataHeaderFlyweight.streamId(buffer, index);
        final boolean isData = HeaderFlyweight.HDR_TYPE_DATA == type;
        return length < HEADER_LENGTH || length > stream.termLength() - termOffset ? "length is " + length + " bytes" :
            !isData && HeaderFlyweight.HDR_TYPE_PAD != type ? "type is " + type :
            isData && length > MAX_FRAME_LENGTH ? "length is " + length + " bytes" :
            DataHeaderFlyweight.CURRENT_VERSION != version ? "version is " + version :
            statedOffset != termOffset ? "term offset is " + statedOffset + ", not " + termOffset :
            statedTermId != termId ? "term id is " + statedTermId + ", not " + termId :
            streamId != stream.streamId() ? "stream id is " + streamId + ", not " + stream.streamId() : null;
    }

    /** An open recording may end with a full segment, but a missing segment must not be followed by another. */
    private boolean failMissingSegment() throws IOException
    {
        InvalidSettingException.throwIf(
            MemberLog.isPurged(stream, position), name + " was purged while it was read: run the audit again");
        if (!stream.isOpen())
        {
            return fail(
                FindingKind.CUT_SHORT,
                "has no segment file for position " + position + ", but its catalog ends at " + stream.stopPosition());
        }

        final long laterBase = stream.segmentBaseAbove(segmentBase);
        return laterBase < 0 ? false : fail(
            FindingKind.HOLE, "has no segment file for position " + position + " but continues at " + laterBase);
    }

    private boolean failTruncated(final long offset) throws IOException
    {
        return fail(
            FindingKind.CUT_SHORT,
            "is truncated at position " + position + ": its segment file ends at byte " + window.channel.size() + " of " +
            stream.segmentLength() + ", " + (window.channel.size() - offset) + " bytes into that frame");
    }

    private boolean fail(final FindingKind kind, final String text)
    {
        isBroken = true;
        findings.add(kind, memberId, position, name + " " + text);
        return false;
    }

    /**
     * A window of the segment file that is being read, copied into memory. Not mapped, because truncating a mapped file crashes
     * the process that reads it.
     */
    static final class SegmentWindow implements AutoCloseable
    {
        private static final int WINDOW_LENGTH = 1 << 19;
        private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 16);

        private final ByteBuffer bytes = ByteBuffer.allocateDirect(WINDOW_LENGTH);
        /** The bytes in the window. */
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        FileChannel channel;
        private Path file;
        private long windowOffset;
        private int windowLength;

        /** Switch to a file; false if it does not exist. */
        boolean open(final Path newFile) throws IOException
        {
            if (newFile.equals(file))
            {
                return true;
            }

            close();
            if (!Files.exists(newFile))
            {
                return false;
            }
            channel = FileChannel.open(newFile, StandardOpenOption.READ);
            file = newFile;
            windowOffset = 0;
            windowLength = 0;
            return true;
        }

        /**
         * Load a range of the file into the window, of at most its length.
         *
         * @param isForced true to read it from the file even if the window contains it, because it may have changed.
         * @return length in bytes of the part of the range that is in the file, at most {@code length}.
         */
        int load(final long offset, final int length, final boolean isForced) throws IOException
        {
            if (isForced || offset < windowOffset || offset + length > windowOffset + windowLength)
            {
                bytes.clear();
                while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) > 0)
                {
                    Thread.onSpinWait();
                }
                windowOffset = offset;
                windowLength = bytes.position();
            }

            return (int)Math.min(length, windowOffset + windowLength - offset);
        }

        /** Index in {@link #buffer} of an offset within the file; the offset must be in the window. */
        int index(final long offset)
        {
            return (int)(offset - windowOffset);
        }

        /** Offset of the first non-zero byte at or after {@code offset}, or -1. Does not change the window. */
        long firstNonZero(final long offset) throws IOException
        {
            final ByteBuffer chunk = ByteBuffer.allocate(ZEROS.capacity());
            long position = offset;
            while (true)
            {
                chunk.clear();
                final int length = channel.read(chunk, position);
                if (length <= 0)
                {
                    return -1;
                }
                final int index = chunk.flip().mismatch(ZEROS.duplicate().limit(length));
                if (index >= 0)
                {
                    return position + index;
                }
                position += length;
            }
        }

        @Override
        public void close()
        {
            CloseHelper.close(channel);
            channel = null;
            file = null;
        }
    }
}
