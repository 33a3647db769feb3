package io.clusterecho.reporting.measurement;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.HdrHistogram.Histogram;

/**
 * How long messages were in each {@link Stage}. A message that is told of is in all stages or in none: so the stages of a
 * message add up to its service time, and their means to the mean of those. Written by one thread, read by others once
 * that has ended. Recording does not allocate.
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

    /**
     * Nothing recorded.
     */
    public StageTimes()
    {
    }

    /**
     * A reply with the times at which the leader had its message at each stage.
     *
     * @param isSameClock whether the leader's times are of the clock that the first and the last time are of.
     * @param sendNs      send time.
     * @param takenNs     when the leader took it from its ingress; on the leader's clock, as the next three.
     * @param loggedNs    when its archive had it.
     * @param committedNs when it was committed.
     * @param servedNs    when the service was given it.
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

    /**
     * A reply without all times of its stages.
     */
    public void onUnstamped()
    {
        unstampedCount++;
    }

    /**
     * Add what others recorded.
     *
     * @param other of another client.
     */
    public StageTimes add(final StageTimes other)
    {
        histograms.forEach((stage, histogram) -> histogram.add(other.of(stage)));
        unstampedCount += other.unstampedCount;
        disagreeingCount += other.disagreeingCount;
        return this;
    }

    /**
     * Add counts that were recorded elsewhere.
     *
     * @param unstamped   replies without times of stages.
     * @param disagreeing replies whose times were not in order.
     */
    public void addCounts(final long unstamped, final long disagreeing)
    {
        unstampedCount += unstamped;
        disagreeingCount += disagreeing;
    }

    /**
     * Times in a stage.
     *
     * @param stage to tell of.
     * @return in ns; those of all messages that are told of.
     */
    public Histogram of(final Stage stage)
    {
        return histograms.get(stage);
    }

    /**
     * Stages in which any message was.
     *
     * @return in the order of a message's way.
     */
    public List<Stage> stages()
    {
        return histograms.keySet().stream().filter((stage) -> of(stage).getTotalCount() > 0).toList();
    }

    /**
     * Messages whose reply has all times.
     */
    public long stampedCount()
    {
        return log.getTotalCount();
    }

    /**
     * Messages whose reply lacks times of stages.
     */
    public long unstampedCount()
    {
        return unstampedCount;
    }

    /**
     * Messages whose times were not in order, and that are in no stage.
     */
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
