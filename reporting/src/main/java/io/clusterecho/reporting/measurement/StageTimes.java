package io.clusterecho.reporting.measurement;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.HdrHistogram.Histogram;

/**
 * Time of messages in each {@link Stage}. The stages of a message add up to its service time, and so do their means, if each
 * counts by its share of the messages: those with another clock have one stage where the others have two. Written by one thread,
 * read by others once it has ended. Recording does not allocate.
 */
public final class StageTimes
{
    private final Map<Stage, Histogram> histograms = new EnumMap<>(Stage.class);
    private final Histogram toLeader = histogram(Stage.TO_LEADER);
    private final Histogram log = histogram(Stage.LOG);
    private final Histogram quorum = histogram(Stage.QUORUM);
    private final Histogram toService = histogram(Stage.TO_SERVICE);
    private final Histogram toClient = histogram(Stage.TO_CLIENT);
    private final Histogram bothWays = histogram(Stage.BOTH_WAYS);
    private long unstampedCount;
    private long disagreeingCount;

    public StageTimes()
    {
    }

    /**
     * Record a reply with its stage times.
     *
     * @param isSameClock whether the leader's times are from the same clock as send and receive time.
     * @param sendNs      send time.
     * @param takenNs     when the leader read it from its ingress; like the next three, on the leader's clock.
     * @param loggedNs    when the leader's archive had recorded it.
     * @param committedNs when it was committed.
     * @param servedNs    when it was delivered to the service.
     * @param receiveNs   receive time.
     */
    public void onStamps(
        final boolean isSameClock,
        final long sendNs,
        final long takenNs,
        final long loggedNs,
        final long committedNs,
        final long servedNs,
        final long receiveNs)
    {
        final long bothWaysNs = receiveNs - sendNs - (servedNs - takenNs);
        final boolean isInOrder = takenNs <= loggedNs && loggedNs <= committedNs && committedNs <= servedNs && bothWaysNs >= 0;
        if (!isInOrder || isSameClock && (takenNs < sendNs || receiveNs < servedNs))
        {
            disagreeingCount++;
            return;
        }

        log.recordValue(bounded(loggedNs - takenNs));
        quorum.recordValue(bounded(committedNs - loggedNs));
        toService.recordValue(bounded(servedNs - committedNs));
        if (isSameClock)
        {
            toLeader.recordValue(bounded(takenNs - sendNs));
            toClient.recordValue(bounded(receiveNs - servedNs));
        }
        else
        {
            bothWays.recordValue(bounded(bothWaysNs));
        }
    }

    public void onUnstamped()
    {
        unstampedCount++;
    }

    public StageTimes add(final StageTimes other)
    {
        histograms.forEach((stage, histogram) -> histogram.add(other.of(stage)));
        unstampedCount += other.unstampedCount;
        disagreeingCount += other.disagreeingCount;
        return this;
    }

    /** Add counts of replies without complete stage times, and of those whose stage times are out of order. */
    public void addCounts(final long unstamped, final long disagreeing)
    {
        unstampedCount += unstamped;
        disagreeingCount += disagreeing;
    }

    /** Times of all recorded messages in a stage, in ns. */
    public Histogram of(final Stage stage)
    {
        return histograms.get(stage);
    }

    /** Stages in which any message was recorded, in the order of a message's path. */
    public List<Stage> stages()
    {
        return histograms.keySet().stream().filter((stage) -> of(stage).getTotalCount() > 0).toList();
    }

    /** Replies with all stage times. */
    public long stampedCount()
    {
        return log.getTotalCount();
    }

    public long unstampedCount()
    {
        return unstampedCount;
    }

    /** Replies whose stage times are out of order; they are in no stage. */
    public long disagreeingCount()
    {
        return disagreeingCount;
    }

    private Histogram histogram(final Stage stage)
    {
        return histograms.computeIfAbsent(stage, (any) -> TimeRecorder.newHistogram());
    }

    private static long bounded(final long timeNs)
    {
        return Math.min(timeNs, TimeRecorder.MAX_TIME_NS);
    }
}
