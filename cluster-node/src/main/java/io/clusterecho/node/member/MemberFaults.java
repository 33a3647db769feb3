package io.clusterecho.node.member;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronEvent;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.StorageSpaceException;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.Quantity;

/**
 * Receives every error of the components, reports it, and decides which errors end the member and with what status. The first
 * decision is final. Thread-safe.
 */
final class MemberFaults
{
    private static final Decision UNDECIDED = new Decision(ExitStatus.OTHER, "unknown");
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long EXPLANATION_NS = TimeUnit.SECONDS.toNanos(1);
    // Longer than 10 s, the time that a leader waits for the others in a clean shutdown.
    private static final long SETTLEMENT_NS = TimeUnit.SECONDS.toNanos(13);
    private static final int MAX_KINDS = 500;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;
    static final int MIN_FAILURES = 20;
    static final long MIN_DURATION_NS = 10 * NS_PER_S;
    /** After this time without a failure of the election the next one is the first. */
    static final long QUIET_NS = 5 * NS_PER_S;

    enum Component
    {
        DRIVER, ARCHIVE, CONSENSUS_MODULE, SERVICE, BACKUP;

        private final String text = name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    record Decision(ExitStatus status, String reason)
    {
    }

    /** An error that ends the member only if a component terminates without another. */
    private record Failure(Throwable error, String reason)
    {
    }

    private final AtomicReference<Decision> decision = new AtomicReference<>(UNDECIDED);
    private final CountDownLatch decided = new CountDownLatch(1);
    private final PrintStream out;
    private final Clock timeOfDay;
    private final NanoClock clock;
    private final Map<String, Long> countByKind = new HashMap<>();
    private final long heartbeatTimeoutNs;
    private final Damage damage = new Damage();
    private final AtomicReference<Failure> lastFailure = new AtomicReference<>();
    private int electionFailureCount;
    private long firstElectionFailureNs;
    private long lastElectionFailureNs;
    private volatile String foreignDamage = "";
    /** Whether a component has terminated: the member ends, with a reason that follows or without one. */
    volatile boolean isTerminating;
    private volatile long reasonDeadlineNs;

    /** @param heartbeatTimeoutNs how long the others wait for this member, in ns. */
    MemberFaults(final PrintStream out, final Clock timeOfDay, final NanoClock clock, final long heartbeatTimeoutNs)
    {
        this.out = out;
        this.timeOfDay = timeOfDay;
        this.clock = clock;
        this.heartbeatTimeoutNs = heartbeatTimeoutNs;
    }

    /** End the member, unless that is already decided. */
    void decide(final ExitStatus status, final String reason)
    {
        if (decision.compareAndSet(UNDECIDED, new Decision(status, reason)))
        {
            decided.countDown();
        }
    }

    boolean isDecided()
    {
        return UNDECIDED != decision.get();
    }

    /** The decision; an unknown error if there is none yet. */
    Decision decision()
    {
        return decision.get();
    }

    /** Wait until the end is decided; decides it itself if a component has terminated and no reason follows. */
    void awaitEnd() throws InterruptedException
    {
        while (!decided.await(POLL_NS, TimeUnit.NANOSECONDS))
        {
            if (isTerminating && System.nanoTime() - reasonDeadlineNs > 0)
            {
                decideUnexplained();
            }
        }
    }

    /**
     * The wall clock is behind a time that it has shown before by so many ms. Ends the member if the consensus module would do no
     * regular work for longer than the others wait: it would neither hold an election nor answer clients that connect to it.
     */
    void onClockLag(final long lagMs)
    {
        if (lagMs > heartbeatTimeoutNs / NS_PER_MS)
        {
            decide(
                ExitStatus.STALLED,
                "the wall clock was set back by " + Quantity.formatNs(lagMs * NS_PER_MS) +
                ", and Aeron's consensus module does its regular work only when the clock has passed its latest time again");
        }
    }

    ErrorHandler handlerOf(final Component component)
    {
        return (error) -> onError(component, error);
    }

    void onError(final Component component, final Throwable error)
    {
        if (error instanceof ClusterTerminationException termination)
        {
            onClusterTermination(component, termination);
            return;
        }

        if (isDecided() && error instanceof AgentTerminationException)
        {
            return;
        }

        print(component.text, error);
        if (Damage.isOfAnother(component, error))
        {
            foreignDamage =
                "; the leader cannot read what this member copies from it: its data is damaged, that of this member not";
        }
        final String reason = reasonOf(component, error);
        final ExitStatus status = statusOf(component, error);
        if (null != status)
        {
            decide(status, reason);
        }
        else if (damage.isProvenBy(component, error))
        {
            decide(ExitStatus.DATA_CORRUPT, reason);
        }
        else if (error instanceof AgentTerminationException)
        {
            decideFailed(error, reason);
        }
        else if (Component.CONSENSUS_MODULE == component && !isEvent(error) && isLooping())
        {
            decideFailed(
                error, "the election failed for " + MIN_DURATION_NS / NS_PER_S + " s: " + reason + foreignDamage);
        }
        else
        {
            lastFailure.set(new Failure(error, reason));
        }
    }

    /**
     * Print the first error of each kind in full, a repeated one only when its count reaches a power of ten, so that an error in
     * a loop cannot fill a disk. Two errors are of one kind if class and text are the same except for digits.
     */
    private synchronized void print(final String source, final Throwable error)
    {
        final String kind = source + error.getClass().getName() + String.valueOf(error.getMessage()).replaceAll("[0-9]+", "#");
        if (countByKind.size() >= MAX_KINDS && !countByKind.containsKey(kind))
        {
            // Forgetting the counts at worst repeats errors; keeping all of them would be a leak.
            countByKind.clear();
        }

        final long count = countByKind.merge(kind, 1L, Long::sum);
        if (1 == count)
        {
            out.println(timeOfDay.instant() + " " + source + ": " + error);
            if (!isEvent(error))
            {
                error.printStackTrace(out);
            }
        }
        else if (String.valueOf(count).matches("10*"))
        {
            out.println(timeOfDay.instant() + " " + source + ": seen " + count + " times: " + error);
        }
    }

    /** Whether an error is an event of normal operation, such as a timeout of an election on a busy machine. */
    private static boolean isEvent(final Throwable error)
    {
        return error instanceof AeronEvent ||
            error instanceof AeronException ex && AeronException.Category.WARN == ex.category();
    }

    /** An error in words. Where Aeron leaves the reason to the causes, with each of these that the text does not quote yet. */
    private static String reasonOf(final Component component, final Throwable error)
    {
        final boolean isByCause = Component.SERVICE == component ||
            error instanceof AgentTerminationException && error.getCause() instanceof ClusterException;
        return Damage.causes(error).limit(isByCause ? Long.MAX_VALUE : 1).map(Cause::ofError)
            .reduce(component.text, (reason, text) -> reason.contains(text) ? reason : reason + ": " + text);
    }

    /**
     * Whether the election that has failed fails again and again. The consensus module repeats it for ever, dozens of times a
     * second, and each time occupies the archive of the leader, which then fails the other members.
     */
    private synchronized boolean isLooping()
    {
        final long nowNs = clock.nanoTime();
        if (0 == electionFailureCount || nowNs - lastElectionFailureNs > QUIET_NS)
        {
            electionFailureCount = 0;
            firstElectionFailureNs = nowNs;
        }
        electionFailureCount++;
        lastElectionFailureNs = nowNs;
        return electionFailureCount >= MIN_FAILURES && nowNs - firstElectionFailureNs >= MIN_DURATION_NS;
    }

    private void decideFailed(final Throwable error, final String reason)
    {
        if (damage.isSuspected(error))
        {
            decide(ExitStatus.DATA_CORRUPT, reason + damage.evidence());
        }
        else if (null != error && Damage.isOfPurge(error))
        {
            decide(
                ExitStatus.DATA_CORRUPT,
                reason + "; it has no log of its own, and the other members have purged the beginning of theirs");
        }
        else
        {
            decide(ExitStatus.OTHER, reason);
        }
    }

    void onLaunchError(final Exception error)
    {
        onError(Component.CONSENSUS_MODULE, error);
        decideFailed(error, error.toString());
    }

    /**
     * A component terminates; the error with the reason may follow. The consensus module still has to settle that of the service
     * with the other members.
     */
    synchronized void onTermination(final Component component)
    {
        final long deadlineNs = System.nanoTime() + (Component.SERVICE == component ? SETTLEMENT_NS : EXPLANATION_NS);
        if (!isTerminating || deadlineNs - reasonDeadlineNs < 0)
        {
            reasonDeadlineNs = deadlineNs;
            isTerminating = true;
        }
    }

    /** Decide the end of a member of which a component terminated without an error. */
    private void decideUnexplained()
    {
        final Failure last = lastFailure.get();
        decideFailed(
            null == last ? null : last.error, "a component terminated" + (null == last ? "" : "; last error: " + last.reason));
    }

    private void onClusterTermination(final Component component, final ClusterTerminationException termination)
    {
        if (Component.SERVICE == component)
        {
            onTermination(component);
        }
        else if (termination.isExpected())
        {
            decide(ExitStatus.OK, "the cluster was shut down");
        }
        else
        {
            decideUnexplained();
        }
    }

    /** The status of a member that an error ends, by the first of its causes that does so; null for any other. */
    private static ExitStatus statusOf(final Component component, final Throwable error)
    {
        return Damage.causes(error).map((cause) ->
            cause instanceof ConductorServiceTimeoutException || cause instanceof DriverTimeoutException ||
            cause instanceof ClientTimeoutException ? ExitStatus.STALLED :
            isStorageError(component, cause) ? ExitStatus.STORAGE :
            cause instanceof OutOfMemoryError ? ExitStatus.OUT_OF_MEMORY : null)
            .filter(Objects::nonNull).findFirst().orElse(null);
    }

    /**
     * Out of space in the driver is an error of its client, and may only be one session too many; a member that cannot write its
     * log or snapshot must end.
     */
    private static boolean isStorageError(final Component component, final Throwable error)
    {
        final String message = String.valueOf(error.getMessage());
        return Cause.isMemoryFault(error) || Component.DRIVER != component && (error instanceof StorageSpaceException ||
            error instanceof ArchiveException ex && ArchiveException.STORAGE_SPACE == ex.errorCode() ||
            error instanceof IOException && (message.contains("No space left") || message.contains("Input/output error") ||
            message.contains("Read-only file system") || message.contains("quota exceeded")));
    }
}
