package io.clusterecho.attribution;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import io.clusterecho.settings.IllegalArgument;

import org.HdrHistogram.Histogram;

/**
 * Time of messages in each stage, which is a part between send and receive time. The stages of a message add up to its service
 * time, and so do their means, if each counts by its share of the messages: those with another clock have one stage where the
 * others have two. Written by one thread, read by others once it has ended. Recording does not allocate.
 */
public final class StageTimes
{
    /** To the leader and to the client together, if the leader's clock is not the client's: only the sum is known. */
    public static final Part BOTH_WAYS = Part.UNKNOWN;

    private static final Part[] STAGES =
        { Part.TO_LEADER, Part.LOG, Part.QUORUM, Part.TO_SERVICE, Part.TO_CLIENT, BOTH_WAYS };
    /** A longer time counts as this. */
    private static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(24);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Map<Part, Histogram> histograms = new EnumMap<>(Part.class);
    /** Parts of the newest message, by their ordinal numbers. */
    private final long[] newestNs = new long[Part.values().length];
    private long unstampedCount;
    private long disagreeingCount;

    public StageTimes()
    {
        Stream.of(STAGES).forEach((stage) -> histograms.put(stage, new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS)));
    }

    @JsonCreator
    StageTimes(
        @JsonProperty("unstamped") final long unstampedCount,
        @JsonProperty("disagreeing") final long disagreeingCount,
        @JsonProperty("times") final Map<Part, Histogram> recorded)
    {
        this();
        this.unstampedCount = unstampedCount;
        this.disagreeingCount = disagreeingCount;
        final Map<Part, Histogram> given = Objects.requireNonNullElse(recorded, Map.of());
        IllegalArgument.throwIf(!histograms.keySet().containsAll(given.keySet()), "not stages: " + given.keySet());
        given.forEach((stage, times) -> of(stage).add(times));
    }

    /** Record the stage times of a reply; false if they are out of order, and in no stage. */
    public boolean onStamps(final StageStamps stamps, final long sendNs, final long receiveNs)
    {
        if (!stamps.divide(sendNs, receiveNs, newestNs))
        {
            disagreeingCount++;
            return false;
        }

        for (final Part stage : STAGES)
        {
            final long timeNs = newestNs[stage.ordinal()];
            if (SlowestMessages.UNKNOWN_NS != timeNs)
            {
                of(stage).recordValue(Math.min(timeNs, MAX_TIME_NS));
            }
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
        histograms.forEach((stage, times) -> times.add(other.of(stage)));
        unstampedCount += other.unstampedCount;
        disagreeingCount += other.disagreeingCount;
        return this;
    }

    /** Times of all recorded messages in a stage, in ns. */
    public Histogram of(final Part stage)
    {
        return histograms.get(stage);
    }

    /** Stages in which any message was recorded, in the order of a message's path. */
    public List<Part> stages()
    {
        return Stream.of(STAGES).filter((stage) -> of(stage).getTotalCount() > 0).toList();
    }

    /** Name of a stage for people. */
    public static String label(final Part stage)
    {
        return BOTH_WAYS == stage ? "to leader and to client" : stage.label();
    }

    /** Replies with all stage times. */
    public long stampedCount()
    {
        return of(Part.LOG).getTotalCount();
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
    Map<Part, Histogram> recorded()
    {
        return stages().stream().collect(Collectors.toMap(Function.identity(), this::of));
    }
}
