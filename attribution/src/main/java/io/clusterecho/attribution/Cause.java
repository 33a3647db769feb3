package io.clusterecho.attribution;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.clusterecho.text.Lines;

/**
 * What a thread on a message's path did in a part of the message's time. Times of all causes of a message add up to its own.
 *
 * @param thread    process and name, of at most 15 characters, as in {@code member-1 duty-cycle}; null where it is not known.
 * @param holder    who had the core for which it waited, with its process if that is a client's or a member's, and {@code others}
 *                  for those with less than 1% of the time; null if none had it.
 * @param isCertain whether the part could not end before this thread ran again, and then ran for less than it had been held up;
 *                  else the message may not have been there, or may have been past it.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Cause(Part part, String thread, State state, String holder, boolean isCertain, long timeNs)
{
    private static final double LEAST_SHARE = 0.01;

    /** What a thread does, the worst for its messages first. */
    public enum State
    {
        /** By a signal or a debugger. */
        STOPPED("was stopped"),
        /** It can run, but does not have a core. */
        WAITING("waited for a core"),
        /** In a call, uninterruptibly: for a disk, or for memory. */
        BLOCKED("was blocked in the kernel"),
        /** It sleeps while the VM thread of its JVM, which collects garbage too, runs or waits for a core. */
        SAFEPOINT("was at a safepoint"),
        /** Events were lost, there are none yet, or the thread is not known. */
        UNKNOWN("unknown"),
        /** Time that a hypervisor takes is not seen, and counts as this. */
        RUNNING("no thread was held up"),
        /** Until something happens. */
        SLEEPING("no thread was held up");

        private final String words;

        State(final String words)
        {
            this.words = words;
        }
    }

    boolean isHoldUp()
    {
        return state.compareTo(State.UNKNOWN) < 0;
    }

    boolean isCertainHoldUp()
    {
        return isCertain && isHoldUp();
    }

    Cause with(final String newHolder, final boolean newIsCertain, final long newTimeNs)
    {
        return new Cause(part, thread, state, newHolder, newIsCertain, newTimeNs);
    }

    /** Sums of the same causes, by parts in the order of the path, the longest first. */
    static List<Cause> sums(final Stream<Cause> causes)
    {
        final List<Cause> exact = added(causes).toList();
        final long leastNs = (long)(LEAST_SHARE * exact.stream().mapToLong(Cause::timeNs).sum());
        return added(exact.stream().map((one) -> null == one.holder || one.timeNs >= leastNs ? one :
            one.with("others", one.isCertain, one.timeNs)))
            .sorted(Comparator.comparing(Cause::part).thenComparing(Cause::timeNs, Comparator.reverseOrder())).toList();
    }

    private static Stream<Cause> added(final Stream<Cause> causes)
    {
        return causes.collect(Collectors.groupingBy(
            (one) -> one.with(one.holder, one.isCertain, 0), LinkedHashMap::new, Collectors.summingLong(Cause::timeNs)))
            .entrySet().stream().map((one) -> one.getKey().with(one.getKey().holder, one.getKey().isCertain, one.getValue()));
    }

    /** What held up the message, as in {@code member-1 duty-cycle waited for a core (kworker/0:1)}: who had it. */
    String words()
    {
        return !isHoldUp() ? state.words : Lines.text(
            "%s %s%s%s", thread, isCertain ? "" : "possibly ", state.words,
            State.WAITING != state ? "" : " (" + (null == holder ? "nobody" : holder) + ")");
    }
}
