package io.clusterecho.platform;

import java.util.ArrayList;
import java.util.List;

/** A clock that advances by what somebody waits for, and overflows soon after its start. For one thread. */
public final class SelfAdvancingClock implements WaitClock
{
    private final List<Long> waitsNs = new ArrayList<>();
    private final long maxStepNs;
    private final Runnable onPark;
    private long nowNs = Long.MAX_VALUE - 10;

    /**
     * @param maxStepNs most that it advances for one wait: waits for more end early.
     * @param onPark    called in each wait, after it has advanced.
     */
    public SelfAdvancingClock(final long maxStepNs, final Runnable onPark)
    {
        this.maxStepNs = maxStepNs;
        this.onPark = onPark;
    }

    /** How long each wait so far was to last, in ns. */
    public List<Long> waitsNs()
    {
        return waitsNs;
    }

    public void advance(final long byNs)
    {
        nowNs += byNs;
    }

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    @Override
    public long epochNs()
    {
        return nowNs;
    }

    @Override
    public void park(final long maxNs)
    {
        waitsNs.add(maxNs);
        nowNs += Math.min(maxNs, maxStepNs);
        onPark.run();
    }
}
