package io.clusterecho.failover.lab;

import io.clusterecho.client.load.LoadView;

/** Replies of a running load in a second. Not thread-safe. Times are in ns on the clock of the load. */
final class TrafficWindow
{
    private static final long LENGTH_NS = 1_000_000_000L;

    private final LoadView load;
    private final long ratePerSecond;
    private long beginNs;
    private long answeredBefore;

    TrafficWindow(final LoadView load, final long ratePerSecond)
    {
        this.load = load;
        this.ratePerSecond = ratePerSecond;
    }

    void begin(final long nowNs)
    {
        beginNs = nowNs;
        answeredBefore = load.answeredCount();
    }

    boolean isOver(final long nowNs)
    {
        return nowNs - beginNs >= LENGTH_NS;
    }

    /** Messages answered since the begin, as a share of those that were due. */
    double share(final long nowNs)
    {
        return (load.answeredCount() - answeredBefore) * 1e9 / (nowNs - beginNs) / ratePerSecond;
    }

    boolean hasReplies()
    {
        return load.answeredCount() > answeredBefore;
    }

    /** Whether echoes come again after a fault. Those in flight at it do not count: without a leader none follow them. */
    boolean isTrafficBack(final long nowNs, final long faultNs)
    {
        return nowNs - faultNs > LENGTH_NS && nowNs - load.lastEchoNs() < LENGTH_NS / 10 + 3 * 1_000_000_000L / ratePerSecond;
    }
}
