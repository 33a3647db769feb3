package io.clusterecho.reporting.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.MemberLoad;
import io.clusterecho.reporting.results.TailCause;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series of a run of 10 s with a warm-up of 2 s, in rows of 1 s; in rows 6 and 7 replies are slow. */
class RulesTest
{
    private static final int ROW_COUNT = 12;
    private static final int SLOW = 6;
    private static final long P50_NS = 200_000;
    private static final long LONG_NS = 20_000_000;

    private final Map<String, String> set = new HashMap<>();
    private List<String> processes = List.of("client", "member-0", "member-1");
    private String idle = "1000";

    @BeforeEach
    void makeRepliesSlow()
    {
        slow(SLOW, 30);
        slow(SLOW + 1, 20);
    }

    @ParameterizedTest
    @CsvSource({
        "loss, member-1, naks_sent, 40, member-1 40",
        "loss, client, loss_gap_fills, 3, packets were lost",
        "collection, client, collection_ms, 25, client 25 ms",
        "collection, member-0, collection_ms, 25, member-0 (leader) 25 ms",
        "safepoint, member-0, safepoint_ms, 30, member-0 (leader) 30 ms",
        "stopped, member-1, stall_ms, 900.5, member-1 9",
        "disk, member-0, write_ms, 600, member-0 (leader) 600 ms",
        "other-clients, member-0, applied, 15000, '5,000 messages that this client did not send'",
        "few-cores, member-0, run_delay_ms, 400.5, member-0 (leader) 4",
        "steal, machine, steal_ms, 90, 90 ms",
        "throttled, machine, throttled_ms, 300, 300 ms",
        "back-pressure, member-0, sender_limited, 7, 7 times",
        "back-pressure, interval, back_pressured, 900, 900 attempts",
        "client, interval, client_tail_share, 0.5, before it sent",
        "election, member-0, elections, 1, election",
        "page-faults, client, major_faults, 50, client 50",
        "errors, member-1, errors, 2, 2 errors" })
    void shouldNameTheCauseThatCoincides(
        final String rule, final String where, final String column, final String value, final String part)
    {
        put(where, SLOW, column, value);
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly(rule);
        assertThat(findings.get(0).cause()).contains(part);
        assertThat(findings.get(0).advice()).isNotBlank();
        assertThat(findings.get(0).share()).isEqualTo(1);
        assertThat(findings.get(0).present()).isEqualTo(0.1);
    }

    @ParameterizedTest
    @CsvSource({
        "disk, member-0, write_ms, 600, 0", "few-cores, member-0, run_delay_ms, 400.5, 0",
        "page-faults, client, major_faults, 50, 0",
        "stopped, member-1, stall_ms, 900.5, 1", "client, interval, client_tail_share, 0.5, 1",
        "loss, member-1, naks_sent, 40, 1", "collection, client, collection_ms, 25, 1", "steal, machine, steal_ms, 90, 1" })
    void shouldNotGuessAtWhatThreadsShow(
        final String rule, final String where, final String column, final String value, final int count)
    {
        put(where, SLOW, column, value);
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly(rule);
        final Diagnosis explained = Findings.of(observation(), P50_NS, LONG_NS, true);
        assertThat(explained.findings()).hasSize(count);
        assertThat(explained.tail()).startsWith("p99 is").doesNotContain("no rule");
    }

    /** A backlog, a follower that catches up, and sessions that come and go, each with a message. */
    @ParameterizedTest
    @CsvSource({ "interval, 5, in_flight, 3000", "member-0, 6, role, 0", "member-0, 6, sessions_opened, 3000" })
    void shouldNotTakeMessagesOfThisLoadForThoseOfOthers(
        final String where, final int row, final String column, final String value)
    {
        put("member-0", SLOW, "applied", "13500");
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly("other-clients");

        put(where, row, column, value);
        assertThat(look().findings()).isEmpty();
    }

    @Test
    void shouldSumTheCoreTimeOfTheMeasuredRows()
    {
        put("member-1", 0, "cpu_ms", "5000");
        put("member-1", SLOW, "cpu_ms", "600");
        put("client", SLOW, "cpu_ms", "300");

        final CpuCost cost = Findings.cpuCost(observation());

        // Ten rows with 100 ms of each of the three processes, except those above.
        assertThat(cost.client()).isCloseTo(1.2 / 0.1, within(5e-4));
        assertThat(cost.members()).isCloseTo(2.5 / 0.1, within(5e-4));
        assertThat(cost.all()).isCloseTo(3.7 / 0.1, within(5e-4));
    }

    @Test
    void shouldNotKnowTheCoreTimeOfMembersThatWereNotSeen()
    {
        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("member-0", row, "cpu_ms", "");
            put("member-1", row, "cpu_ms", "");
        }

        assertThat(Findings.cpuCost(observation()).client()).isCloseTo(1.0 / 0.1, within(5e-4));
        assertThat(Findings.cpuCost(observation()).members()).isNull();
    }

    @Test
    void shouldDivideTheCoreTimeByTheRepliesInTheSameRows()
    {
        put("interval", 0, "answered", "1000000");
        put("interval", 2, "answered", "5000");
        assertThat(Findings.cpuCost(observation()).client()).isCloseTo(1.0 / 0.095, within(5e-4));

        for (int row = 2; row < ROW_COUNT; row++)
        {
            put("interval", row, "answered", "0");
        }
        assertThat(Findings.cpuCost(observation())).isEqualTo(CpuCost.UNKNOWN);
    }

    @Test
    void shouldCountRowsInWhichAMemberWasNotReadAsTheOthers()
    {
        put("member-1", 3, "cpu_ms", "");
        put("member-1", 4, "cpu_ms", "");
        assertThat(Findings.cpuCost(observation()).members()).isCloseTo(2.0 / 0.1, within(5e-4));

        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("member-1", row, "cpu_ms", "");
        }
        assertThat(Findings.cpuCost(observation()).members()).as("of one of two members").isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "run_delay_ms   | 4500  | limited by cores: its threads waited 450 ms/s for one",
        "write_ms       | 1100  | limited by its disk: 110 ms/s in writes and reads of the log",
        "read_ms        | 1100  | limited by its disk: 110 ms/s in writes and reads of the log",
        "collection_ms  | 2000  | limited by its JVM: 200 ms/s in pauses",
        "safepoint_ms   | 2000  | limited by its JVM: 200 ms/s in pauses",
        "sender_limited | 40    | limited by flow control: waited 4 times/s for a receiver's window",
        "run_delay_ms   | 999   | no limit seen" })
    void shouldNameWhatLimitsAMember(final String column, final String sum, final String limit)
    {
        put("member-1", SLOW, column, sum);
        put("member-1", 0, "run_delay_ms", "90000");

        final List<MemberLoad> members = MemberLoads.of(observation());

        assertThat(members).containsExactly(
            new MemberLoad(0, "leader", 0.1, "no limit seen", 0.0, 0.0, null),
            new MemberLoad(1, "follower", 0.1, limit, 0.0, 0.0, null));
    }

    /** In the first row nothing is sent, in another nothing answered, and in the last two nothing is sent any more. */
    @Test
    void shouldKnowTheGrowthOfTheLogFromTheFirstMessageToTheLast()
    {
        growLogs();
        put("interval", 2, "sent", "0");
        put("interval", 2, "answered", "0");
        put("member-0", 2, "committed_bytes", "640");
        put("interval", SLOW, "answered", "0");
        put("interval", SLOW + 1, "answered", "20000");
        put("interval", 10, "sent", "0");
        put("interval", 11, "sent", "0");
        put("interval", 11, "answered", "0");
        put("member-0", 11, "committed_bytes", "640");

        assertGrowth(new Double[]{ 3_360_000.0, 2_940_000.0 }, new Double[]{ 336.0, 294.0 });
    }

    /** What a member catches up with is not the load, and what it lacks is. */
    @ParameterizedTest
    @CsvSource({ "committed_bytes, ''", "pid, 2", "pid, ?", "pid, ''" })
    void shouldNotKnowTheGrowthOfTheLogOfAMemberThatWasAway(final String column, final String value)
    {
        growLogs();
        put("member-1", SLOW, column, value);
        put("member-1", SLOW + 1, "committed_bytes", "90000000");

        assertGrowth(new Double[]{ 3_360_000.0, null }, new Double[]{ 336.0, null });
    }

    @Test
    void shouldNotKnowTheGrowthOfTheLogWithAnElection()
    {
        growLogs();
        put("member-1", SLOW, "elections", "1");

        assertGrowth(new Double[]{ null, null }, new Double[]{ null, null });
    }

    @Test
    void shouldNotDivideTheGrowthOfTheLogByMessagesWhereOtherSessionsSend()
    {
        growLogs();
        put("member-0", SLOW, "sessions_opened", "3");

        assertGrowth(new Double[]{ 3_360_000.0, 2_940_000.0 }, new Double[]{ null, 294.0 });
    }

    /** Two members and a backup share a disk, another member has its own. */
    @Test
    void shouldKnowWhenADiskIsFull()
    {
        processes = List.of("client", "member-0", "member-1", "member-2", "backup", "member-2-driver");
        growLogs();
        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("member-2", row, "committed_bytes", "10485760");
            for (final String process : List.of("member-0", "member-1", "backup"))
            {
                put(process, row, "disk", "77");
                put(process, row, "disk_free_mib", row < ROW_COUNT - 1 ? "1" : "9613.037109375");
            }
            put("member-2", row, "disk", "78");
            put("member-2", row, "disk_free_mib", "50");
        }
        assertThat(MemberLoads.of(observation())).extracting(MemberLoad::diskFullS).containsExactly(1_000L, 1_143L, 5L);

        // The one's disk is not known at the end, the other's log grew by what it had missed.
        put("member-0", ROW_COUNT - 1, "disk", "");
        put("member-2", SLOW, "pid", "2");
        assertThat(MemberLoads.of(observation())).extracting(MemberLoad::diskFullS).containsExactly(null, 1_714L, null);
    }

    private void growLogs()
    {
        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("member-0", row, "committed_bytes", "3360000");
            put("member-1", row, "committed_bytes", "2940000");
        }
    }

    private void assertGrowth(final Double[] bytesPerSecond, final Double[] bytesPerMessage)
    {
        final List<MemberLoad> members = MemberLoads.of(observation());
        assertThat(members).extracting(MemberLoad::logBytesPerSecond).containsExactly(bytesPerSecond);
        assertThat(members).extracting(MemberLoad::logBytesPerMessage).containsExactly(bytesPerMessage);
    }

    @Test
    void shouldNameTheRolesOfAMemberAndLeaveOutOneThatWasNotSeen()
    {
        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("member-0", row, "role", row < SLOW ? "2" : "0");
            put("member-1", row, "cpu_ms", "");
        }

        assertThat(MemberLoads.of(observation())).extracting(MemberLoad::role).containsExactly("leader, then follower");
    }

    @ParameterizedTest
    @CsvSource({
        "member-1, naks_sent, 4", "client, collection_ms, 25", "member-0, safepoint_ms, 30", "member-1, stall_ms, 90",
        "member-0, write_ms, 300", "member-0, run_delay_ms, 400", "machine, steal_ms, 90", "machine, throttled_ms, 30",
        "interval, back_pressured, 900", "client, major_faults, 50" })
    void shouldNotBlameWhatHappenedAtAnotherTime(final String where, final String column, final String value)
    {
        put(where, 3, column, value);
        assertThat(look().findings()).isEmpty();
    }

    @Test
    void shouldNotBlameWhatHappenedInTheWarmUp()
    {
        put("member-1", 1, "naks_sent", "400");
        assertThat(look().findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "client, collection_ms, 3", "member-0, stall_ms, 5", "member-0, write_ms, 100", "member-0, run_delay_ms, 80",
        "machine, steal_ms, 5", "machine, throttled_ms, 2", "interval, back_pressured, 5", "client, major_faults, 3",
        "interval, client_tail_share, 0.499" })
    void shouldNotBlameWhatIsTooSmall(final String where, final String column, final String value)
    {
        put(where, SLOW, column, value);
        assertThat(look().findings()).isEmpty();
    }

    @Test
    void shouldTellHowLongClientAndMembersWaitedForCores()
    {
        put("client", SLOW, "run_delay_ms", "450");
        put("member-0", SLOW, "run_delay_ms", "900");
        put("member-1", SLOW + 1, "run_delay_ms", "1200");
        final ClientShare.CoreWait wait = Findings.coreWait(observation());
        final double lengthS = ROW_COUNT - 2;
        assertThat(wait.clientMsPerS()).isCloseTo(450 / lengthS, within(1e-9));
        assertThat(wait.membersMsPerS()).isCloseTo(2_100 / lengthS, within(1e-9));

        processes = List.of("client");
        assertThat(Findings.coreWait(observation()).membersMsPerS()).as("on other machines").isNaN();
    }

    @Test
    void shouldTellOfAStopThatSlowedNothing()
    {
        put("member-1", 3, "stall_ms", "2000");
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly("stopped");
        assertThat(findings.get(0).share()).isZero();
        assertThat(findings.get(0).cause()).contains("member-1 2,000 ms");
    }

    @Test
    void shouldExplainTheLongestStallOfSeveralClientsByTheCollectionOfAnyOfThem()
    {
        processes = List.of("client-0", "client-1", "member-0", "member-1");
        put("client-0", SLOW, "collection_ms", "600");
        put("interval", SLOW, "stall_max_us", "600000");
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly("collection");

        put("client-0", SLOW, "collection_ms", "3");
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly("stopped");
        assertThat(findings.get(0).cause()).contains("(the clients 60");
    }

    @Test
    void shouldTellOfAMemberThatHadNoCoreTimeAtAll()
    {
        put("member-1", SLOW, "cpu_ms", "0");
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly("stopped");
    }

    @Test
    void shouldCountOneCollectionInTheSingular()
    {
        put("client", SLOW, "collection_ms", "25");
        put("client", SLOW, "collections", "1");
        assertThat(look().findings().get(0).cause()).endsWith("client 25 ms in 1 collection");

        put("client", SLOW, "collections", "2");
        assertThat(look().findings().get(0).cause()).endsWith("client 25 ms in 2 collections");
    }

    @Test
    void shouldExplainAStallByItsCollection()
    {
        put("member-0", SLOW, "stall_ms", "40");
        put("member-0", SLOW, "collection_ms", "38");
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly("collection");
    }

    @Test
    void shouldBlameOtherProgramsOnlyWhereNoCoreWasIdle()
    {
        put("machine", SLOW, "user_ms", "1900");
        assertThat(look().findings()).isEmpty();

        idle = "20";
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly("other-programs");
        assertThat(findings.get(0).cause()).contains("other programs used 1.7 cores");
    }

    @Test
    void shouldBlameTheDiskForALongWriteOnlyIfThreadsWaitedForIt()
    {
        for (int row = SLOW; row < ROW_COUNT; row++)
        {
            put("member-0", row, "write_max_ms", "28");
        }
        put("member-0", SLOW, "write_ms", "60");
        put("machine", SLOW, "io_pressure_ms", "1");
        assertThat(look().findings()).isEmpty();

        put("machine", SLOW, "io_pressure_ms", "25");
        assertThat(look().findings()).extracting(TailCause::rule).containsExactly("disk");
        assertThat(look().findings().get(0).cause()).contains("the longest 28.0 ms");
    }

    @Test
    void shouldTellOfWhatIsThereAllTheTimeThoughNoReplyStandsOut()
    {
        set.clear();
        idle = "20";
        for (int row = 0; row < ROW_COUNT; row++)
        {
            put("machine", row, "user_ms", "1900");
        }
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly("other-programs");
        assertThat(findings.get(0).present()).isEqualTo(1);
        assertThat(findings.get(0).share()).isZero();
    }

    @Test
    void shouldPutTheCauseOfMostFirst()
    {
        put("member-1", SLOW + 2, "naks_sent", "20");
        put("client", SLOW, "collection_ms", "25");
        final List<TailCause> findings = look().findings();
        assertThat(findings).extracting(TailCause::rule).containsExactly("collection", "loss");
        assertThat(findings.get(1).share()).isBetween(0.35, 0.45);
    }

    @Test
    void shouldSayThatItKnowsNoCause()
    {
        final Diagnosis diagnosis = look();
        assertThat(diagnosis.isLong()).isTrue();
        assertThat(diagnosis.tail()).isEqualTo("p99 is 100.0 times the median (20.0 ms, 200 us); no rule explains it");
    }

    @Test
    void shouldNotCallAShortTailLong()
    {
        assertThat(Findings.of(observation(), P50_NS, 4 * P50_NS, false).isLong()).isFalse();
    }

    @Test
    void shouldCallATailOfSecondsLongAlsoIfTheMedianIsAsSlow()
    {
        final Diagnosis slow = Findings.of(observation(), 9_000_000_000L, 10_000_000_000L, false);
        assertThat(slow.isLong()).isTrue();
        assertThat(slow.tail()).startsWith("p99 is 1.1 times the median (10.0 s, 9.00 s): most replies were slow");
        assertThat(Findings.of(observation(), 300_000_000L, 999_000_000L, false).isLong()).isFalse();
    }

    @Test
    void shouldNotStateAPercentileThatIsNotKnown()
    {
        final Diagnosis diagnosis = Findings.of(observation(), P50_NS, null, false);
        assertThat(diagnosis.isLong()).isFalse();
        assertThat(diagnosis.tail())
            .isEqualTo("too few response times for a p99, their median is 200 us; no rule explains it");
        assertThat(Findings.of(observation(), 1_000_000_000L, null, false).isLong()).isTrue();
    }

    @Test
    void shouldSayThatNothingWasCounted()
    {
        final IntervalTable seen = new IntervalTable(intervals(), new CsvTable(List.of()), new CsvTable(List.of()));
        final Diagnosis diagnosis = Findings.of(seen, P50_NS, LONG_NS, false);
        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.tail()).contains("no counters were recorded");
    }

    private Diagnosis look()
    {
        return Findings.of(observation(), P50_NS, LONG_NS, false);
    }

    private void slow(final int row, final int p99Ms)
    {
        put("interval", row, "response_p99_us", String.valueOf(1_000 * p99Ms));
        put("interval", row, "response_max_us", String.valueOf(1_200 * p99Ms));
    }

    private void put(final String where, final int row, final String column, final String value)
    {
        set.put(where + " " + row + " " + column, value);
    }

    private String get(final String where, final int row, final String column, final String usual)
    {
        return set.getOrDefault(where + " " + row + " " + column, usual);
    }

    private IntervalTable observation()
    {
        final List<String> counters = new ArrayList<>();
        final StringBuilder header = new StringBuilder("begin_s,end_s,process,pid");
        for (final CounterColumn column : CounterColumn.values())
        {
            header.append(',').append(column.label());
        }
        counters.add(header.toString());
        final List<String> machine = new ArrayList<>();
        final StringBuilder machineHeader = new StringBuilder("begin_s,end_s");
        for (final MachineColumn column : MachineColumn.values())
        {
            machineHeader.append(',').append(column.label());
        }
        machine.add(machineHeader.toString());
        for (int row = 0; row < ROW_COUNT; row++)
        {
            for (final String process : processes)
            {
                final StringBuilder line = new StringBuilder(row + ".000," + (row + 1) + ".000," + process + ",");
                line.append(get(process, row, "pid", "1"));
                for (final CounterColumn column : CounterColumn.values())
                {
                    final String usual = switch (column)
                    {
                        case CPU_MS -> "100";
                        case ROLE -> "member-0".equals(process) ? "2" : "0";
                        default -> "0";
                    };
                    line.append(',').append(get(process, row, column.label(), usual));
                }
                counters.add(line.toString());
            }
            final StringBuilder line = new StringBuilder(row + ".000," + (row + 1) + ".000");
            for (final MachineColumn column : MachineColumn.values())
            {
                final String usual = switch (column)
                {
                    case IDLE_MS -> idle;
                    case USER_MS, SYSTEM_MS -> "100";
                    default -> "";
                };
                line.append(',').append(get("machine", row, column.label(), usual));
            }
            machine.add(line.toString());
        }
        return new IntervalTable(intervals(), new CsvTable(counters), new CsvTable(machine));
    }

    private CsvTable intervals()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("begin_s,end_s,phase,leader,sent,answered,in_flight,back_pressured,disconnected,response_p50_us," +
            "response_p99_us,response_max_us,send_delay_p99_us,client_tail_share,stall_max_us");
        for (int row = 0; row < ROW_COUNT; row++)
        {
            lines.add(String.join(
                ",", row + ".000", (row + 1) + ".000", row < 2 ? "warm_up" : "measure", "0",
                get("interval", row, "sent", "10000"),
                get("interval", row, "answered", "10000"), get("interval", row, "in_flight", "0"),
                get("interval", row, "back_pressured", "0"), "0", "200",
                get("interval", row, "response_p99_us", "400"),
                get("interval", row, "response_max_us", "900"), get("interval", row, "send_delay_p99_us", "5"),
                get("interval", row, "client_tail_share", ""), get("interval", row, "stall_max_us", "100")));
        }
        return new CsvTable(lines);
    }
}
