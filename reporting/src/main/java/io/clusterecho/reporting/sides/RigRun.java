package io.clusterecho.reporting.sides;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.MemberAbsence;

/**
 * What is known of a run of the load rig of aeron-io/benchmarks beside its histograms.
 *
 * @param warmUpSeconds   before the measured window, at the same rate.
 * @param recordedBefore  bytes that each member had recorded before the run, below 0 if not known; by the member's id.
 * @param recordedAfter   the same after the run.
 */
public record RigRun(
    long ratePerSecond, int lengthBytes, int warmUpSeconds, int windowSeconds, long sentCount, List<Long> recordedBefore,
    List<Long> recordedAfter)
{
    /** Headers of Aeron and of the cluster's session. */
    private static final int HEADER_BYTES = 64;
    private static final int FRAME_ALIGNMENT_BYTES = 32;

    /** Share of the messages that were sent. */
    public double sentShare()
    {
        return sentCount / (double)(ratePerSecond * windowSeconds);
    }

    /**
     * Members that took no part: each recorded less than the one that recorded most, or less than was due if that is less, by
     * more than what is due in the share of the window for which a member may be absent. A member that caught up is not found.
     *
     * @return ids, ascending.
     */
    public List<Integer> absentMembers()
    {
        final long[] growth = IntStream.range(0, recordedAfter.size())
            .mapToLong((id) -> recordedAfter.get(id) - Math.max(0, recordedBefore.get(id))).toArray();
        final long frameBytes =
            (lengthBytes + HEADER_BYTES + FRAME_ALIGNMENT_BYTES - 1L) / FRAME_ALIGNMENT_BYTES * FRAME_ALIGNMENT_BYTES;
        final double bytesPerSecond = (double)ratePerSecond * frameBytes;
        final double dueBytes =
            Math.min(bytesPerSecond * (warmUpSeconds + windowSeconds), Arrays.stream(growth).max().orElse(0));
        return IntStream.range(0, growth.length).filter((id) -> growth[id] <= 0 ||
            dueBytes - growth[id] > MemberAbsence.TOLERANCE * bytesPerSecond * windowSeconds).boxed().toList();
    }

    static String text(final List<Integer> absent)
    {
        return absent.isEmpty() ? "none" : absent.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
}
