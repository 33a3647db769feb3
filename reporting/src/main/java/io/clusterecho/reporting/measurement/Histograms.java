package io.clusterecho.reporting.measurement;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import io.clusterecho.platform.StallMeter;

import org.HdrHistogram.Histogram;

/** A histogram of each {@link Time}. Each is a third of a megabyte, so empty ones are neither copied nor cleared. */
public final class Histograms
{
    private static final Time[] TIMES = Time.values();

    private final Histogram[] histograms = new Histogram[TIMES.length];

    public Histograms()
    {
        this(Map.of());
    }

    /** @param recorded kept, not copied; the others are empty. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Histograms(final Map<Time, Histogram> recorded)
    {
        for (final Time time : TIMES)
        {
            final Histogram given = recorded.get(time);
            histograms[time.ordinal()] = null != given ? given :
                Time.STALL == time ? StallMeter.newHistogram() : TimeRecorder.newHistogram();
        }
    }

    public Histogram of(final Time time)
    {
        return histograms[time.ordinal()];
    }

    /** Those in which anything was recorded. */
    @JsonValue
    Map<Time, Histogram> recorded()
    {
        final Map<Time, Histogram> recorded = new EnumMap<>(Time.class);
        Stream.of(TIMES).filter((time) -> of(time).getTotalCount() > 0).forEach((time) -> recorded.put(time, of(time)));
        return recorded;
    }

    public Histograms add(final Time time, final Histogram histogram)
    {
        if (histogram.getTotalCount() > 0)
        {
            of(time).add(histogram);
        }
        return this;
    }

    public Histograms add(final Histograms other)
    {
        Stream.of(TIMES).forEach((time) -> add(time, other.of(time)));
        return this;
    }

    public void reset()
    {
        for (final Histogram histogram : histograms)
        {
            if (histogram.getTotalCount() > 0)
            {
                histogram.reset();
            }
        }
    }
}
