package io.clusterecho.reporting.diagnosis;

import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.MemberLoad;
import io.clusterecho.reporting.results.ProcessName;

/** Sums the counters of a member over the measured window and names what its threads waited for most. */
record MemberLoads(IntervalTable seen, String process)
{
    private static final String COMMITTED = "committed_bytes";
    private static final String CPU = "cpu_ms";
    private static final String ANSWERED = "answered";
    private static final String ROLE = "role";
    private static final String[] ROLES = { "follower", "candidate", "leader" };
    private static final String DISK = "disk";
    private static final double MS_PER_S = 1e3;
    private static final double BYTES_PER_MIB = 1 << 20;
    /** The rules of the diagnosis have the same limit: a shorter wait limits nothing. */
    private static final double LEAST_MS_PER_S = 100;

    /** All members whose counters were read, in the order of the file. */
    static List<MemberLoad> of(final IntervalTable run)
    {
        final IntervalTable seen = run.measured();
        final List<MemberLoad> loads = new ArrayList<>();
        for (final String process : seen.processes())
        {
            final MemberLoads member = new MemberLoads(seen, process);
            final OptionalInt memberId = ProcessName.memberId(process);
            if (memberId.isPresent() && member.lengthS() > 0)
            {
                // The messages of sessions that come and go are in the log but in no interval.
                final boolean isAlone = 0 == seen.sum((row) -> seen.of(process, row, "sessions_opened"));
                final Double logBytesPerSecond = member.logPer("sent", (row) -> seen.lengthMs(row) / MS_PER_S);
                loads.add(new MemberLoad(
                    memberId.getAsInt(), member.role(), Math.round(member.perSecond(CPU)) / MS_PER_S, member.limit(),
                    logBytesPerSecond, isAlone ? member.logPer(ANSWERED, (row) -> seen.interval(row, ANSWERED)) : null,
                    member.diskFullS(logBytesPerSecond)));
            }
        }
        return loads;
    }

    private String limit()
    {
        final double coreMs = perSecond("run_delay_ms");
        final double diskMs = perSecond("write_ms") + perSecond("read_ms");
        // Collections are safepoints too, but not every JVM counts these.
        final double pauseMs = Math.max(perSecond("collection_ms"), perSecond("safepoint_ms"));
        final double windowCount = perSecond("sender_limited");
        final double mostMs = Math.max(coreMs, Math.max(diskMs, pauseMs));
        if (mostMs < LEAST_MS_PER_S)
        {
            return windowCount < 1 ? "no limit seen" :
                text("limited by flow control: waited %,.0f times/s for a receiver's window", windowCount);
        }
        return mostMs == coreMs ? text("limited by cores: its threads waited %,.0f ms/s for one", coreMs) :
            mostMs == diskMs ? text("limited by its disk: %,.0f ms/s in writes and reads of the log", diskMs) :
            text("limited by its JVM: %,.0f ms/s in pauses", pauseMs);
    }

    /**
     * Growth of its log in bytes for each unit of something, from the first row with messages to the last with some of a column.
     * Null if the member was not known with one pid in all rows, because what it missed or caught up with is not the load, or if
     * there was an election in them.
     */
    private Double logPer(final String column, final IntToDoubleFunction unit)
    {
        final int[] away = rows((row) -> !seen.isKnown(process, row, COMMITTED) || Rules.elections(seen, row) > 0 ||
            !seen.counterText(process, row, "pid").equals(seen.counterText(process, 0, "pid")));
        final int[] begun = rows((row) -> seen.interval(row, "sent") + seen.interval(row, ANSWERED) > 0);
        final int[] some = rows((row) -> seen.interval(row, column) > 0);
        if (away.length > 0 || 0 == some.length)
        {
            return null;
        }
        final int[] span = rows((row) -> row >= begun[0] && row <= some[some.length - 1]);
        final double bytes = IntStream.of(span).mapToDouble((row) -> seen.of(process, row, COMMITTED)).sum();
        return Math.round(10 * bytes / IntStream.of(span).mapToDouble(unit).sum()) / 10.0;
    }

    /** Time until its disk is full, if each log on it, that of a backup too, grows on like this one; null if unknown. */
    private Long diskFullS(final Double logBytesPerSecond)
    {
        final int last = seen.rowCount() - 1;
        final long logs = seen.processes().stream()
            .filter((other) -> seen.counter(other, last, DISK) == seen.counter(process, last, DISK)).count();
        return null == logBytesPerSecond || 0 == logBytesPerSecond || 0 == logs ? null :
            Math.round(seen.of(process, last, "disk_free_mib") * BYTES_PER_MIB / (logs * logBytesPerSecond));
    }

    private int[] rows(final IntPredicate condition)
    {
        return IntStream.range(0, seen.rowCount()).filter(condition).toArray();
    }

    private String role()
    {
        final List<String> roles = new ArrayList<>();
        for (int row = 0; row < seen.rowCount(); row++)
        {
            final int number = seen.isKnown(process, row, ROLE) ? (int)seen.of(process, row, ROLE) : -1;
            if (number >= 0 && number < ROLES.length && (roles.isEmpty() || !roles.get(roles.size() - 1).equals(ROLES[number])))
            {
                roles.add(ROLES[number]);
            }
        }
        return String.join(", then ", roles);
    }

    /** Mean growth of a counter per second, with that of the member's driver if it is a process of its own. */
    private double perSecond(final String column)
    {
        final String driver = ProcessName.ofDriver(process);
        return seen.sum((row) -> seen.of(process, row, column) + seen.of(driver, row, column)) / lengthS();
    }

    /** Time in which the member was seen. */
    private double lengthS()
    {
        return seen.sum((row) -> seen.isKnown(process, row, CPU) ? seen.lengthMs(row) : 0) / MS_PER_S;
    }
}
