package io.clusterecho.client.load;

/**
 * What a run offers. All of it is known before it begins. Rate and counts are those of the whole schedule, also where this
 * client offers a share of it.
 *
 * @param ratePerSecond     messages per second, all sessions of all clients together.
 * @param lengthBytes       of a whole message, header included.
 * @param warmUpCount       messages before the measured window.
 * @param measuredCount     messages of the measured window.
 * @param sessionCount      sessions of this client that take turns.
 * @param drainTimeoutNs    how long replies, and messages that are late in being sent, are waited for at the end.
 * @param lateAfterNs       response time from which an answer counts as late.
 * @param newestCount       messages whose send times are remembered.
 * @param delivery          what is done about messages that may be lost.
 * @param share             of this client.
 * @param isStaged          whether replies are to tell when the leader had their messages where.
 */
public record LoadPlan(
    long ratePerSecond,
    int lengthBytes,
    long warmUpCount,
    long measuredCount,
    int sessionCount,
    long drainTimeoutNs,
    long lateAfterNs,
    int newestCount,
    Delivery delivery,
    Share share,
    boolean isStaged)
{
    /**
     * The plan of a client that is alone.
     *
     * @param ratePerSecond  messages per second, all sessions together.
     * @param lengthBytes    of a whole message, header included.
     * @param warmUpCount    messages before the measured window.
     * @param measuredCount  messages of the measured window.
     * @param sessionCount   sessions that take turns.
     * @param drainTimeoutNs how long replies, and messages that are late in being sent, are waited for at the end.
     * @param lateAfterNs    response time from which an answer counts as late.
     * @param newestCount    messages whose send times are remembered.
     * @param delivery       what is done about messages that may be lost.
     */
    public LoadPlan(
        final long ratePerSecond,
        final int lengthBytes,
        final long warmUpCount,
        final long measuredCount,
        final int sessionCount,
        final long drainTimeoutNs,
        final long lateAfterNs,
        final int newestCount,
        final Delivery delivery)
    {
        this(
            ratePerSecond, lengthBytes, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, Share.WHOLE, false);
    }

    /**
     * The same plan with another share.
     *
     * @param newShare of the schedule.
     * @return the plan of one of several clients.
     */
    public LoadPlan of(final Share newShare)
    {
        return new LoadPlan(
            ratePerSecond, lengthBytes, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, newShare, isStaged);
    }

    /**
     * The same plan, with stages or without.
     *
     * @param isNowStaged whether replies are to tell when the leader had their messages where.
     */
    public LoadPlan staged(final boolean isNowStaged)
    {
        return new LoadPlan(
            ratePerSecond, lengthBytes, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, share, isNowStaged);
    }

    /**
     * Distance between two messages of one session: message n of the schedule goes to session n mod stride, counted over all
     * clients, of which every {@code share.count()}-th is this client's.
     *
     * @return sessions of all clients.
     */
    public int stride()
    {
        return sessionCount * share.count();
    }

    /**
     * A session of this client among those of all clients.
     *
     * @param place of it in this client, from 0.
     * @return its number, which is also the index of its first message.
     */
    public int sessionNumber(final int place)
    {
        return place * share.count() + share.number();
    }

    /**
     * Rate of this client's share.
     *
     * @return messages per second.
     */
    public double shareRatePerSecond()
    {
        return (double)ratePerSecond / share.count();
    }

    /**
     * Messages of warm-up and measured window together, of all clients.
     */
    public long messageCount()
    {
        return warmUpCount + measuredCount;
    }
}
