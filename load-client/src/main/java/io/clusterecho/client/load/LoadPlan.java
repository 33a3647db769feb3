package io.clusterecho.client.load;

import io.clusterecho.client.schedule.Messages;

/**
 * Plan of a run, complete before the run begins. Rate and counts are those of the whole schedule, even if this client sends
 * only a share of it.
 *
 * @param ratePerSecond     messages per second over all sessions of all clients.
 * @param messages          kinds and lengths.
 * @param warmUpCount       messages before the measured window.
 * @param measuredCount     messages of the measured window.
 * @param sessionCount      sessions of this client, used round-robin.
 * @param drainTimeoutNs    longest wait at the end for replies and for messages that are late in being sent.
 * @param lateAfterNs       response time above which an answer counts as late.
 * @param newestCount       number of messages whose send times are kept.
 * @param delivery          how messages that may be lost are treated.
 * @param share             of this client.
 * @param isStaged          whether replies are to carry stage times.
 */
public record LoadPlan(
    long ratePerSecond,
    Messages messages,
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
     * The plan of a single client that sends messages of one length.
     *
     * @param ratePerSecond  messages per second over all sessions.
     * @param lengthBytes    of a whole message, header included.
     * @param warmUpCount    messages before the measured window.
     * @param measuredCount  messages of the measured window.
     * @param sessionCount   sessions, used round-robin.
     * @param drainTimeoutNs longest wait at the end for replies and for messages that are late in being sent.
     * @param lateAfterNs    response time above which an answer counts as late.
     * @param newestCount    number of messages whose send times are kept.
     * @param delivery       how messages that may be lost are treated.
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
            ratePerSecond, Messages.ofLength(lengthBytes, ratePerSecond), warmUpCount, measuredCount, sessionCount,
            drainTimeoutNs, lateAfterNs, newestCount, delivery, Share.WHOLE, false);
    }

    /**
     * The same plan for another share of the schedule.
     */
    public LoadPlan of(final Share newShare)
    {
        return new LoadPlan(
            ratePerSecond, messages, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, newShare, isStaged);
    }

    /**
     * The same plan with or without stage times.
     */
    public LoadPlan staged(final boolean isNowStaged)
    {
        return new LoadPlan(
            ratePerSecond, messages, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, share, isNowStaged);
    }

    /**
     * The same plan for other messages.
     */
    public LoadPlan sending(final Messages newMessages)
    {
        return new LoadPlan(
            ratePerSecond, newMessages, warmUpCount, measuredCount, sessionCount, drainTimeoutNs, lateAfterNs, newestCount,
            delivery, share, isStaged);
    }

    /**
     * Distance between two messages of one session. Message n of the schedule belongs to session n mod stride, counted over all
     * clients; every {@code share.count()}-th session is this client's.
     *
     * @return number of sessions of all clients.
     */
    public int stride()
    {
        return sessionCount * share.count();
    }

    /**
     * Number of a session of this client among those of all clients, which is also the index of its first message.
     *
     * @param place of the session in this client, from 0.
     */
    public int sessionNumber(final int place)
    {
        return place * share.count() + share.number();
    }

    /**
     * Rate of this client's share, in messages per second.
     */
    public double shareRatePerSecond()
    {
        return (double)ratePerSecond / share.count();
    }

    /**
     * Messages of warm-up and measured window of all clients.
     */
    public long messageCount()
    {
        return warmUpCount + measuredCount;
    }
}
