package io.clusterecho.attribution;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.HdrHistogram.Histogram;

/**
 * Time of messages in each {@link Stage}. The stages of a message add up to its service time, and so do their means, if each
 * counts by its share of the messages: those with another clock have one stage where the others have two. Written by one thread,
 * read by others once it has ended. Recording does not allocate.
 */
public final class StageTimes
{
    private static final Stage[] STAGES = Stage.values();
    /** A longer time counts as this. */
    private static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(24);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram[] histograms =
        Stream.generate(() -> new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS)).limit(STAGES.length).toArray(Histogram[]::new);
    private long unstampedCount;
    private long disagreeingCount;

    public StageTimes()
    {
    }

    @JsonCreator
    StageTimes(
        @JsonProperty("unstamped") final long unstampedCount,
        @JsonProperty("disagreeing") final long disagreeingCount,
        @JsonProperty("times") final Map<Stage, Histogram> recorded)
    {
        this.unstampedCount = unstampedCount;
        this.disagreeingCount = disagreeingCount;
        Objects.requireNonNullElse(recorded, Map.<Stage, Histogram>of()).forEach((stage, times) -> of(stage).add(times));
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
     * @return whether they are in order; else they are in no stage.
     */
    public boolean onStamps(
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
            return false;
        }

        record(Stage.LOG, loggedNs - takenNs);
        record(Stage.QUORUM, committedNs - loggedNs);
        record(Stage.TO_SERVICE, servedNs - committedNs);
        if (isSameClock)
        {
            record(Stage.TO_LEADER, takenNs - sendNs);
            record(Stage.TO_CLIENT, receiveNs - servedNs);
        }
        else
        {
            record(Stage.BOTH_WAYS, bothWaysNs);
        }
        return true;
    }

    /** Replies have no times, or, below 0, got them after all. */
    public void onUnstamped(final int count)
    {
        unstampedCount += count;
    }

    public StageTimes add(final StageTimes other)
    {
        Stream.of(STAGES).forEach((stage) -> of(stage).add(other.of(stage)));
        unstampedCount += other.unstampedCount;
        disagreeingCount += other.disagreeingCount;
        return this;
    }

    /** Times of all recorded messages in a stage, in ns. */
    public Histogram of(final Stage stage)
    {
        return histograms[stage.ordinal()];
    }

    /** Stages in which any message was recorded, in the order of a message's path. */
    public List<Stage> stages()
    {
        return Stream.of(STAGES).filter((stage) -> of(stage).getTotalCount() > 0).toList();
    }

    /** Replies with all stage times. */
    public long stampedCount()
    {
        return of(Stage.LOG).getTotalCount();
    }

    @JsonProperty("unstamped")
    public long unstampedCount()
    {
        return unstampedCount;
    }

    /** Replies whose stage times are out of order; they are in no stage. */
    @JsonProperty("disagreeing")
    public long disagreeingCount()
    {
        return disagreeingCount;
    }

    @JsonProperty("times")
    Map<Stage, Histogram> recorded()
    {
        return stages().stream().collect(Collectors.toMap(Function.identity(), this::of));
    }

    private void record(final Stage stage, final long timeNs)
    {
        of(stage).recordValue(Math.min(timeNs, MAX_TIME_NS));
    }
}
