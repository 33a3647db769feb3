package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.aeron.cluster.codecs.ClusterTimeUnit;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.member.MemberSeed;

class LogTermsTest
{
    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final MemberStorage STORAGE = new MemberStorage(7, 0, SEGMENT_LENGTH, SEGMENT_LENGTH, List.of(), 0);

    @TempDir
    private Path dir;

    private final UnsafeBuffer log = new UnsafeBuffer(new byte[2 * SEGMENT_LENGTH]);
    private int end;

    @Test
    void shouldFindEachTermThatBeginsInTheLog() throws IOException
    {
        term(0, 5);
        fill(1_000);
        term(1, 6);
        // Across the end of the first file.
        fill(SEGMENT_LENGTH - end);
        final int begin = end;
        term(4, 7);
        fill(2_000);
        write();

        assertThat(LogTerms.between(dir, STORAGE, 0, end)).extracting(MemberSeed.Term::id).containsExactly(0L, 1L, 4L);
        assertThat(LogTerms.between(dir, STORAGE, 96, end)).extracting(MemberSeed.Term::id).containsExactly(1L, 4L);
        assertThat(LogTerms.between(dir, STORAGE, begin, end)).containsExactly(new MemberSeed.Term(4, begin, 7));
        assertThat(LogTerms.between(dir, STORAGE, 0, begin)).hasSize(2);
    }

    @Test
    void shouldRefuseALogThatEndsEarlier() throws IOException
    {
        term(0, 5);
        write();

        assertThatThrownBy(() -> LogTerms.between(dir, STORAGE, 0, end + 32)).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("at position " + end).hasMessageContaining("no frame");
        Files.delete(dir.resolve("7-0.rec"));
        assertThatThrownBy(() -> LogTerms.between(dir, STORAGE, 0, end)).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("7-0.rec");
    }

    private void term(final long id, final long timestamp)
    {
        final int base = end;
        new NewLeadershipTermEventEncoder().wrapAndApplyHeader(
            log, end + DataHeaderFlyweight.HEADER_LENGTH, new MessageHeaderEncoder())
            .leadershipTermId(id).logPosition(base).timestamp(timestamp).termBaseLogPosition(base).leaderMemberId(0)
            .logSessionId(1).timeUnit(ClusterTimeUnit.MILLIS).appVersion(0);
        frame(MessageHeaderEncoder.ENCODED_LENGTH + NewLeadershipTermEventEncoder.BLOCK_LENGTH);
    }

    private void fill(final int length)
    {
        final int to = end + BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
        while (end < to)
        {
            final int left = to - end;
            new SessionMessageHeaderEncoder().wrapAndApplyHeader(
                log, end + DataHeaderFlyweight.HEADER_LENGTH, new MessageHeaderEncoder()).leadershipTermId(9);
            frame(Math.min(left, 352) - DataHeaderFlyweight.HEADER_LENGTH);
        }
    }

    private void frame(final int payloadLength)
    {
        final int length = DataHeaderFlyweight.HEADER_LENGTH + payloadLength;
        final DataHeaderFlyweight header = new DataHeaderFlyweight();
        header.wrap(log, end, DataHeaderFlyweight.HEADER_LENGTH);
        header.frameLength(length).headerType(DataHeaderFlyweight.HDR_TYPE_DATA).flags(FrameDescriptor.UNFRAGMENTED);
        end += BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
    }

    private void write() throws IOException
    {
        for (int base = 0; base < end; base += SEGMENT_LENGTH)
        {
            final byte[] bytes = new byte[SEGMENT_LENGTH];
            log.getBytes(base, bytes);
            Files.write(dir.resolve("7-" + base + ".rec"), bytes);
        }
    }
}
