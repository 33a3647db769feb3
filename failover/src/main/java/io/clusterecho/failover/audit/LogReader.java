package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the frames of one recording in order, each proved against its place and its checksum.
 * <p>
 * It ends where the catalog says, or, for a recording that is open because its member runs or was killed, behind the last
 * whole frame. Whatever is not right on the way becomes a finding: a frame with a wrong checksum is passed over to
 * {@link #isIntact()}, and the walk goes on; a frame that does not fit its place ends it.
 * <p>
 * An archive that records with checksums keeps each frame's CRC32C in place of its session id, over the payload up to the
 * next multiple of {@link FrameDescriptor#FRAME_ALIGNMENT}; a padding frame has none, and only its header is in the file.
 */
final class LogReader implements AutoCloseable
{
    private static final int PAGE_LENGTH = 4096;
    private static final int MAX_FRAME_LENGTH = 1 << 16;
    private static final int PROBE_COUNT = 64;
    private static final int RACE_RETRIES = 20;
    private static final long RACE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RecordedStream stream;
    private final int memberId;
    private final String name;
    private final Findings findings;
    private final SegmentWindow window = new SegmentWindow();
    private final Checksum crc = Checksums.crc32c();
    private final boolean hasChecksums;

    private long position;
    private long nextPosition;
    private long segmentBase;
    private int frameIndex;
    private int frameLength;
    private int alignedLength;
    private boolean isPadding;
    private boolean isIntact;
    private boolean isProbing;
    private boolean isBroken;
    private long badChecksumCount;

    /**
     * A reader in front of the first frame.
     *
     * @param stream   to read.
     * @param memberId that findings are about.
     * @param name     of the recording in findings.
     * @param findings to add to.
     */
    LogReader(final RecordedStream stream, final int memberId, final String name, final Findings findings)
    {
        this.stream = stream;
        this.memberId = memberId;
        this.name = name;
        this.findings = findings;
        hasChecksums = probeChecksums();
        rewind();
    }

    /**
     * Go to the next frame.
     *
     * @return false at the end.
     */
    boolean next()
    {
        if (isBroken)
        {
            return false;
        }

        position = nextPosition;
        try
        {
            if (!locate())
            {
                return false;
            }
        }
        catch (final IOException ex)
        {
            return fail(FindingKind.UNREADABLE, "cannot be read at position " + position + " (" + ex + ")");
        }

        nextPosition = position + alignedLength;
        if (!isIntact)
        {
            badChecksumCount++;
        }
        return true;
    }

    /** Position at which the frame begins, or behind the last one at the end. */
    long position()
    {
        return position;
    }

    /** Position behind the frame. */
    long endPosition()
    {
        return nextPosition;
    }

    /** Buffer that holds the frame until the next call of {@link #next()}. */
    UnsafeBuffer buffer()
    {
        return window.buffer();
    }

    /** Place in {@link #buffer()} at which the frame's header begins. */
    int frameIndex()
    {
        return frameIndex;
    }

    /** Length in bytes of header and payload. */
    int frameLength()
    {
        return frameLength;
    }

    /** Length in bytes that the frame takes in the log. */
    int alignedLength()
    {
        return alignedLength;
    }

    /** Whether the frame only fills up a term. */
    boolean isPadding()
    {
        return isPadding;
    }

    /** Whether the bytes of the frame are those that were recorded, as far as a checksum can tell. */
    boolean isIntact()
    {
        return isIntact;
    }

    long startPosition()
    {
        return stream.startPosition();
    }

    long badChecksumCount()
    {
        return badChecksumCount;
    }

    @Override
    public void close()
    {
        window.close();
    }

    private void rewind()
    {
        nextPosition = stream.startPosition();
        position = nextPosition;
        isBroken = false;
        badChecksumCount = 0;
    }

    /**
     * Nothing in a recording tells whether it was made with checksums; a session id that happens to be the checksum of one of
     * the first frames is out of the question.
     */
    private boolean probeChecksums()
    {
        isProbing = true;
        rewind();
        boolean isMatch = false;
        int count = 0;
        while (!isMatch && count < PROBE_COUNT && next())
        {
            if (!isPadding)
            {
                count++;
                isMatch = isChecksumRight();
            }
        }
        isProbing = false;
        if (!isMatch && count > 0)
        {
            findings.note(
                name + " was recorded without checksums: damage shows only where members differ or a message's own check " +
                "fails");
        }

        return isMatch || 0 == count;
    }

    private boolean locate() throws IOException
    {
        if (!stream.isOpen() && position >= stream.stopPosition())
        {
            return false;
        }

        segmentBase = AeronArchive.segmentFileBasePosition(
            stream.startPosition(), position, stream.termLength(), stream.segmentLength());
        if (!window.open(stream.segmentFile(segmentBase)))
        {
            return failMissingSegment();
        }

        final long offset = position - segmentBase;
        if (!holdHeader(offset))
        {
            return false;
        }

        frameIndex = window.index(offset);
        final String misfit = misfit(window.buffer(), frameIndex);
        if (null != misfit)
        {
            return fail(FindingKind.BAD_FRAME, "has a frame at position " + position + " that " + misfit);
        }

        frameLength = FrameDescriptor.frameLength(window.buffer(), frameIndex);
        alignedLength = BitUtil.align(frameLength, FRAME_ALIGNMENT);
        isPadding = FrameDescriptor.isPaddingFrame(window.buffer(), frameIndex);
        isIntact = true;
        return isPadding || holdPayload(offset);
    }

    /**
     * @return false at the end of the log.
     */
    private boolean holdHeader(final long offset) throws IOException
    {
        int held = window.hold(offset, HEADER_LENGTH, false);
        if (HEADER_LENGTH == held && isHeaderEmpty(offset))
        {
            // The window may be older than what a live member has written since.
            held = window.hold(offset, HEADER_LENGTH, true);
        }
        if (held < HEADER_LENGTH)
        {
            return failCut(offset);
        }
        if (!isHeaderEmpty(offset))
        {
            return true;
        }

        if (!stream.isOpen())
        {
            return fail(
                FindingKind.CUT_SHORT,
                "ends at position " + position + ", but its catalog says " + stream.stopPosition());
        }
        if (window.fileLength() < stream.segmentLength())
        {
            return failCut(offset);
        }

        final long found = firstByteBehind(offset);
        if (found < 0)
        {
            return false;
        }
        window.hold(offset, HEADER_LENGTH, true);
        return !isHeaderEmpty(offset) || fail(
            FindingKind.HOLE, "holds nothing at position " + position + ", but goes on at " + found);
    }

    private boolean holdPayload(final long offset) throws IOException
    {
        for (int i = 0; i < RACE_RETRIES; i++)
        {
            if (window.hold(offset, alignedLength, i > 0) < alignedLength)
            {
                return failCut(offset);
            }
            frameIndex = window.index(offset);
            isIntact = isProbing || !hasChecksums || isChecksumRight();
            if (isIntact || !stream.isOpen() || firstByteBehind(offset + alignedLength) >= 0)
            {
                break;
            }
            // The last frame of an open recording: it may be in the middle of being written.
            LockSupport.parkNanos(RACE_WAIT_NS);
        }

        if (!isIntact)
        {
            if (stream.isOpen() && isTorn(offset) && firstByteBehind(offset + alignedLength) < 0)
            {
                findings.note(
                    name + " ends with a frame that was half written when its member was killed, at position " + position);
                return false;
            }
            findings.add(
                FindingKind.BAD_CHECKSUM, memberId, position,
                name + " has a frame at position " + position + " whose bytes do not fit its checksum");
        }

        return true;
    }

    private boolean isHeaderEmpty(final long offset)
    {
        final int index = window.index(offset);
        for (int i = 0; i < HEADER_LENGTH; i += Long.BYTES)
        {
            if (0 != window.buffer().getLong(index + i))
            {
                return false;
            }
        }

        return true;
    }

    /**
     * A kill in the middle of a write leaves whole pages: the rest of the frame, from a page's boundary on, was never written.
     */
    private boolean isTorn(final long offset)
    {
        long boundary = BitUtil.align(offset + HEADER_LENGTH, (long)PAGE_LENGTH);
        for (; boundary < offset + alignedLength; boundary += PAGE_LENGTH)
        {
            boolean isZero = true;
            for (long i = boundary; i < offset + alignedLength && isZero; i++)
            {
                isZero = 0 == window.buffer().getByte(window.index(i));
            }
            if (isZero)
            {
                return true;
            }
        }

        return false;
    }

    private boolean isChecksumRight()
    {
        return FrameDescriptor.frameSessionId(window.buffer(), frameIndex) == crc.compute(
            window.buffer().addressOffset(), frameIndex + HEADER_LENGTH, alignedLength - HEADER_LENGTH);
    }

    /**
     * Position of the first byte written behind an offset of this segment, in this file or in the next one; -1 if none.
     */
    private long firstByteBehind(final long offset) throws IOException
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

    /**
     * What is wrong with a header, in words that follow "a frame that", or null.
     */
    private String misfit(final UnsafeBuffer buffer, final int index)
    {
        final int length = FrameDescriptor.frameLength(buffer, index);
        final int termOffset = (int)(position & (stream.termLength() - 1));
        final int termId = LogBufferDescriptor.computeTermIdFromPosition(
            position, LogBufferDescriptor.positionBitsToShift(stream.termLength()), stream.initialTermId());
        final int type = FrameDescriptor.frameType(buffer, index);
        if (length < HEADER_LENGTH || length > stream.termLength() - termOffset)
        {
            return "is said to be " + length + " bytes long";
        }
        if (HeaderFlyweight.HDR_TYPE_DATA != type && HeaderFlyweight.HDR_TYPE_PAD != type)
        {
            return "is of type " + type;
        }
        if (HeaderFlyweight.HDR_TYPE_DATA == type && length > MAX_FRAME_LENGTH)
        {
            return "is said to be " + length + " bytes long";
        }
        if (DataHeaderFlyweight.CURRENT_VERSION != FrameDescriptor.frameVersion(buffer, index))
        {
            return "is of version " + FrameDescriptor.frameVersion(buffer, index);
        }
        if (DataHeaderFlyweight.termOffset(buffer, index) != termOffset)
        {
            return "belongs to term offset " + DataHeaderFlyweight.termOffset(buffer, index) + ", not " + termOffset;
        }
        if (FrameDescriptor.frameTermId(buffer, index) != termId)
        {
            return "belongs to term id " + FrameDescriptor.frameTermId(buffer, index) + ", not " + termId;
        }
        if (DataHeaderFlyweight.streamId(buffer, index) != stream.streamId())
        {
            return "belongs to stream " + DataHeaderFlyweight.streamId(buffer, index) + ", not " + stream.streamId();
        }

        return null;
    }

    /**
     * An open recording may end with its last segment full; it may not go on behind one that is missing.
     */
    private boolean failMissingSegment() throws IOException
    {
        if (!stream.isOpen())
        {
            return fail(
                FindingKind.CUT_SHORT,
                "has no segment file for position " + position + ", but its catalog ends at " + stream.stopPosition());
        }

        final long laterBase = stream.segmentBaseAbove(segmentBase);
        return laterBase < 0 ? false : fail(
            FindingKind.HOLE, "has no segment file for position " + position + ", but goes on at " + laterBase);
    }

    private boolean failCut(final long offset) throws IOException
    {
        return fail(
            FindingKind.CUT_SHORT,
            "breaks off at position " + position + ": its segment file ends at byte " + window.fileLength() + " of " +
            stream.segmentLength() + ", " + (window.fileLength() - offset) + " bytes into that frame");
    }

    private boolean fail(final FindingKind kind, final String text)
    {
        isBroken = true;
        if (!isProbing)
        {
            findings.add(kind, memberId, position, name + " " + text);
        }

        return false;
    }
}
