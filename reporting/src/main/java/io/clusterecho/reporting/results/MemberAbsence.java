package io.clusterecho.reporting.results;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.clusterecho.text.Lines;

/**
 * Time for which a member took no part in the cluster while a load was measured, from the counters of the run: it did not run,
 * was in an election, or committed nothing while others did.
 *
 * @param absentNs sum of such intervals, in ns; the state of a member is that at the end of an interval.
 * @param windowNs length of all intervals of the measured window, in ns.
 * @param how      of most of the time: {@code not running}, {@code in an election} or {@code its log did not grow}.
 */
public record MemberAbsence(int memberId, long absentNs, long windowNs, String how)
{
    /** Largest share of the measured window for which a member may be absent from a run without faults. */
    public static final double TOLERANCE = 0.1;

    /** Code of the election state of a member that is in no election. */
    public static final int ELECTION_CLOSED = 17;

    private static final String ELECTION = "election";
    private static final String COMMITTED = "committed_bytes";
    private static final double NS_PER_S = 1e9;

    private enum State
    {
        PRESENT(""), UNKNOWN(""), DOWN("not running"), ELECTING("in an election"), STUCK("its log did not grow");

        private final String text;

        State(final String text)
        {
            this.text = text;
        }

        boolean isAbsent()
        {
            return !text.isEmpty();
        }
    }

    /** Absences longer than 0, in the order of the members' ids; none if counters of members were not recorded. */
    public static List<MemberAbsence> of(final IntervalTable run)
    {
        final List<String> members = run.processes().stream().filter((process) -> ProcessName.memberId(process).isPresent())
            .sorted(Comparator.comparingInt(MemberAbsence::id)).toList();
        final IntervalTable seen = run.measured();
        final List<String> readable = members.stream().filter((member) -> IntStream.range(0, run.rowCount())
            .anyMatch((row) -> run.isKnown(member, row, ELECTION))).toList();
        // None, for instance, of members in other containers, whose processes and counters are not visible here.
        return readable.isEmpty() ? List.of() : members.stream().map((member) -> absence(
            id(member), seen, IntStream.range(0, seen.rowCount())
            .mapToObj((row) -> state(seen, member, members, row, readable.contains(member))).toList()))
            .filter((absence) -> absence.absentNs > 0).toList();
    }

    private static int id(final String member)
    {
        return ProcessName.memberId(member).orElseThrow();
    }

    public String text()
    {
        return Lines.text(
            "member %d took no part in the cluster for %.1f s of %.1f s: %s", memberId, absentNs / NS_PER_S,
            windowNs / NS_PER_S, how);
    }

    /** Whether the numbers of the run are those of a smaller cluster. */
    public boolean isTooLong()
    {
        return absentNs > TOLERANCE * windowNs;
    }

    private static MemberAbsence absence(final int memberId, final IntervalTable seen, final List<State> states)
    {
        final long[] lengthsNs =
            IntStream.range(0, states.size()).mapToLong((row) -> Math.round(seen.endNs(row) - seen.beginNs(row))).toArray();
        final Map<State, Long> absentNs = new TreeMap<>();
        for (int i = 0; i < lengthsNs.length; i++)
        {
            final State state = states.get(i);
            // A single interval without growth may be one in which a message reached this member only after the sample.
            if (state.isAbsent() && (State.STUCK != state ||
                i > 0 && states.get(i - 1).isAbsent() || i + 1 < states.size() && states.get(i + 1).isAbsent()))
            {
                absentNs.merge(state, lengthsNs[i], Long::sum);
            }
        }

        return new MemberAbsence(
            memberId, absentNs.values().stream().mapToLong(Long::longValue).sum(), LongStream.of(lengthsNs).sum(),
            absentNs.entrySet().stream().max(Map.Entry.comparingByValue()).map((longest) -> longest.getKey().text).orElse(""));
    }

    /** @param isReadable whether counters of the member's media driver are in any row. */
    private static State state(
        final IntervalTable seen, final String member, final List<String> members, final int row, final boolean isReadable)
    {
        final String pid = seen.counterText(member, row, "pid");
        if (null == pid || ProcessName.UNKNOWN_PID.equals(pid))
        {
            return State.UNKNOWN;
        }
        final double election = seen.counter(member, row, ELECTION);
        if (pid.isEmpty() || Double.isNaN(election))
        {
            return pid.isEmpty() || isReadable ? State.DOWN : State.UNKNOWN;
        }
        if (ELECTION_CLOSED != election)
        {
            return State.ELECTING;
        }
        final boolean isAnyGrowing = members.stream().anyMatch((other) -> seen.counter(other, row, COMMITTED) > 0);
        return isAnyGrowing && 0 == seen.counter(member, row, COMMITTED) ? State.STUCK : State.PRESENT;
    }
}
