package io.clusterecho.node.member;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The decision that a member ends, and its reason. The first decision is final. Thread-safe. */
public final class MemberEnd
{
    /** Why a member ends. */
    public record Decision(ExitStatus status, String reason)
    {
    }

    private static final Decision UNDECIDED = new Decision(ExitStatus.OTHER, "unknown");

    private final AtomicReference<Decision> decision = new AtomicReference<>(UNDECIDED);
    private final CountDownLatch decided = new CountDownLatch(1);

    /** End the member, unless that is already decided. */
    public void decide(final ExitStatus status, final String reason)
    {
        if (decision.compareAndSet(UNDECIDED, new Decision(status, reason)))
        {
            decided.countDown();
        }
    }

    /** Whether the end is decided. */
    public boolean isDecided()
    {
        return UNDECIDED != decision.get();
    }

    /** The decision; an unknown error if there is none yet. */
    public Decision decision()
    {
        return decision.get();
    }

    /** Wait at most for a time in ns until the end is decided; returns whether it was. */
    public boolean await(final long timeoutNs) throws InterruptedException
    {
        return decided.await(timeoutNs, TimeUnit.NANOSECONDS);
    }
}
