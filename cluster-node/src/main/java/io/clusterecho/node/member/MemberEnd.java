package io.clusterecho.node.member;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one decision that a member ends, and why. The first reason given stays. Any thread may call any method.
 */
public final class MemberEnd
{
    /**
     * Why a member ends.
     *
     * @param status of the process.
     * @param reason in words.
     */
    public record Decision(ExitStatus status, String reason)
    {
    }

    private final AtomicReference<Decision> decision = new AtomicReference<>();
    private final CountDownLatch decided = new CountDownLatch(1);

    /**
     * End the member, unless that was decided before.
     *
     * @param status of the process.
     * @param reason in words.
     */
    public void decide(final ExitStatus status, final String reason)
    {
        if (decision.compareAndSet(null, new Decision(status, reason)))
        {
            decided.countDown();
        }
    }

    /**
     * Whether the end was decided.
     *
     * @return true from the first call of {@link #decide(ExitStatus, String)} on.
     */
    public boolean isDecided()
    {
        return null != decision.get();
    }

    /**
     * What was decided.
     *
     * @return the decision, or null as long as there is none.
     */
    public Decision decision()
    {
        return decision.get();
    }

    /**
     * Wait until the end is decided, but not for ever.
     *
     * @param timeoutNs in ns.
     * @return whether it was decided in time.
     * @throws InterruptedException if the waiting thread is interrupted.
     */
    public boolean await(final long timeoutNs) throws InterruptedException
    {
        return decided.await(timeoutNs, TimeUnit.NANOSECONDS);
    }
}
