package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Samples of the disk use of members and backup, of which the largest of each span is kept. Files that are being replaced cannot
 * be read: they count as in the sample before. Any thread.
 */
final class DiskSamples
{
    /** Spans of the expected time. */
    static final int MAX_COUNT = 720;

    private final List<Store> members;
    private final Store backup;
    private final long intervalNs;
    private final long spanNs;
    private final List<LifeResult.DiskSample> kept = new ArrayList<>();
    private long spanEndNs = Long.MIN_VALUE;
    private long mostBytes;

    /**
     * No samples yet.
     *
     * @param members    disk use of each member, in bytes.
     * @param intervalNs between two samples.
     * @param durationNs expected, in ns: about {@value #MAX_COUNT} samples are kept.
     */
    DiskSamples(final List<LongSupplier> members, final LongSupplier backup, final long intervalNs, final long durationNs)
    {
        this.members = IntStream.range(0, members.size()).mapToObj((id) -> new Store("member " + id, members.get(id))).toList();
        this.backup = new Store("the backup", backup);
        this.intervalNs = intervalNs;
        spanNs = Math.max(intervalNs, durationNs / MAX_COUNT);
    }

    /**
     * Take a sample.
     *
     * @param atNs time in ns since the start of the schedule.
     */
    synchronized void take(final long atNs)
    {
        final LifeResult.DiskSample sample =
            new LifeResult.DiskSample(atNs, members.stream().map(Store::length).toList(), backup.length());
        mostBytes = Math.max(mostBytes, sample.allBytes());
        final int last = kept.size() - 1;
        if (atNs >= spanEndNs)
        {
            kept.add(sample);
            spanEndNs = atNs + spanNs - intervalNs / 2;
        }
        else if (sample.allBytes() > kept.get(last).allBytes())
        {
            kept.set(last, sample);
        }
    }

    /**
     * Those that are kept, in order of time.
     */
    synchronized List<LifeResult.DiskSample> kept()
    {
        return List.copyOf(kept);
    }

    /**
     * Largest disk use of all samples, in bytes.
     */
    synchronized long mostBytes()
    {
        return mostBytes;
    }

    /**
     * What could not be read in most samples, a sentence each: the largest disk use may be missing.
     */
    synchronized List<String> problems()
    {
        final List<String> problems = new ArrayList<>();
        members.forEach((member) -> member.addProblem(problems));
        backup.addProblem(problems);
        return problems;
    }

    private static final class Store
    {
        private final String name;
        private final LongSupplier bytes;
        private long lastBytes;
        private long sampleCount;
        private long failureCount;
        private RuntimeException failure;

        private Store(final String name, final LongSupplier bytes)
        {
            this.name = name;
            this.bytes = bytes;
        }

        private long length()
        {
            sampleCount++;
            try
            {
                lastBytes = bytes.getAsLong();
            }
            catch (final RuntimeException ex)
            {
                failureCount++;
                failure = ex;
            }
            return lastBytes;
        }

        private void addProblem(final List<String> problems)
        {
            if (2 * failureCount > sampleCount)
            {
                problems.add(
                    "the disk use of " + name + " could not be read in " + failureCount + " of " + sampleCount +
                    " samples; the last time: " + Victims.message(failure));
            }
        }
    }
}
