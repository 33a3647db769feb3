package io.clusterecho.client.series;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.SnapshotCost;
import io.clusterecho.threads.Uninterrupted;

/**
 * Takes snapshots at an interval during the measured window of a run, on a thread of its own, and writes a row for each member
 * of each snapshot to {@code snapshots.csv}. The first is due one interval after the begin of the window. One that is still due
 * when the one before has ended late is left out.
 */
final class PeriodicSnapshots implements IntervalListener
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final double NS_PER_S = 1e9;

    private final Function<Deadline, List<String>> taker;
    private final long everyNs;
    private final long windowBeginNs;
    private final long windowEndNs;
    private final EvidenceFile file;
    private final List<String> failures = new ArrayList<>();
    private final Thread thread = new Thread(this::takeAll, "snapshots");
    private final CountDownLatch ended = new CountDownLatch(1);
    private long originNs;
    private int leftOutCount;

    /**
     * @param taker         takes a snapshot of all members that run, and waits until they have it; returns the end of a row for
     *                      each. Throws a {@link ControlFailure} if it was not taken. Called by one thread.
     * @param everyNs       from one snapshot to the next, in ns.
     * @param windowBeginNs of the measured window, in ns since the start of the schedule.
     * @throws java.io.UncheckedIOException if the file cannot be written; the message names it.
     */
    PeriodicSnapshots(
        final Function<Deadline, List<String>> taker,
        final long everyNs,
        final long windowBeginNs,
        final long windowEndNs,
        final ResultFolder folder)
    {
        this.taker = taker;
        this.everyNs = everyNs;
        this.windowBeginNs = windowBeginNs;
        this.windowEndNs = windowEndNs;
        file = folder.evidence(SnapshotCost.FILE, SnapshotCost.HEADER);
        thread.setDaemon(true);
    }

    /**
     * Take a snapshot of a cluster; how long its members paused is in their counters.
     *
     * @return of each member: its id, its role when the snapshot was requested, and the time in ns for which its service wrote
     * the snapshot and answered nothing, empty if unknown.
     */
    static List<String> take(final Cluster cluster, final Deadline deadline)
    {
        final Map<Integer, MemberCounters> before = new HashMap<>();
        cluster.members().forEach(
            (member) -> member.counters().ifPresent((counters) -> before.put(member.memberId(), counters)));
        return cluster.takeSnapshot(deadline).stream().map((member) -> row(member, before.get(member.memberId()))).toList();
    }

    private static String row(final ClusterMember member, final MemberCounters before)
    {
        final long beginNs = pauseNs(before);
        final long endNs = pauseNs(member.counters().orElse(null));
        return member.memberId() + (null != before && before.isLeader() ? ",leader," : ",follower,") +
            (beginNs < 0 || endNs < beginNs ? "" : endNs - beginNs);
    }

    private static long pauseNs(final MemberCounters counters)
    {
        return null == counters ? -1 : counters.service().getOrDefault(ServiceCounter.SNAPSHOT_TIME, -1L);
    }

    /** Begins with the first interval, because the start of the schedule is known then. */
    @Override
    public void onInterval(final RunInterval interval)
    {
        begin(interval.startEpochMs());
    }

    void begin(final long startEpochMs)
    {
        if (Thread.State.NEW == thread.getState())
        {
            originNs = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - startEpochMs);
            thread.start();
        }
    }

    /** After the thread has ended. */
    @Override
    public List<String> problems()
    {
        final List<String> problems = new ArrayList<>(file.problems());
        if (!failures.isEmpty())
        {
            problems.add(failures.get(0) + (failures.size() > 1 ? "; " + (failures.size() - 1) + " more failed" : ""));
        }
        if (leftOutCount > 0)
        {
            problems.add(
                leftOutCount + " snapshots were left out, because the one before had not ended: --snapshot-every is " +
                "shorter than a snapshot");
        }
        return problems;
    }

    /** Wait until the present snapshot has ended, take no others, and close the file. */
    @Override
    public void close()
    {
        ended.countDown();
        Uninterrupted.join(thread);
        file.close();
    }

    private void takeAll()
    {
        long dueNs = windowBeginNs + everyNs;
        while (dueNs < windowEndNs &&
            !Uninterrupted.await(originNs + dueNs, (leftNs) -> ended.await(leftNs, TimeUnit.NANOSECONDS)))
        {
            take();
            dueNs += everyNs;
            while (dueNs < Math.min(windowEndNs, nowNs()))
            {
                dueNs += everyNs;
                leftOutCount++;
            }
        }
    }

    private void take()
    {
        final long beginNs = nowNs();
        try
        {
            final List<String> rows = taker.apply(Deadline.in(TIMEOUT_NS));
            final String times = String.format(Locale.ROOT, "%.3f,%.3f,", beginNs / NS_PER_S, nowNs() / NS_PER_S);
            file.append(rows.stream().map((row) -> times + row + "\n").collect(Collectors.joining()), beginNs);
        }
        catch (final RuntimeException ex)
        {
            // Of another kind for instance if counters cannot be read.
            failures.add(String.format(
                Locale.ROOT, "the snapshot at %.1f s failed: %s", beginNs / NS_PER_S,
                ex instanceof ControlFailure ? ex.getMessage().lines().findFirst().orElse("") : ex.toString()));
        }
    }

    private long nowNs()
    {
        return System.nanoTime() - originNs;
    }
}
