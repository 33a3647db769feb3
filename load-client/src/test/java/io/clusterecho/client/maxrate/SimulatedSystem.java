package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A queue with one server: its 99th percentile grows as 1 / (1 - load) and crosses the limit at a known rate. Noise is a factor
 * on that time, and a share of trials that fail at any rate.
 */
final class SimulatedSystem implements RateSearch.Probe
{
    private static final double P99_OF_AN_IDLE_SYSTEM = 0.1;
    private static final double LIMIT = 1;

    private final double knee;
    private final double noise;
    private final double stallShare;
    private final SplittableRandom random;
    private final List<Long> rates = new ArrayList<>();
    private final List<RateSearch.Purpose> purposes = new ArrayList<>();

    SimulatedSystem(final double knee)
    {
        this(knee, 0, 0, 0);
    }

    SimulatedSystem(final double knee, final double noise, final double stallShare, final long seed)
    {
        this.knee = knee;
        this.noise = noise;
        this.stallShare = stallShare;
        random = new SplittableRandom(seed);
    }

    @Override
    public RateSearch.Outcome measure(final long ratePerSecond, final RateSearch.Purpose purpose)
    {
        rates.add(ratePerSecond);
        purposes.add(purpose);
        final double capacity = knee / (1 - P99_OF_AN_IDLE_SYSTEM / LIMIT);
        final double load = ratePerSecond / capacity;
        final double p99 = load >= 1 ? Double.MAX_VALUE :
            P99_OF_AN_IDLE_SYSTEM / (1 - load) * Math.exp(noise * gaussian());
        final boolean isStalled = random.nextDouble() < stallShare;
        return p99 <= LIMIT && !isStalled ? RateSearch.Outcome.PASSED : RateSearch.Outcome.FAILED;
    }

    List<Long> rates()
    {
        return rates;
    }

    List<RateSearch.Purpose> purposes()
    {
        return purposes;
    }

    private double gaussian()
    {
        double sum = -6;
        for (int i = 0; i < 12; i++)
        {
            sum += random.nextDouble();
        }

        return sum;
    }
}
