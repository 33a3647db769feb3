package io.clusterecho.client.run;

import java.util.List;
import java.util.Locale;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantRate;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.MergedSchedule;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.BitUtil;

/**
 * The load.
 *
 * @param rate           messages per second over all sessions and clients, constant or varying.
 * @param warmUpNs       load at the first rate before the measured window, in ns.
 * @param drainTimeoutNs longest wait for replies and late sends at the end, in ns.
 * @param lateAfterNs    response time beyond which an answer counts as late, in ns.
 * @param sessionCount   sessions of each client, used round-robin.
 * @param batchLength    messages that are due at the same time.
 * @param seed           of Poisson arrivals, and of kinds and lengths that are drawn.
 * @param ends           rules that end warm-up or measured window before their times, which are then the longest.
 */
public record LoadConfig(
    RateProfile rate,
    MixConfig mix,
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
    /** Maximum number of sessions over all clients. */
    public static final int MAX_SESSION_COUNT = 1000;

    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NEWEST_SECONDS = 60;
    /** The next message, one that is sent again, and the payload of both. */
    private static final long BUFFERS_OF_SESSION = 3;
    private static final int DEFAULT_MAX_LENGTH = 64 * 1024;

    /** Distribution of the times between messages. */
    public enum Arrivals
    {
        constant,
        poisson
    }

    public LoadConfig
    {
        InvalidSettingException.throwIf(
            sessionCount > MAX_SESSION_COUNT, "--connections", sessionCount, "1 to " + MAX_SESSION_COUNT);
    }

    LoadConfig withEnds(final EndRules newEnds)
    {
        return with(rate, mix, warmUpNs, newEnds);
    }

    LoadConfig withRate(final RateProfile newRate)
    {
        return with(newRate, mix.withRate(newRate), warmUpNs, ends);
    }

    LoadConfig withLength(final long newLengthBytes)
    {
        return with(rate, mix.withLength(newLengthBytes), warmUpNs, ends);
    }

    /** The same load with another warm-up, of exactly that length. */
    LoadConfig withWarmUp(final long newWarmUpNs)
    {
        return with(rate, mix, newWarmUpNs, EndRules.of(ends.goal()));
    }

    private LoadConfig with(
        final RateProfile newRate, final MixConfig newMix, final long newWarmUpNs, final EndRules newEnds)
    {
        return new LoadConfig(
            newRate, newMix, newWarmUpNs, drainTimeoutNs, lateAfterNs, sessionCount, batchLength, arrivals, seed, delivery,
            isStaged, newEnds);
    }

    /** The rate where it must be constant. */
    public long ratePerSecond()
    {
        InvalidSettingException.throwIf(
            !rate.isConstant(), "--rate", rate,
            "a constant rate, such as 10k: only a single run and overload take one that varies");

        return rate.firstRatePerSecond();
    }

    public long count(final long measuredNs)
    {
        return rate.messageCount(measuredNs);
    }

    /** As {@link #count}, with the messages of the warm-up before it. */
    long countWithWarmUp(final long measuredNs)
    {
        return warmUpCount() + count(measuredNs);
    }

    private long warmUpCount()
    {
        final long count = new ConstantRate(rate.firstRatePerSecond()).messageCount(warmUpNs);
        // The measured window begins with a whole batch.
        return (count + batchLength - 1) / batchLength * batchLength;
    }

    /** Check that a trace is as long as the measured window. */
    public void checkTrace(final long measuredNs)
    {
        if (null != mix.trace() && mix.trace().lengthNs() < measuredNs)
        {
            throw new InvalidSettingException(
                "--duration", measuredNs + "ns", "at most " + mix.trace().lengthNs() +
                "ns, the length of the trace at its speed, or more with --trace-repeat");
        }
    }

    public LoadPlan plan(final long measuredNs)
    {
        final long warmUpCount = warmUpCount();
        final long measuredCount = count(measuredNs);
        final LoadPlan plan = new LoadPlan(
            rate.firstRatePerSecond(), EchoMessage.MIN_LENGTH, warmUpCount, measuredCount, sessionCount, drainTimeoutNs,
            lateAfterNs, newestCount(warmUpCount + measuredCount), delivery).staged(isStaged);
        final LoadPlan timed = rate.isConstant() ? plan : plan.over(plan.warmUpNs(), measuredNs);
        return timed.sending(null == mix.trace() ? messages(timed.ratePerSecond()) :
            mix.trace().messages(warmUpCount, measuredCount, measuredNs));
    }

    /** The schedule of a plan that {@link #plan(long)} made, for one thread. */
    public Schedule schedule(final LoadPlan plan)
    {
        final Schedule single = rate.isConstant() ? constant(plan) : varying(plan);
        return 1 == batchLength ? single : new BatchedSchedule(single, batchLength);
    }

    private Schedule constant(final LoadPlan plan)
    {
        final long ratePerSecond = rate.firstRatePerSecond();
        if (Arrivals.poisson == arrivals)
        {
            return new PoissonSchedule(ratePerSecond, plan.messageCount(), seed);
        }

        return mix.isOfKinds() ? new MergedSchedule(mix.ratesPerSecond()) : new ConstantSchedule(ratePerSecond);
    }

    private Schedule varying(final LoadPlan plan)
    {
        return Arrivals.poisson == arrivals ?
            new ProfiledSchedule(rate, plan.warmUpCount(), new PoissonSchedule(1, plan.messageCount(), seed)) :
            new ProfiledSchedule(rate, plan.warmUpCount());
    }

    /**
     * The messages. Kinds with their own rates are in fixed order if arrivals are constant; otherwise the kind of each message is
     * drawn, so that Poisson arrivals of the whole are Poisson arrivals of each kind.
     *
     * @return with the rates of the kinds at the highest rate of the load.
     */
    public Messages messages()
    {
        return null == mix.trace() ? messages(rate.highestRatePerSecond()) : mix.trace().messages();
    }

    private Messages messages(final long ratePerSecond)
    {
        return mix.messages(ratePerSecond, Arrivals.constant == arrivals, seed);
    }

    public long maxLengthBytes()
    {
        return mix.maxLengthBytes();
    }

    /** Term length of the ingress channel in bytes: room for at least eight messages, and at least 1 MiB. */
    public int ingressTermLength()
    {
        return Math.max(1 << 20, BitUtil.findNextPositivePowerOfTwo((int)Math.min(1 << 27, 8 * (maxLengthBytes() + 1024))));
    }

    /** Check that the accounts of a run fit the heap. */
    public void checkMemory(final long measuredNs)
    {
        final long messageCount = countWithWarmUp(measuredNs);
        final long neededBytes =
            messageCount / 4 + 16L * newestCount(messageCount) + BUFFERS_OF_SESSION * maxLengthBytes() * sessionCount;
        final long availableBytes = Runtime.getRuntime().maxMemory() / 2;
        InvalidSettingException.throwIf(
            neededBytes > availableBytes, "the length of the run", measuredNs + "ns",
            "short enough that the accounts of " + messageCount + " messages and the buffers of " + sessionCount + " sessions (" +
            neededBytes + " bytes) fit half the heap (" + availableBytes + " bytes); give the JVM more with -Xmx");
    }

    /** Check that the warm-up has a given length, for a command that depends on it. */
    public void checkFixedWarmUp(final String command)
    {
        InvalidSettingException.throwIf(
            ends.isWarmUpAuto(), RunConfig.WARM_UP, "auto",
            "a time with " + command + "; only run, ping-pong and the first trial of max-rate end it by themselves");
    }

    /**
     * Check the message length against the limit of the transport. If that is not known here, as with a cluster elsewhere, the
     * longest message that Aeron can send is allowed.
     *
     * @param maxLengthBytes limit, or null if unknown.
     * @param isCluster      whether the transport is the cluster.
     */
    public void checkLength(final Long maxLengthBytes, final boolean isCluster)
    {
        InvalidSettingException.throwIf(
            null != maxLengthBytes && maxLengthBytes() > maxLengthBytes, mix.isOfKinds() ? "--kind" : "--size", maxLengthBytes(),
            EchoMessage.MIN_LENGTH + " to " + maxLengthBytes + (isCluster ? " bytes (the cluster's echo.max.message.length)" :
            " bytes (the limit of the transport)"));
    }

    /** A warning about messages that the members may ignore, as their limit is unknown, if any is longer than its default. */
    List<String> lengthWarnings()
    {
        return maxLengthBytes() <= DEFAULT_MAX_LENGTH ? List.of() : List.of(String.format(
            Locale.ROOT, "the echo.max.message.length of the members is not known here: they ignore longer messages, and its " +
            "default of %,d bytes is less than the %,d of the longest message", DEFAULT_MAX_LENGTH, maxLengthBytes()));
    }

    private int newestCount(final long messageCount)
    {
        return (int)Math.min(
            NEWEST_COUNT_MAX, Math.max(1024, Math.min(messageCount, NEWEST_SECONDS * rate.highestRatePerSecond())));
    }
}
