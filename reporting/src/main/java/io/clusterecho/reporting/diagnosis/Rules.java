package io.clusterecho.reporting.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/** The known causes. Amounts are ms if a cause lasts, else counts. */
final class Rules
{
    /** A cause shorter than this part of a row's p99 cannot explain it. */
    private static final double PART_OF_TAIL = 0.3;
    private static final double FULL_ROW_MS = 500;
    private static final double NEVER = Double.MAX_VALUE;
    private static final int LEADER = 2;
    /** Rules that guess by seconds at what scheduler events show of each message. */
    static final Set<String> OF_THREADS = Set.of("disk", "other-programs", "few-cores", "page-faults");

    /**
     * One known cause of slow replies.
     *
     * @param amount   of the cause in a row, 0 if too little to matter.
     * @param graveSum amount in a run from which the cause is reported even if no reply was slow at that time.
     * @param cause    sentence, with places for the values, which are made from the rows and the amount in the run.
     */
    record Rule(
        String name,
        ToDoubleBiFunction<IntervalTable, Integer> amount,
        double graveSum,
        String cause,
        BiFunction<IntervalTable, Double, List<Object>> values,
        String advice)
    {
        private static final double LEAST_SHARE = 0.2;
        /** A row is slow if its p99 is at least this many times the usual median of a row. */
        private static final double SLOW_FACTOR = 5;
        /** A cause present more often than this slows all replies, so no row is slower than the others. */
        private static final double USUALLY_PRESENT = 0.5;

        /** The cause; empty if it is absent, or is neither frequent nor where replies were slow. */
        Optional<TailCause> look(final IntervalTable seen)
        {
            final double[] amounts =
                IntStream.range(0, seen.rowCount()).mapToDouble((row) -> amount.applyAsDouble(seen, row)).toArray();
            final double sum = Arrays.stream(amounts).sum();
            if (0 == sum)
            {
                return Optional.empty();
            }

            final double usualMs = usualMs(seen);
            final double excessMs = seen.sum((row) -> excessMs(seen, row, usualMs));
            final double coveredMs = seen.sum((row) -> isNear(amounts, row) ? excessMs(seen, row, usualMs) : 0);
            final double share = 0 == excessMs ? 0 : coveredMs / excessMs;
            final double present = (double)Arrays.stream(amounts).filter((one) -> one > 0).count() / amounts.length;
            return share >= LEAST_SHARE || present >= USUALLY_PRESENT || sum >= graveSum ? Optional.of(
                new TailCause(name, Lines.text(cause, values.apply(seen, sum).toArray()), advice, present, share)) :
                Optional.empty();
        }

        /** The median of the medians of all rows with replies. */
        private static double usualMs(final IntervalTable seen)
        {
            final double[] mediansUs = IntStream.range(0, seen.rowCount())
                .mapToDouble((row) -> seen.intervals().number(row, "response_p50_us")).filter((value) -> !Double.isNaN(value))
                .toArray();
            return 0 == mediansUs.length ? 0 : NearestRank.of(mediansUs, NearestRank.MEDIAN) / 1e3;
        }

        /** Excess of a slow row's response time over the usual, in ms; 0 for a row that was not slow. */
        private static double excessMs(final IntervalTable seen, final int row, final double usualMs)
        {
            final double tailMs = seen.tailMs(row);
            return tailMs > SLOW_FACTOR * usualMs ? tailMs - usualMs : 0;
        }

        /** A cause is counted up to a second late, and its effect lasts until the backlog is gone. */
        private static boolean isNear(final double[] amounts, final int row)
        {
            return IntStream.rangeClosed(Math.max(0, row - 1), Math.min(amounts.length - 1, row + 1))
                .anyMatch((near) -> amounts[near] > 0);
        }
    }

    static final List<Rule> ALL = List.of(
        new Rule(
            "loss", (seen, row) -> seen.ofAll(row, "naks_sent") + seen.ofAll(row, "loss_gap_fills"), 10,
            "packets were lost: %.0f NAKs sent or gaps filled (%s), %.0f retransmits",
            (seen, amount) -> List.of(amount, perProcess(seen, "naks_sent", ""), sum(seen, "retransmits")),
            "enlarge socket buffers (net.core.rmem_max and wmem_max, then aeron.socket.so_rcvbuf), check the network's drop " +
            "counters, and make losses cheaper: aeron.nak.multicast.max.backoff applies to the log, 10 ms by default"),
        new Rule(
            "collection", (seen, row) -> most(seen, row, "collection_ms", 2), 200,
            "garbage collections paused processes: %s in %s",
            (seen, amount) -> List.of(
                perProcess(seen, "collection_ms", " ms"), Lines.plural(Math.round(sum(seen, "collections")), "collection")),
            "give that JVM more heap (-Xmx, -Xmn in config/jvm), find what allocates, or use a collector with shorter pauses " +
            "(-XX:+UseZGC) if there are cores for it"),
        new Rule(
            "safepoint", Rules::safepointMs, 200,
            "JVMs stopped all threads for %.0f ms outside collections (%s in all)",
            (seen, amount) -> List.of(amount, perProcess(seen, "safepoint_ms", " ms")),
            "find the reason with -Xlog:safepoint in config/jvm: agents, thread dumps, class redefinition, biased locks"),
        new Rule(
            "stopped", Rules::stoppedMs, 500,
            "processes were stopped for %.0f ms, which neither collections nor a lack of cores explains (%s)",
            (seen, amount) -> List.of(amount, stalls(seen)),
            "find what stopped them: SIGSTOP, a debugger, a suspended or migrated virtual machine, a frozen container, swap"),
        new Rule(
            "disk", Rules::writeMs, 1_000, "log writes were slow: %s in writes, the longest %s",
            (seen, amount) -> List.of(perProcess(seen, "write_ms", " ms"), highest(seen, "write_max_ms", " ms")),
            "put echo.base.dir on a faster disk; a lower echo.fsync waits less but survives fewer failures; with fsync 0 tune " +
            "write-back of the page cache (vm.dirty_background_bytes)"),
        new Rule(
            "other-programs", Rules::otherProgramsMs, NEVER, "other programs%s used %.1f cores while no core was idle",
            (seen, amount) -> List.of(
                seen.processes().stream().allMatch((process) -> process.startsWith(ProcessName.CLIENT)) ?
                ", or members that this result does not see," : "",
                amount / seen.sum((row) -> otherProgramsMs(seen, row) > 0 ? seen.machineMs(row) : 0)),
            "stop them (top shows which), or reserve cores for the members: isolcpus or cpusets, and taskset"),
        new Rule(
            "other-clients", Rules::messagesOfOthers, NEVER,
            "the members applied %,.0f messages that this client did not send", (seen, amount) -> List.of(amount),
            "let one client at a time load these members, or start others for it (--base-dir, --base-port)"),
        new Rule(
            "few-cores",
            (seen, row) -> above(seen.most((process) -> seen.of(process, row, "run_delay_ms")), 0.1 * seen.lengthMs(row)), NEVER,
            "runnable threads waited for a core: %s", (seen, amount) -> List.of(perProcess(seen, "run_delay_ms", " ms")),
            "use more cores, or fewer threads with less work: fewer members on one machine, the profile compact if members " +
            "have another one (auto selects it on few cores), a lower rate; pin the threads that remain"),
        new Rule(
            "snapshot", (seen, row) -> most(seen, row, "service_snapshot_ms", 2), NEVER,
            "services answered nothing while they wrote snapshots: %s",
            (seen, amount) -> List.of(perProcess(seen, "service_snapshot_ms", " ms")),
            "keep less in the state of the service (echo.state.length), take snapshots less often, or write them to a faster " +
            "disk (echo.base.dir)"),
        new Rule(
            "steal", (seen, row) -> above(seen.machine(row, "steal_ms"), 0.01 * seen.machineMs(row)), 1_000,
            "the hypervisor withheld this machine's cores for %.0f ms (steal)", (seen, amount) -> List.of(amount),
            "use an instance with dedicated cores, or another host"),
        new Rule(
            "throttled", (seen, row) -> above(seen.machine(row, "throttled_ms"), PART_OF_TAIL * seen.tailMs(row)), 200,
            "the control group was throttled for %.0f ms in %.0f periods",
            (seen, amount) -> List.of(amount, seen.sum((row) -> seen.machine(row, "throttled"))),
            "raise the CPU limit of the container (cpu.max, or --cpus), or remove the limit and keep the request"),
        new Rule(
            "back-pressure", Rules::heldBack, NEVER,
            "senders waited for flow control: %.0f attempts of the client met back pressure, receivers " +
            "limited senders %.0f times, %.0f replies were delayed",
            (seen, amount) -> List.of(
                seen.sum((row) -> seen.interval(row, "back_pressured")), sum(seen, "sender_limited"),
                sum(seen, "replies_back_pressured")),
            "enlarge windows and term buffers: aeron.rcv.initial.window.length with aeron.socket.so_rcvbuf, " +
            "echo.client.term.length; if that only lengthens the queue, the rate is more than the cluster sustains"),
        new Rule(
            "client", Rules::clientMs, NEVER,
            "the client was late: much of the response time passed before it sent, without back pressure, or " +
            "after the reply had arrived", (seen, amount) -> List.of(),
            "give the client its own core (taskset), use --idle spin if there are cores, another machine, or a lower rate"),
        new Rule(
            "election", Rules::elections, 1,
            "the cluster had no leader for a time: there was an election during the run", (seen, amount) -> List.of(),
            "see docs/FAILOVER.md for the phases of an outage; an echo.heartbeat.timeout too short for this machine causes " +
            "needless elections"),
        new Rule(
            "page-faults", (seen, row) -> above(seen.ofAll(row, "major_faults"), 10), NEVER,
            "%.0f page faults waited for a disk (%s)",
            (seen, amount) -> List.of(amount, perProcess(seen, "major_faults", "")),
            "free memory or disable swap; keep echo.base.dir and /dev/shm within memory"),
        new Rule(
            "errors", Rules::errors, 1, "%.0f errors were logged, %.0f sends were incomplete",
            (seen, amount) -> List.of(amount - sum(seen, "short_sends"), sum(seen, "short_sends")),
            "read them: scripts/cluster-status.sh, member.log in the folder of the member"));

    private static double safepointMs(final IntervalTable seen, final int row)
    {
        return above(
            seen.most((process) -> seen.of(process, row, "safepoint_ms") - seen.of(process, row, "collection_ms")),
            Math.max(5, PART_OF_TAIL * seen.tailMs(row)));
    }

    /** Unexplained stalls of the process that was stopped for longest, and rows in which it had no core time. */
    private static double stoppedMs(final IntervalTable seen, final int row)
    {
        final double ofMembersMs = seen.most((process) -> ProcessName.isClient(process) ? 0 :
            unexplainedMs(seen.of(process, row, "stall_ms"), explainedMs(seen, row, process)));
        // Several clients share the column: that of the one that stalled longest.
        final OptionalDouble explainedOfClientsMs = seen.processes().stream().filter(ProcessName::isClient)
            .mapToDouble((process) -> explainedMs(seen, row, process)).max();
        final double ofClientsMs = explainedOfClientsMs.isEmpty() ? 0 :
            unexplainedMs(seen.interval(row, "stall_max_us") / 1e3, explainedOfClientsMs.getAsDouble());
        final boolean isStill = seen.lengthMs(row) >= FULL_ROW_MS && seen.processes().stream().anyMatch(
            (process) -> seen.isKnown(process, row, "cpu_ms") && 0 == seen.of(process, row, "cpu_ms"));
        final double mostMs = Math.max(ofMembersMs, ofClientsMs);
        return above(
            isStill ? Math.max(mostMs, seen.lengthMs(row)) : mostMs, Math.max(10, PART_OF_TAIL * seen.tailMs(row)));
    }

    private static double explainedMs(final IntervalTable seen, final int row, final String process)
    {
        return Math.max(seen.of(process, row, "collection_ms"), seen.of(process, row, "safepoint_ms")) +
            seen.of(process, row, "run_delay_ms") + seen.machine(row, "steal_ms") + seen.machine(row, "throttled_ms");
    }

    private static double unexplainedMs(final double stallMs, final double explainedMs)
    {
        return explainedMs >= stallMs / 2 ? 0 : stallMs;
    }

    /**
     * Time in writes, in a row where it is a large part of the row, or where a write was longer than any before while threads
     * waited for the disk: a thread that loses its core during a write lengthens that write too.
     */
    private static double writeMs(final IntervalTable seen, final int row)
    {
        final boolean isPressureKnown = seen.isKnownOfMachine(row, "io_pressure_ms");
        return seen.most((process) ->
        {
            final double writeMs = seen.of(process, row, "write_ms");
            final double maxMs = seen.of(process, row, "write_max_ms");
            final boolean isRecord = row > 0 && maxMs > seen.of(process, row - 1, "write_max_ms") &&
                maxMs >= Math.max(5, PART_OF_TAIL * seen.tailMs(row)) &&
                (!isPressureKnown || seen.machine(row, "io_pressure_ms") >= PART_OF_TAIL * maxMs);
            return isRecord || writeMs >= 0.2 * seen.lengthMs(row) ? writeMs : 0;
        });
    }

    /** Core time used by neither client nor members, in rows with hardly any idle time. */
    private static double otherProgramsMs(final IntervalTable seen, final int row)
    {
        final double busyMs = seen.machine(row, "user_ms") + seen.machine(row, "system_ms");
        final double idleMs = seen.machine(row, "idle_ms") + seen.machine(row, "io_wait_ms");
        final double otherMs = busyMs - seen.ofAll(row, "cpu_ms");
        final boolean isFull = idleMs < 0.1 * (busyMs + idleMs);
        return isFull && seen.isKnownOfMachine(row, "user_ms") ? above(otherMs, 0.3 * seen.machineMs(row)) : 0;
    }

    /** Beyond what the client had sent by then; the members are read a moment earlier or later. */
    private static double messagesOfOthers(final IntervalTable seen, final int row)
    {
        // Each session that comes and goes sends one that is in no interval.
        final double applied = seen.most((process) -> LEADER != seen.of(process, row, "role") ? 0 :
            seen.of(process, row, "applied") - seen.of(process, row, "sessions_opened"));
        final double sent = seen.interval(row, "sent") + (row > 0 ? seen.interval(row - 1, "in_flight") : 0);
        // A member that restarted applies its log again.
        return elections(seen, row) > 0 ? 0 : above(applied - sent, Math.max(20, 0.3 * sent));
    }

    private static double heldBack(final IntervalTable seen, final int row)
    {
        final double attempts = above(seen.interval(row, "back_pressured"), 0.01 * seen.interval(row, "sent"));
        return attempts + seen.ofAll(row, "sender_limited") + seen.ofAll(row, "replies_back_pressured");
    }

    /** What the client adds to the slowest messages of a row, in a row in which it is the larger part; at least. */
    private static double clientMs(final IntervalTable seen, final int row)
    {
        final double share = seen.interval(row, "client_tail_share");
        return share >= ClientShare.LIMIT ? above(share * seen.tailMs(row), 1) : 0;
    }

    static double elections(final IntervalTable seen, final int row)
    {
        final String leader = seen.intervals().text(row, "leader");
        final String before = row > 0 ? seen.intervals().text(row - 1, "leader") : leader;
        return Math.max(seen.ofAll(row, "elections"), leader.equals(before) ? 0 : 1);
    }

    private static double errors(final IntervalTable seen, final int row)
    {
        return Stream.of("errors", "archive_errors", "consensus_errors", "service_errors", "short_sends")
            .mapToDouble((column) -> seen.ofAll(row, column)).sum();
    }

    /** Highest value of any process in a row, if it is a large part of the row's p99. */
    private static double most(final IntervalTable seen, final int row, final String column, final double least)
    {
        return above(seen.most((process) -> seen.of(process, row, column)), Math.max(least, PART_OF_TAIL * seen.tailMs(row)));
    }

    private static double above(final double amount, final double least)
    {
        return amount > 0 && amount >= least ? amount : 0;
    }

    private static double sum(final IntervalTable seen, final String column)
    {
        return seen.sum((row) -> seen.ofAll(row, column));
    }

    private static String stalls(final IntervalTable seen)
    {
        final List<String> clients = seen.processes().stream().filter(ProcessName::isClient).toList();
        final double ofClientsMs = seen.sum((row) -> seen.interval(row, "stall_max_us") / 1e3);
        final String ofMembers = perProcess(
            seen, " ms", (process, row) -> ProcessName.isClient(process) ? 0 : seen.of(process, row, "stall_ms"));
        return clients.isEmpty() || ofClientsMs < 0.5 ? ofMembers : Lines.text(
            "%s %,.0f ms%s", 1 == clients.size() ? clients.get(0) : "the clients", ofClientsMs,
            ofMembers.isEmpty() ? "" : ", " + ofMembers);
    }

    private static String perProcess(final IntervalTable seen, final String column, final String unit)
    {
        return perProcess(seen, unit, (process, row) -> seen.of(process, row, column));
    }

    private static String perProcess(
        final IntervalTable seen, final String unit, final ToDoubleBiFunction<String, Integer> amount)
    {
        final List<String> parts = new ArrayList<>();
        for (final String process : seen.processes())
        {
            final double sum = seen.sum((row) -> amount.applyAsDouble(process, row));
            if (sum >= 0.5)
            {
                parts.add(Lines.text("%s %,.0f%s", named(seen, process), sum, unit));
            }
        }

        return String.join(", ", parts);
    }

    private static String highest(final IntervalTable seen, final String column, final String unit)
    {
        return Lines.text("%,.1f%s", IntStream.range(0, seen.rowCount())
            .mapToDouble((row) -> seen.most((process) -> seen.of(process, row, column))).max().orElse(0), unit);
    }

    /** Name of a process, marked if it led at the end. */
    private static String named(final IntervalTable seen, final String process)
    {
        return seen.of(process, seen.rowCount() - 1, "role") == 2 ? process + " (leader)" : process;
    }
}
