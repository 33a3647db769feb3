package io.clusterecho.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.attribution.Cause.State;

import org.junit.jupiter.api.Test;

class CausesTest
{
    private static final int CLIENT = 10;
    private static final int LEADER = 20;
    private static final int FOLLOWER = 30;
    private static final int OTHER_FOLLOWER = 40;
    private static final int COMPILER = 50;
    private static final int VM_THREAD = 60;
    private static final int DRIVER = 80;
    private static final int IDLE = 0;
    private static final long START_NS = 1_000_000_000;
    private static final Map<Integer, String> THREADS = Map.of(
        CLIENT, "client load-agent", LEADER, "member-1 duty-cycle", FOLLOWER, "member-0 duty-cycle",
        OTHER_FOLLOWER, "member-2 duty-cycle", COMPILER, "member-2 C2 CompilerThre",
        VM_THREAD, "member-1 VM Thread", DRIVER, "member-1-driver aeronmd");

    private final List<Event> events = new ArrayList<>();

    private record Event(long timeNs, Consumer<Causes> event)
    {
    }

    CausesTest()
    {
        // Each on a core of its own, since before the schedule.
        for (final int thread : List.of(CLIENT, LEADER, FOLLOWER, OTHER_FOLLOWER, DRIVER))
        {
            switches(thread, -1_000, IDLE, State.SLEEPING, thread, "");
        }
    }

    @Test
    void shouldChargeAStopOfTheLeaderToThePartsThatItEnds()
    {
        leaves(LEADER, 100, State.STOPPED);
        wakes(LEADER, 600);

        assertThat(causes(Map.of(Part.TO_LEADER, 150L, Part.LOG, 350L, Part.QUORUM, 200L))).containsExactly(
            cause(Part.TO_LEADER, LEADER, State.RUNNING, null, true, 100),
            cause(Part.TO_LEADER, LEADER, State.STOPPED, null, true, 50),
            cause(Part.LOG, LEADER, State.STOPPED, null, true, 350),
            cause(Part.QUORUM, LEADER, State.STOPPED, null, true, 100),
            cause(Part.QUORUM, LEADER, State.RUNNING, null, true, 100));
    }

    @Test
    void shouldChargeASafepointWhileTheVmThreadRunsOrWaits()
    {
        leaves(LEADER, 100, State.SLEEPING);
        // For a short task: woken, it does not stop others yet.
        at(150, (causes) -> causes.onRunnable(LEADER, VM_THREAD, false));
        switches(LEADER, 200, IDLE, State.SLEEPING, VM_THREAD, "VM Thread");
        switches(LEADER, 300, VM_THREAD, State.WAITING, COMPILER, "C2 CompilerThre");
        switches(LEADER, 350, COMPILER, State.WAITING, VM_THREAD, "VM Thread");
        switches(LEADER, 400, VM_THREAD, State.SLEEPING, IDLE, "swapper");
        wakes(LEADER, 450);

        assertThat(causes(Map.of(Part.LOG, 500L))).containsExactly(
            cause(Part.LOG, LEADER, State.SAFEPOINT, null, true, 200),
            cause(Part.LOG, LEADER, State.RUNNING, null, true, 150),
            cause(Part.LOG, LEADER, State.SLEEPING, null, true, 150));
    }

    @Test
    void shouldBeCertainOfNoTimeAfterWhichTheThreadRanForLonger()
    {
        leaves(LEADER, 1_000_000, State.STOPPED);
        wakes(LEADER, 2_000_000);

        assertThat(causes(Map.of(Part.TO_LEADER, 5_000_000L))).containsExactly(
            cause(Part.TO_LEADER, LEADER, State.RUNNING, null, true, 4_000_000),
            cause(Part.TO_LEADER, LEADER, State.STOPPED, null, false, 1_000_000));
    }

    @Test
    void shouldKnowTheThreadOfADriverOfItsOwn()
    {
        leaves(DRIVER, 100, State.STOPPED);
        wakes(DRIVER, 300);

        assertThat(causes(Map.of(Part.TO_LEADER, 500L))).containsExactly(
            cause(Part.TO_LEADER, LEADER, State.RUNNING, null, true, 300),
            cause(Part.TO_LEADER, DRIVER, State.STOPPED, null, false, 200));
    }

    @Test
    void shouldSayWhoHadTheCoreForWhichAThreadWaited()
    {
        switches(LEADER, 100, LEADER, State.WAITING, 70, "kworker/0:1");
        switches(LEADER, 150, 70, State.SLEEPING, COMPILER, "C2 CompilerThre");
        at(400, (causes) -> causes.onRunnable(CLIENT, LEADER, true));
        switches(CLIENT, 500, CLIENT, State.SLEEPING, IDLE, "swapper");
        switches(CLIENT, 520, IDLE, State.SLEEPING, LEADER, "duty-cycle");

        assertThat(causes(Map.of(Part.LOG, 600L))).containsExactly(
            cause(Part.LOG, LEADER, State.WAITING, "member-2 C2 CompilerThre", true, 250),
            cause(Part.LOG, LEADER, State.RUNNING, null, true, 180),
            cause(Part.LOG, LEADER, State.WAITING, "client load-agent", true, 100),
            cause(Part.LOG, LEADER, State.WAITING, "kworker/0:1", true, 50),
            cause(Part.LOG, LEADER, State.WAITING, null, true, 20));
    }

    @Test
    void shouldNotNameWhoHadACoreOfWhichThereIsNoEvent()
    {
        leaves(LEADER, 0, State.SLEEPING);
        at(100, (causes) -> causes.onRunnable(7, LEADER, false));

        assertThat(causes(Map.of(Part.LOG, 200L))).containsExactlyInAnyOrder(
            cause(Part.LOG, LEADER, State.SLEEPING, null, true, 100),
            cause(Part.LOG, LEADER, State.WAITING, "unknown", true, 100));
    }

    @Test
    void shouldSumUpThoseWhoHadTheCoreForAShortTime()
    {
        for (int i = 0; i < 300; i++)
        {
            switches(LEADER, i, 0 == i ? LEADER : 99 + i, State.WAITING, 100 + i, "thread-" + i);
        }

        assertThat(causes(Map.of(Part.LOG, 1_000L))).containsExactly(
            cause(Part.LOG, LEADER, State.WAITING, "thread-299", true, 701),
            cause(Part.LOG, LEADER, State.WAITING, "others", true, 299));
    }

    @Test
    void shouldChargeTheQuorumOnlyWhileNoFollowerThatSufficesIsFree()
    {
        leaves(FOLLOWER, 0, State.BLOCKED);
        leaves(OTHER_FOLLOWER, 300, State.BLOCKED);
        wakes(FOLLOWER, 400);
        wakes(OTHER_FOLLOWER, 900);

        assertThat(causes(Map.of(Part.QUORUM, 1_000L))).containsExactly(
            cause(Part.QUORUM, LEADER, State.RUNNING, null, true, 900),
            cause(Part.QUORUM, FOLLOWER, State.BLOCKED, null, false, 100));
    }

    /** It ran between the two for longer than a duty cycle: the message may have come later, as over a slow link. */
    @Test
    void shouldBeCertainOnlyOfTheLastTimeBeforeTheEnd()
    {
        leaves(LEADER, 100, State.STOPPED);
        leaves(CLIENT, 150, State.BLOCKED);
        wakes(LEADER, 200);
        leaves(LEADER, 1_100_000, State.STOPPED);
        wakes(LEADER, 1_200_000);
        leaves(LEADER, 1_210_000, State.BLOCKED);
        wakes(LEADER, 1_310_000);

        assertThat(causes(Map.of(Part.TO_LEADER, 1_410_000L))).containsExactly(
            cause(Part.TO_LEADER, CLIENT, State.BLOCKED, null, false, 1_099_800 + 10_000 + 100_000),
            cause(Part.TO_LEADER, LEADER, State.STOPPED, null, true, 100_000),
            cause(Part.TO_LEADER, LEADER, State.BLOCKED, null, true, 100_000),
            cause(Part.TO_LEADER, LEADER, State.RUNNING, null, true, 100),
            cause(Part.TO_LEADER, LEADER, State.STOPPED, null, false, 100));
    }

    @Test
    void shouldSayWhatIsPossibleOnly()
    {
        leaves(CLIENT, 100, State.BLOCKED);
        wakes(CLIENT, 300);
        leaves(LEADER, 700, State.STOPPED);

        assertThat(causes(Map.of(Part.SEND_DELAY, 200L, Part.TO_LEADER, 400L, Part.UNKNOWN, 200L))).containsExactly(
            cause(Part.SEND_DELAY, CLIENT, State.RUNNING, null, true, 100),
            cause(Part.SEND_DELAY, CLIENT, State.BLOCKED, null, true, 100),
            cause(Part.UNKNOWN, CLIENT, State.BLOCKED, null, false, 100),
            cause(Part.UNKNOWN, LEADER, State.RUNNING, null, false, 100),
            cause(Part.TO_LEADER, LEADER, State.RUNNING, null, true, 300),
            cause(Part.TO_LEADER, LEADER, State.STOPPED, null, true, 100));
    }

    @Test
    void shouldChargeTheWayBackToTheAgentUnlessTheArrivalIsKnown()
    {
        leaves(CLIENT, 100, State.STOPPED);
        wakes(CLIENT, 900);

        assertThat(causes(Map.of(Part.TO_CLIENT, 1_000L)))
            .contains(cause(Part.TO_CLIENT, CLIENT, State.STOPPED, null, true, 800));
        assertThat(causes(Map.of(Part.TO_CLIENT, 500L, Part.RECEIVE_LATENESS, 500L))).containsExactly(
            cause(Part.TO_CLIENT, CLIENT, State.STOPPED, null, false, 400),
            cause(Part.TO_CLIENT, LEADER, State.RUNNING, null, false, 100),
            cause(Part.RECEIVE_LATENESS, CLIENT, State.STOPPED, null, true, 400),
            cause(Part.RECEIVE_LATENESS, CLIENT, State.RUNNING, null, true, 100));
    }

    @Test
    void shouldNotKnowWhatEventsAndTimesDoNotTell()
    {
        at(400, Causes::forget);
        switches(LEADER, 500, LEADER, State.WAITING, 60, "hog");

        assertThat(causes(Map.of(Part.LOG, 600L))).extracting(Cause::state, Cause::timeNs)
            .containsExactlyInAnyOrder(tuple(State.UNKNOWN, 400L), tuple(State.UNKNOWN, 100L), tuple(State.WAITING, 100L));
        assertThat(causes(Map.of(Part.SEND_DELAY, 500L))).extracting(Cause::state)
            .containsOnly(State.UNKNOWN);
        // With the ways both together, the parts between have no times.
        assertThat(causes(Map.of(Part.UNKNOWN, 100L, Part.LOG, 200L)))
            .containsExactly(unknown(Part.UNKNOWN, 100), unknown(Part.LOG, 200));
        // Without a leader that is known.
        assertThat(explained(Map.of(Part.UNKNOWN, 300L), "").causes()).containsExactly(unknown(Part.UNKNOWN, 300));
    }

    /** Of the driver there is no event: it may have been held up. */
    @Test
    void shouldNotSayThatNoThreadWasHeldUpIfOneIsNotKnown()
    {
        final Map<Integer, String> threads = new HashMap<>(THREADS);
        threads.put(21, "member-1 sender");

        assertThat(explained(Map.of(Part.TO_LEADER, 500L), "member-1", threads).causes()).containsExactly(new Cause(
            Part.TO_LEADER, "member-1 sender", State.UNKNOWN, null, false, 500));
    }

    @Test
    void shouldSumUpTheTail()
    {
        leaves(CLIENT, 0, State.BLOCKED);
        leaves(LEADER, 100, State.STOPPED);
        wakes(CLIENT, 100);
        wakes(LEADER, 600);
        switches(LEADER, 700, LEADER, State.WAITING, COMPILER, "C2 CompilerThre");
        final SlowMessage message = explained(Map.of(Part.TO_LEADER, 650L, Part.TO_SERVICE, 350L), "member-1");

        final SlowTail tail = SlowTail.of(List.of(message, message), 200);

        assertThat(tail.causes().stream().mapToLong(Cause::timeNs).sum()).isEqualTo(tail.responseTimeNs()).isEqualTo(2_000);
        assertThat(tail.text()).isEqualTo("""
            of the time of the slowest 1.00% (2 messages): 65% to leader, 35% to service
            causes     50% member-1 duty-cycle was stopped, \
            30% member-1 duty-cycle waited for a core (member-2 C2 CompilerThre), \
            10% no thread was held up, 10% client load-agent possibly was blocked in the kernel""");
        assertThat(SlowMessage.json(List.of(message))).contains(
            "\"causes\":[{\"part\":\"toLeaderNs\",\"thread\":\"member-1 duty-cycle\"," +
            "\"state\":\"STOPPED\",\"isCertain\":true,\"timeNs\":500}");
    }

    private void at(final long timeNs, final Consumer<Causes> event)
    {
        events.add(new Event(START_NS + timeNs, event));
    }

    private void switches(
        final int core, final long timeNs, final int from, final State state, final int to, final String name)
    {
        at(timeNs, (causes) -> causes.onSwitch(core, from, state, to, name));
    }

    private void leaves(final int thread, final long timeNs, final State state)
    {
        switches(thread, timeNs, thread, state, IDLE, "swapper");
    }

    private void wakes(final int thread, final long timeNs)
    {
        at(timeNs, (causes) -> causes.onRunnable(thread, thread, false));
        switches(thread, timeNs, IDLE, State.SLEEPING, thread, "its own");
    }

    private List<Cause> causes(final Map<Part, Long> partsNs)
    {
        final List<Cause> causes = explained(partsNs, "member-1").causes();
        // Nothing is counted twice, and nothing is left out.
        assertThat(causes.stream().collect(Collectors.groupingBy(Cause::part, Collectors.summingLong(Cause::timeNs))))
            .isEqualTo(partsNs);
        return causes;
    }

    private SlowMessage explained(final Map<Part, Long> partsNs, final String leader)
    {
        return explained(partsNs, leader, new HashMap<>(THREADS));
    }

    private SlowMessage explained(final Map<Part, Long> partsNs, final String leader, final Map<Integer, String> threads)
    {
        final SlowMessage message = new SlowMessage(
            7, 0, partsNs.values().stream().mapToLong(Long::longValue).sum(), true, new EnumMap<>(partsNs), null);
        final Causes causes = new Causes(threads, leader, List.of(message), START_NS);
        events.stream().sorted(Comparator.comparingLong(Event::timeNs)).forEach((one) ->
        {
            causes.until(one.timeNs);
            one.event.accept(causes);
        });
        causes.explain();
        return message;
    }

    private static Cause cause(
        final Part part, final int thread, final State state, final String holder, final boolean isCertain, final long timeNs)
    {
        return new Cause(part, THREADS.get(thread).replace("-driver", ""), state, holder, isCertain, timeNs);
    }

    private static Cause unknown(final Part part, final long timeNs)
    {
        return new Cause(part, null, State.UNKNOWN, null, false, timeNs);
    }
}
