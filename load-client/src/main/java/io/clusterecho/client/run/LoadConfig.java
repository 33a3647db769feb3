package io.clusterecho.client.run;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.BitUtil;

/**
 * The load.
 *
 * @param ratePerSecond  messages per second over all sessions and clients.
 * @param lengthBytes    of the whole message.
 * @param warmUpNs       load at the same rate before the measured window, in ns.
 * @param drainTimeoutNs longest wait for replies and late sends at the end, in ns.
 * @param lateAfterNs    response time beyond which an answer counts as late, in ns.
 * @param sessionCount   sessions of each client, used round-robin.
 * @param batchLength    messages that are due at the same time.
 * @param arrivals       distribution of the times between messages.
 * @param seed           of Poisson arrivals.
 * @param delivery       how messages that may be lost are treated.
 * @param isStaged       whether replies are to carry stage times.
 * @param ends           rules that end warm-up or measured window before their times, which are then the longest.
 */
public record LoadConfig(
    long ratePerSecond,
    long lengthBytes,
    long warmUpNs,
    long drainTimeoutNs,
    long lateAfterNs,
    int sessionCount,
    int batchLength,
    Arrivals arrivals,
    long seed,
    Delivery delivery,
    boolean isStaged,
    EndRules ends)
{
    /**
     * Maximum number of sessions over all clients.
     */
    public static final int MAX_SESSION_COUNT = 1000;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NEWEST_SECONDS = 60;
    private static final int ASSUMED_MAX_LENGTH = 64 * 1024;

    /** Distribution of the times between messages. */
    public enum Arrivals
    {
        /** Equal. */
        constant,
        /** Exponential. */
        poisson
    }

    /**
     * Checks values that depend on each other.
     *
     * @throws InvalidSettingException if one is not allowed; the message names option, value and what is allowed.
     */
    public LoadConfig
    {
        if (lengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new InvalidSettingException("--size", lengthBytes, "at least " + EchoMessage.MIN_LENGTH + " bytes");
        }
        if (sessionCount > MAX_SESSION_COUNT)
        {
            throw new InvalidSettingException("--connections", sessionCount, "1 to " + MAX_SESSION_COUNT);
        }
    }

    /**
     * A load whose warm-up and measured window have the planned lengths.
     *
     * @param ratePerSecond  messages per second over all sessions and clients.
     * @param lengthBytes    of the whole message.
     * @param warmUpNs       load at the same rate before the measured window, in ns.
     * @param drainTimeoutNs longest wait for replies and late sends at the end, in ns.
     * @param lateAfterNs    response time beyond which an answer counts as late, in ns.
     * @param sessionCount   sessions of each client, used round-robin.
     * @param batchLength    messages that are due at the same time.
     * @param arrivals       distribution of the times between messages.
     * @param seed           of Poisson arrivals.
     * @param delivery       how messages that may be lost are treated.
     * @param isStaged       whether replies are to carry stage times.
     */
    public LoadConfig(
        final long ratePerSecond,
        final long lengthBytes,
        final long warmUpNs,
        final long drainTimeoutNs,
        final long lateAfterNs,
        final int sessionCount,
        final int batchLength,
        final Arrivals arrivals,
        final long seed,
        final Delivery delivery,
        final boolean isStaged)
    {
        this(
            ratePerSecond, lengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged, EndRules.NONE);
    }

    /**
     * The same load with other rules for the ends of warm-up and measured window.
     */
    public LoadConfig withEnds(final EndRules newEnds)
    {
        return new LoadConfig(
            ratePerSecond, lengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged, newEnds);
    }

    /**
     * The same load at another rate.
     *
     * @param newRatePerSecond messages per second.
     */
    LoadConfig withRate(final long newRatePerSecond)
    {
        return new LoadConfig(
            newRatePerSecond, lengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged, ends);
    }

    /**
     * The same load with another message length.
     *
     * @param newLengthBytes of the whole message.
     */
    LoadConfig withLength(final long newLengthBytes)
    {
        return new LoadConfig(
            ratePerSecond, newLengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged, ends);
    }

    /**
     * The same load with another warm-up, of exactly that length.
     *
     * @param newWarmUpNs length in ns.
     */
    LoadConfig withWarmUp(final long newWarmUpNs)
    {
        return new LoadConfig(
            ratePerSecond, lengthBytes, newWarmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged, new EndRules(false, ends.goal()));
    }

    /**
     * Number of messages due in a time.
     */
    public long count(final long timeNs)
    {
        final long seconds = timeNs / NS_PER_SECOND;
        return seconds * ratePerSecond + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * ratePerSecond);
    }

    /**
     * The plan of a run with a single client.
     *
     * @param measuredNs length of the measured window in ns.
     */
    public LoadPlan plan(final long measuredNs)
    {
        return new LoadPlan(
            ratePerSecond, (int)lengthBytes, count(warmUpNs), count(measuredNs), sessionCount, drainTimeoutNs, lateAfterNs,
            newestCount(count(warmUpNs) + count(measuredNs)), delivery).staged(isStaged);
    }

    /**
     * The schedule of a plan.
     *
     * @param plan made by {@link #plan(long)}.
     * @return schedule for one thread.
     */
    public Schedule schedule(final LoadPlan plan)
    {
        final Schedule single = Arrivals.poisson == arrivals ?
            new PoissonSchedule(ratePerSecond, plan.messageCount(), seed) : new ConstantSchedule(ratePerSecond);
        return 1 == batchLength ? single : new BatchedSchedule(single, batchLength);
    }

    /**
     * Term length of the ingress channel: room for at least eight messages, and at least 1 MiB.
     *
     * @return in bytes, a power of two.
     */
    public int ingressTermLength()
    {
        return Math.max(1 << 20, BitUtil.findNextPositivePowerOfTwo((int)Math.min(1 << 27, 8 * (lengthBytes + 1024))));
    }

    /**
     * Check that the accounts of a run fit the heap.
     *
     * @param measuredNs longest measured window in ns.
     * @throws InvalidSettingException if they do not; the message says how much memory is needed.
     */
    public void checkMemory(final long measuredNs)
    {
        final long messageCount = count(warmUpNs) + count(measuredNs);
        final long neededBytes = messageCount / 4 + 16L * newestCount(messageCount);
        final long availableBytes = Runtime.getRuntime().maxMemory() / 2;
        if (neededBytes > availableBytes)
        {
            throw new InvalidSettingException(
                "the length of the run", measuredNs + "ns",
                "short enough that the accounts of " + messageCount + " messages (" + neededBytes +
                " bytes) fit half the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");
        }
    }

    /**
     * Check that the warm-up has a given length, for a command that depends on it.
     *
     * @param command name.
     * @throws InvalidSettingException if it ends by itself.
     */
    public void checkFixedWarmUp(final String command)
    {
        if (ends.isWarmUpAuto())
        {
            throw new InvalidSettingException(
                RunConfig.WARM_UP, "auto",
                "a time with " + command + "; only run and the first trial of max-rate end it by themselves");
        }
    }

    /**
     * Check the message length against the limit of the transport.
     *
     * @param maxLengthBytes limit, or null if unknown.
     * @param isCluster      whether the transport is the cluster.
     * @throws InvalidSettingException if messages are longer.
     */
    public void checkLength(final Long maxLengthBytes, final boolean isCluster)
    {
        final long max = null == maxLengthBytes ? ASSUMED_MAX_LENGTH : maxLengthBytes;
        if (lengthBytes > max)
        {
            throw new InvalidSettingException(
                "--size", lengthBytes, EchoMessage.MIN_LENGTH + " to " + max + " bytes" +
                (isCluster ? " (the cluster's echo.max.message.length)" : ""));
        }
    }

    private int newestCount(final long messageCount)
    {
        return (int)Math.min(
            NEWEST_COUNT_MAX, Math.max(1024, Math.min(messageCount, NEWEST_SECONDS * ratePerSecond)));
    }
}
