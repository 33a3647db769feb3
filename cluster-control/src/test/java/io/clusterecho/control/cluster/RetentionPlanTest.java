package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.clusterecho.control.member.MemberStorage;

class RetentionPlanTest
{
    private static final int TERM = 64 * 1024;
    private static final int SEGMENT = 256 * 1024;
    private static final long S1 = 2 * SEGMENT + 64;
    private static final long S2 = 5 * SEGMENT + 64;
    private static final long S3 = 9 * SEGMENT + 64;

    @Test
    void shouldKeepTheLogFromTheOldestSnapshotThatIsKept()
    {
        assertPlan(plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), running(2, S1, S2, S3)), S2);
        assertPlan(plan(1, running(0, S1, S2, S3), running(1, S1, S2, S3), running(2, S1, S2, S3)), S3);
    }

    @Test
    void shouldKeepTheWholeLogUntilThereAreEnoughSnapshots()
    {
        assertPlan(plan(2, running(0), running(1), running(2)), 0);
        assertPlan(plan(2, running(0, S1), running(1, S1), running(2, S1)), 0);
        assertPlan(plan(3, running(0, S1, S2), running(1, S1, S2), running(2, S1, S2)), 0);
    }

    @Test
    void shouldFollowTheRunningMemberThatLagsBehindMost()
    {
        assertPlan(plan(2, running(0, S1, S2, S3), running(1, S1, S2), running(2, S1, S2, S3)), S1);
        assertPlan(plan(2, running(0, S1, S2, S3), running(1, S1), running(2, S1, S2, S3)), 0);
    }

    @Test
    void shouldKeepFromTheStartOfAHealedMemberWithOneSnapshot()
    {
        final MemberStorage healed = new MemberStorage(4, SEGMENT, TERM, SEGMENT, snapshots(S3), 0);
        assertPlan(
            plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), new RetentionPlan.Found(2, true, healed)), SEGMENT);
    }

    @Test
    void shouldKeepWhatAMemberThatIsDownHasNotSeen()
    {
        final RetentionPlan plan = plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), down(2, S1));
        assertThat(plan.position()).isEqualTo(S1);
        assertThat(plan.holders()).containsExactly(new RetentionPlan.Holder(2, S1, "its newest snapshot"));
    }

    @Test
    void shouldNotBlameAMemberThatIsDownForWhatStaysAnyway()
    {
        assertPlan(plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), down(2, S1, S2)), S2);
        assertPlan(plan(2, running(0, S1, S2, S3), running(1, S1, S2), down(2, S1)), S1);
        // It needs less than the others keep, because they only delete complete files.
        assertPlan(plan(2, running(0, S2 + 64, S3), running(1, S2 + 64, S3), down(2, S2)), S2 + 64);
    }

    @Test
    void shouldKeepEverythingForAMemberThatIsDownWithoutSnapshotOrLog()
    {
        final RetentionPlan withoutSnapshot = plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), down(2));
        assertThat(withoutSnapshot.position()).isZero();
        assertThat(withoutSnapshot.holders()).containsExactly(new RetentionPlan.Holder(2, 0, "it has no snapshot"));

        final RetentionPlan.Found wiped = new RetentionPlan.Found(
            2, false, new MemberStorage(MemberStorage.NONE, 0, 0, 0, List.of(), 0));
        final RetentionPlan withoutLog = plan(2, running(0, S1, S2, S3), running(1, S1, S2, S3), wiped);
        assertThat(withoutLog.position()).isZero();
        assertThat(withoutLog.holders()).containsExactly(new RetentionPlan.Holder(2, 0, "it has no log"));
    }

    @Test
    void shouldKeepEverythingForAMemberThatCannotBeRead()
    {
        final RetentionPlan plan = plan(
            2, running(0, S1, S2, S3), running(1, S1, S2, S3), new RetentionPlan.Found(2, false, null));
        assertThat(plan.position()).isZero();
        assertThat(plan.holders()).containsExactly(new RetentionPlan.Holder(2, 0, "what it has cannot be read"));
        assertThat(plan(2, running(0, S1, S2, S3), new RetentionPlan.Found(1, true, null)).position()).isZero();
    }

    @Test
    void shouldNameEachHolderAndKeepForTheLowest()
    {
        final RetentionPlan plan = plan(1, running(0, S3), down(1, S2), down(2, S1));
        assertThat(plan.position()).isEqualTo(S1);
        assertThat(plan.holders()).extracting(RetentionPlan.Holder::memberId).containsExactly(1, 2);
    }

    private static void assertPlan(final RetentionPlan plan, final long position)
    {
        assertThat(plan).isEqualTo(new RetentionPlan(position, List.of()));
    }

    private static RetentionPlan plan(final int snapshotCount, final RetentionPlan.Found... found)
    {
        return RetentionPlan.of(List.of(found), snapshotCount);
    }

    private static RetentionPlan.Found running(final int memberId, final long... positions)
    {
        return new RetentionPlan.Found(memberId, true, storage(positions));
    }

    private static RetentionPlan.Found down(final int memberId, final long... positions)
    {
        return new RetentionPlan.Found(memberId, false, storage(positions));
    }

    private static MemberStorage storage(final long... positions)
    {
        return new MemberStorage(0, 0, TERM, SEGMENT, snapshots(positions), 0);
    }

    private static List<MemberStorage.Snapshot> snapshots(final long... positions)
    {
        return Arrays.stream(positions).mapToObj((position) -> new MemberStorage.Snapshot(position, List.of(1L, 2L))).toList();
    }
}
