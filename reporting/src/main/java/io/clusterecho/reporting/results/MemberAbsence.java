package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    /** State of a member in an interval. */
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

    /**
     * The absences of members of a run.
     *
     * @return those longer than 0, in the order of the members' ids; none if counters of members were not recorded.
     */
    public static List<MemberAbsence> of(final IntervalTable run)
    {
        final CsvTable counters = run.counters();
        final Map<Integer, String> members = new TreeMap<>();
        final Set<String> readable = new HashSet<>();
        for (int row = 0; row < counters.rowCount(); row++)
        {
            final String process = counters.text(row, "process");
            ProcessName.memberId(process).ifPresent((id) -> members.put(id, process));
            // Counters of the media driver.
            if (!counters.text(row, ELECTION).isEmpty())
            {
                readable.add(process);
            }
        }
        final List<MemberAbsence> absences = new ArrayList<>();
        if (members.values().stream().noneMatch(readable::contains))
        {
            // For instance of members in other containers, whose processes and counters are not visible here.
            return absences;
        }

        final int[] measured = run.measuredRows();
        final long[] lengthsNs =
            IntStream.of(measured).mapToLong((row) -> Math.round(run.endNs(row) - run.beginNs(row))).toArray();
        members.forEach((id, process) -> absences.add(absence(id, lengthsNs, IntStream.of(measured).mapToObj((row) -> state(
            counters, run.counterRow(process, row), mostGrowth(run, members.values(), row), readable.contains(process)))
            .toList())));
        absences.removeIf((absence) -> 0 == absence.absentNs);
        return absences;
    }

    /** Of the commit position of any member in a row of the intervals. */
    private static double mostGrowth(final IntervalTable run, final Collection<String> members, final int row)
    {
        return members.stream().map((process) -> run.counterRow(process, row)).filter(Objects::nonNull)
            .mapToDouble((index) -> run.counters().number(index, COMMITTED)).filter((growth) -> !Double.isNaN(growth))
            .max().orElse(0);
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

    private static MemberAbsence absence(final int memberId, final long[] lengthsNs, final List<State> states)
    {
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

    /**
     * @param row        of the member in the interval, or null.
     * @param mostGrowth of the commit position of any member in the interval.
     * @param isReadable whether counters of the member are in any row.
     */
    private static State state(
        final CsvTable counters, final Integer row, final double mostGrowth, final boolean isReadable)
    {
        if (null == row || ProcessName.UNKNOWN_PID.equals(counters.text(row, "pid")))
        {
            return State.UNKNOWN;
        }
        if (counters.text(row, "pid").isEmpty())
        {
            return State.DOWN;
        }
        if (counters.text(row, ELECTION).isEmpty())
        {
            return isReadable ? State.DOWN : State.UNKNOWN;
        }
        if (ELECTION_CLOSED != counters.number(row, ELECTION))
        {
            return State.ELECTING;
        }

        return mostGrowth > 0 && 0 == counters.number(row, COMMITTED) ? State.STUCK : State.PRESENT;
    }
}
