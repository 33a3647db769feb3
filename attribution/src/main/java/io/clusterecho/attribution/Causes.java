package io.clusterecho.attribution;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.attribution.Cause.State;

/**
 * Why the parts of slow messages took as long as they did: what the threads on their path did meanwhile, from the events of the
 * scheduler in their order. At each time one thread is charged: the one that ends the part if it is held up, since the part
 * cannot end then; else the first of the others on the path that is. The last time that the former was held up before the part
 * ended is certain, all else is possible. What one of them did that is not known makes the time unknown, unless a thread before
 * it was held up. One thread.
 */
final class Causes
{
    private static final String AGENT = "CLIENT load-agent";
    private static final String DRIVER = " (sender|receiver|aeronmd|/.*)";
    private static final String CLIENT = AGENT + "|CLIENT" + DRIVER;
    private static final String CONSENSUS = "LEADER (duty-cycle|consensus.*)";
    private static final String SERVICE = "LEADER (duty-cycle|clustered-serv.*)";
    private static final String LEADER = CONSENSUS + "|LEADER archive.*|" + SERVICE + "|LEADER" + DRIVER;
    private static final String FOLLOWER = "FOLLOWER (duty-cycle|consensus.*|archive.*)|FOLLOWER" + DRIVER;
    /** In which a thread that has no work looks for messages. */
    private static final long DUTY_CYCLE_NS = 20_000;
    private static final String VM = ".* (VM Thread|GC Thread#.*)";
    private static final int NO_THREAD = -1;

    private final Map<Integer, PathThread> threads = new TreeMap<>();
    /** What threads do now, and on which core they run or in whose queue they are, by their numbers. */
    private final Map<Integer, State> states = new HashMap<>();
    private final Map<Integer, Integer> cores = new HashMap<>();
    private final Map<String, Path> paths = new HashMap<>();
    private final Map<SlowMessage, List<PartTime>> parts = new IdentityHashMap<>();
    /** Parts that have not begun, and those that have, but have not ended. */
    private final PriorityQueue<PartTime> coming = new PriorityQueue<>(Comparator.comparingLong(PartTime::fromNs));
    private final List<PartTime> current = new ArrayList<>();
    /** Threads that have the cores, and names of threads, both by their numbers. */
    private final Map<Integer, Integer> holders = new HashMap<>();
    private final Map<Integer, String> names;
    /** Threads that have begun to run at a safepoint and have not slept since. */
    private final Set<PathThread> safepoints = new HashSet<>();
    private long nowNs = Long.MIN_VALUE;

    /**
     * A thread of a client or member.
     *
     * @param process that it is of: a media driver's is not that of its user.
     * @param carrier what it is for messages: a role and its own name.
     * @param isVm    whether it runs while all others of its JVM are at a safepoint.
     */
    private record PathThread(int number, String name, String process, String carrier, boolean isVm)
    {
    }

    /**
     * Threads that carry a message in a part, none where it is not known which.
     *
     * @param enders    without which it does not end; none if it ends without a thread.
     * @param followers of each its threads.
     */
    private record Path(Part part, List<PathThread> enders, List<PathThread> others, Collection<List<PathThread>> followers)
    {
    }

    /**
     * The time of a part of a message, and who was charged for it so far; what is left is not known.
     *
     * @param last since the thread that ends it was held up after it had run in vain.
     */
    private record PartTime(Path path, long fromNs, long toNs, Map<Cause, Long> possible, Map<Cause, Long> last)
    {
        private void add(final Cause cause, final long timeNs)
        {
            if (cause.isCertainHoldUp() && DUTY_CYCLE_NS <= otherNs())
            {
                // The message may not have been there yet.
                demote();
            }
            last.merge(cause, timeNs, Long::sum);
        }

        private long otherNs()
        {
            return last.entrySet().stream().filter((one) -> !one.getKey().isCertainHoldUp()).mapToLong(Map.Entry::getValue).sum();
        }

        private void demote()
        {
            last.forEach((one, ns) -> possible.merge(
                one.with(one.holder(), one.isCertain() && !one.isCertainHoldUp(), 0), ns, Long::sum));
            last.clear();
        }

        private Stream<Cause> causes()
        {
            if (otherNs() - DUTY_CYCLE_NS > last.values().stream().mapToLong(Long::longValue).sum() - otherNs())
            {
                // It then ran for longer than it had been held up: the message came later, not from a queue.
                demote();
            }
            last.forEach((one, ns) -> possible.merge(one, ns, Long::sum));
            final long knownNs = possible.values().stream().mapToLong(Long::longValue).sum();
            possible.merge(unknown(path), toNs - fromNs - knownNs, Long::sum);
            return possible.entrySet().stream().filter((one) -> one.getValue() > 0)
                .map((one) -> one.getKey().with(one.getKey().holder(), one.getKey().isCertain(), one.getValue()));
        }
    }

    /**
     * Before the first event.
     *
     * @param names   of threads of client and members, by their numbers: that of the process, as in {@code member-1} or {@code
     *                member-1-driver}, and after a blank that which the kernel knows, at most 15 characters; changed by this.
     * @param leader  the process of the leader; if it is empty, members are on no path.
     * @param startNs begin of the schedule, as {@link System#nanoTime()}.
     */
    Causes(final Map<Integer, String> names, final String leader, final List<SlowMessage> messages, final long startNs)
    {
        this.names = names;
        names.forEach((number, given) ->
        {
            final String name = given.replaceFirst("-driver ", " ");
            threads.put(number, new PathThread(
                number, name, given.split(" ")[0], name.startsWith("client ") ? name.replaceFirst("client", "CLIENT") :
                leader.isEmpty() ? "" :
                name.replaceFirst(leader + " ", "LEADER ").replaceFirst("member-[0-9]+", "FOLLOWER"), name.matches(VM)));
        });
        threads.forEach((number, thread) -> names.put(number, thread.name));
        names.put(NO_THREAD, "unknown");
        for (final SlowMessage message : messages)
        {
            final List<PartTime> times = new ArrayList<>();
            final Map<Part, Long> partsNs = new EnumMap<>(message.partsNs());
            long fromNs = startNs + message.dueNs();
            for (final Map.Entry<Part, Long> part : partsNs.entrySet())
            {
                times.add(new PartTime(
                    path(part.getKey(), partsNs.keySet()), fromNs, fromNs + part.getValue(), new LinkedHashMap<>(),
                    new LinkedHashMap<>()));
                fromNs += part.getValue();
            }
            parts.put(message, times);
            coming.addAll(times);
        }
    }

    /** Of a part of a message with these parts. */
    private Path path(final Part part, final Set<Part> all)
    {
        // With the ways to the leader and back in one part it is not known when the parts between them were.
        final boolean isTimeKnown = !all.contains(Part.UNKNOWN) || !all.contains(Part.LOG);
        final boolean isArrivalKnown = all.contains(Part.RECEIVE_LATENESS);
        return switch (part)
        {
            case SEND_DELAY -> path(part, true, AGENT, "");
            case BACK_PRESSURE -> path(part, true, AGENT, LEADER + "|CLIENT" + DRIVER);
            case RECEIVE_LATENESS -> path(part, true, AGENT, "CLIENT" + DRIVER);
            case UNKNOWN -> path(part, isTimeKnown, "", LEADER + "|" + CLIENT + "|" + FOLLOWER);
            case TO_LEADER -> path(part, isTimeKnown, CONSENSUS, "LEADER" + DRIVER + "|" + CLIENT);
            case LOG -> path(part, isTimeKnown, CONSENSUS, "LEADER archive.*");
            case QUORUM -> path(part, isTimeKnown, CONSENSUS, "LEADER" + DRIVER + "|" + FOLLOWER);
            case TO_SERVICE -> path(part, isTimeKnown, SERVICE, "");
            case TO_CLIENT -> path(
                part, isTimeKnown, isArrivalKnown ? "" : AGENT,
                SERVICE + "|LEADER" + DRIVER + "|" + (isArrivalKnown ? CLIENT : "CLIENT" + DRIVER));
        };
    }

    /** By patterns of role and name; without threads if there is none that ends it, or if it is not known who leads. */
    private Path path(final Part part, final boolean isTimeKnown, final String ending, final String others)
    {
        return paths.computeIfAbsent(part + " " + isTimeKnown + ending, (key) ->
        {
            final List<PathThread> enders = threads(ending);
            final Map<Boolean, List<PathThread>> beside = threads(others).stream()
                .collect(Collectors.partitioningBy((one) -> one.carrier.startsWith("FOLLOWER")));
            final boolean isKnown = isTimeKnown && (ending.isEmpty() || !enders.isEmpty()) &&
                (!others.contains("LEADER") || !threads(LEADER).isEmpty());
            return !isKnown ? new Path(part, List.of(), List.of(), List.of()) : new Path(
                part, enders, beside.get(false), beside.get(true).stream()
                .collect(Collectors.groupingBy((one) -> one.name.split(" ")[0], TreeMap::new, Collectors.toList())).values());
        });
    }

    private List<PathThread> threads(final String pattern)
    {
        return threads.values().stream().filter((one) -> one.carrier.matches(pattern))
            .sorted(Comparator.comparing(PathThread::carrier).reversed()).toList();
    }

    /** The next event is at this time, in ns; before each of them. */
    void until(final long timeNs)
    {
        final Map<Path, Cause> causes = new IdentityHashMap<>();
        while (!coming.isEmpty() && coming.peek().fromNs < timeNs)
        {
            current.add(coming.poll());
        }
        current.forEach((one) -> one.add(
            causes.computeIfAbsent(one.path, this::cause), Math.min(one.toNs, timeNs) - Math.max(one.fromNs, nowNs)));
        current.removeIf((one) -> one.toNs <= timeNs);
        nowNs = timeNs;
    }

    private Cause cause(final Path path)
    {
        final PathThread ender = worst(path.enders);
        // Half of the members have to append it, besides the leader: the fastest of them.
        final PathThread follower = path.followers.stream().map(this::worst).sorted(Comparator.comparing(this::state).reversed())
            .skip(Math.max(0, path.followers.size() - 1) / 2).findFirst().orElse(null);
        final List<PathThread> all = Stream.of(ender, worst(path.others), follower).filter(Objects::nonNull).toList();
        final PathThread charged = all.stream().filter((one) -> state(one).compareTo(State.UNKNOWN) <= 0).findFirst()
            .orElse(all.isEmpty() ? null : all.get(0));
        return null == charged ? unknown(path) : new Cause(
            path.part, charged.name, state(charged), State.WAITING != state(charged) ? null :
            names.get(holders.getOrDefault(cores.get(charged.number), NO_THREAD)),
            charged == ender && State.UNKNOWN != state(charged), 0);
    }

    private static Cause unknown(final Path path)
    {
        return new Cause(path.part, null, State.UNKNOWN, null, false, 0);
    }

    /** The first of those that are held up most; null if there is none. */
    private PathThread worst(final List<PathThread> path)
    {
        return path.stream().min(Comparator.comparing(this::state)).orElse(null);
    }

    private State state(final PathThread thread)
    {
        final State own = states.getOrDefault(thread.number, State.UNKNOWN);
        return State.SLEEPING == own && safepoints.stream().anyMatch((one) -> one.process.equals(thread.process)) ?
            State.SAFEPOINT : own;
    }

    /** A core goes from one thread, which is then in some state, to another; 0 is none. */
    void onSwitch(final int core, final int from, final State state, final int to, final String toName)
    {
        if (0 != to && !threads.containsKey(to))
        {
            names.put(to, toName);
        }
        holders.put(core, to);
        change(from, state, core);
        change(to, State.RUNNING, core);
        if (State.WAITING != state)
        {
            safepoints.remove(threads.get(from));
        }
        final PathThread taker = threads.get(to);
        if (null != taker && taker.isVm)
        {
            safepoints.add(taker);
        }
    }

    /** A thread that slept, or one that waits and is moved, is in the queue of a core. */
    void onRunnable(final int core, final int number, final boolean isMoved)
    {
        if (State.RUNNING != states.get(number) && isMoved == (State.WAITING == states.get(number)))
        {
            change(number, State.WAITING, core);
        }
    }

    private void change(final int number, final State state, final int core)
    {
        states.put(number, state);
        cores.put(number, core);
    }

    /** Events of a core are missing: nothing is known of the time until now, and of a thread until its next event. */
    void forget()
    {
        parts.values().stream().flatMap(List::stream).flatMap((one) -> Stream.of(one.possible, one.last)).forEach(Map::clear);
        states.clear();
        holders.clear();
        safepoints.clear();
    }

    /** Add their causes to the messages, in the order of the path, of each part the longest first; after the last event. */
    void explain()
    {
        until(Long.MAX_VALUE);
        parts.forEach((message, times) -> message.causes().addAll(Cause.sums(times.stream().flatMap(PartTime::causes))));
    }
}
