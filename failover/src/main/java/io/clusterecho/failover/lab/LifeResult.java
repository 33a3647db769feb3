package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.Quantity;

/**
 * What happened in the life of a cluster besides its cycles. Times are in ns since the start of the schedule.
 *
 * @param purges    in order.
 * @param disk      in order of time.
 * @param mostBytes largest of all samples, also of those that were merged.
 */
public record LifeResult(LifePlan plan, List<Purge> purges, List<DiskSample> disk, long mostBytes)
{
    /**
     * A snapshot and purge of all members and the backup.
     *
     * @param beginNs when it was begun.
     * @param endNs   when it had ended.
     * @param failure why it failed, or empty.
     */
    public record Purge(long beginNs, long endNs, String failure)
    {
    }

    /**
     * Disk use: files of log, snapshots and votes.
     *
     * @param atNs        time of the sample.
     */
    public record DiskSample(long atNs, List<Long> memberBytes, long backupBytes)
    {
        long allBytes()
        {
            return backupBytes + memberBytes.stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Reasons against a good verdict, a sentence each.
     *
     * @param cycles       that were run.
     * @param isEndedEarly whether the end was requested, so that the rest is not missing.
     */
    List<String> problems(final List<Cycle> cycles, final boolean isEndedEarly)
    {
        final List<String> problems = new ArrayList<>();
        if (disk.isEmpty())
        {
            problems.add("the disk use was not measured");
        }
        if (mostBytes > plan.diskBytes())
        {
            problems.add(
                "members and backup had " + mostBytes + " bytes on disk, more than --disk " + plan.diskBytes());
        }
        final int plannedCount = plan.sequence(0).size();
        final long injectedCount = cycles.stream().filter(Cycle::isInjected).count();
        if (injectedCount < plannedCount && !isEndedEarly)
        {
            problems.add("only " + injectedCount + " of " + plannedCount + " planned faults and steps were injected");
        }
        if (!isEndedEarly && purges.stream().noneMatch((purge) -> purge.failure().isEmpty()))
        {
            problems.add(purges.isEmpty() ? "nothing was purged" : "no purge succeeded; the last: " +
                purges.get(purges.size() - 1).failure());
        }
        return problems;
    }

    /**
     * Purges that failed while others succeeded, a sentence each.
     */
    List<String> warnings()
    {
        return purges.stream().filter((purge) -> !purge.failure().isEmpty())
            .map((purge) -> "the purge at " + Quantity.formatNs(purge.beginNs()) + " failed: " + purge.failure()).toList();
    }
}
