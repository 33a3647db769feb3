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
 * What is offered.
 *
 * @param ratePerSecond  messages per second over all sessions and clients.
 * @param lengthBytes    of the whole message.
 * @param warmUpNs       load at the same rate before the measured window, in ns.
 * @param drainTimeoutNs longest wait for replies and late sends at the end, in ns.
 * @param lateAfterNs    response time beyond which an answer counts as late, in ns.
 * @param sessionCount   sessions of each client, used round-robin.
 * @param batchLength    messages that are due at the same time.
 * @param arrivals       how the times between messages are distributed.
 * @param seed           of Poisson arrivals.
 * @param delivery       what is done about messages that may be lost.
 * @param isStaged       whether replies say when the leader had their messages where.
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
    boolean isStaged)
{
    /**
     * Most sessions of all clients together.
     */
    public static final int MAX_SESSION_COUNT = 1000;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NEWEST_SECONDS = 60;
    private static final int ASSUMED_MAX_LENGTH = 64 * 1024;

    /** How the times between messages are distributed. */
    public enum Arrivals
    {
        /** Equal. */
        constant,
        /** Exponential. */
        poisson
    }

    /**
     * Checks what no single option can.
     *
     * @throws InvalidSettingException that names option, value and what is allowed.
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
     * The same at another rate.
     *
     * @param newRatePerSecond messages per second.
     */
    LoadConfig withRate(final long newRatePerSecond)
    {
        return new LoadConfig(
            newRatePerSecond, lengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged);
    }

    /**
     * The same with other messages.
     *
     * @param newLengthBytes of the whole message.
     */
    LoadConfig withLength(final long newLengthBytes)
    {
        return new LoadConfig(
            ratePerSecond, newLengthBytes, warmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged);
    }

    /**
     * The same with another warm-up.
     *
     * @param newWarmUpNs in ns.
     */
    LoadConfig withWarmUp(final long newWarmUpNs)
    {
        return new LoadConfig(
            ratePerSecond, lengthBytes, newWarmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed,
            delivery, isStaged);
    }

    /**
     * Messages that are due in a time.
     *
     * @param timeNs in ns.
     */
    public long count(final long timeNs)
    {
        final long seconds = timeNs / NS_PER_SECOND;
        return seconds * ratePerSecond + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * ratePerSecond);
    }

    /**
     * The plan of a run.
     *
     * @param measuredNs length of the measured window in ns.
     * @return the plan of one client that is alone.
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
     * @return a schedule for one thread.
     */
    public Schedule schedule(final LoadPlan plan)
    {
        final Schedule single = Arrivals.poisson == arrivals ?
            new PoissonSchedule(ratePerSecond, plan.messageCount(), seed) : new ConstantSchedule(ratePerSecond);
        return 1 == batchLength ? single : new BatchedSchedule(single, batchLength);
    }

    /**
     * Term length of the ingress channel: eight messages at least fit a term, and no less than 1 MiB.
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
     * @param measuredNs length of the measured window in ns, at the most.
     * @throws InvalidSettingException that says how much is needed.
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
     * Check the length against what the transport takes.
     *
     * @param maxLengthBytes that it allows, or null when that is not known.
     * @param isCluster      whether it is the cluster.
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
