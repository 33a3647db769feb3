package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.MemberSeed;

/**
 * The members that one fault hits. Not thread-safe. Methods that query members or inject the fault may throw a
 * {@link ControlFailure}. Methods that bring members back do not, so a member that cannot return does not block the others.
 */
final class Victims
{
    /** Maximum restarts of a member that exits by itself. */
    static final int MAX_RESTARTS = 3;

    private static final long REQUEST_TIMEOUT_NS = 5_000_000_000L;
    private static final long EXIT_TIMEOUT_NS = 30_000_000_000L;
    private static final long KILL_TIMEOUT_NS = 10_000_000_000L;

    final FailoverLab lab;
    /** Strength of the fault. */
    final long amount;
    /** Members into which the fault was injected, or in part. */
    final List<ClusterMember> injected = new ArrayList<>();
    /** Victims that were healed, in order. */
    final List<Integer> healed = new ArrayList<>();
    /** When {@link #inject} was called. */
    long injectedNs;
    /** Whether {@link #toReturn} was called. */
    boolean isReturning;
    /** Whether {@link #bringBack} was called. */
    boolean isUndone;

    private final Fault fault;
    private final List<ClusterMember> members;
    private final Map<Integer, ClusterMember> peers = new HashMap<>();
    private final Map<Integer, Integer> restarts = new HashMap<>();
    /** The member into which the fault could not be injected, or null. */
    private ClusterMember refusing;
    private long exitDeadlineNs;
    private boolean isKilledForGood;

    /** Victims of a fault that is not injected yet. */
    Victims(final FaultSpec spec, final List<ClusterMember> members, final FailoverLab lab)
    {
        fault = spec.fault();
        amount = spec.amount();
        this.members = members;
        this.lab = lab;
    }

    List<Integer> memberIds()
    {
        return members.stream().map(ClusterMember::memberId).toList();
    }

    /** Member ids of the victims, and of those at the other end of their cut links. */
    List<Integer> affectedIds()
    {
        return Stream.concat(members.stream(), peers.values().stream()).map(ClusterMember::memberId).toList();
    }

    /** Do what precedes the fault; the time that it took, in ns. */
    long prepare()
    {
        if (!fault.is(Fault.Trait.AFTER_SNAPSHOT_REQUEST))
        {
            return 0;
        }

        final long beginNs = System.nanoTime();
        lab.cluster.requestSnapshot(Deadline.in(REQUEST_TIMEOUT_NS));
        Deadline.in(amount).await(() -> false);
        return System.nanoTime() - beginNs;
    }

    /** Inject the fault into one member after the other, up to the first failure. */
    void inject(final long nowNs)
    {
        injectedNs = nowNs;
        for (final ClusterMember victim : members)
        {
            // Added first, so that a partly injected fault is undone too.
            injected.add(victim);
            apply(fault.injection(), victim);
        }
        if (fault.is(Fault.Trait.LOSES_POWER))
        {
            members.forEach((victim) -> apply((member, with) -> member.disk(DiskAction.LOSE_POWER), victim));
        }
    }

    private void apply(final Fault.Action action, final ClusterMember victim)
    {
        refusing = victim;
        action.apply(victim, this);
        refusing = null;
    }

    boolean isInEffect()
    {
        return !fault.is(Fault.Trait.ENDS_PROCESS) || members.stream().noneMatch(ClusterMember::isAlive);
    }

    void toReturn(final long nowNs)
    {
        isReturning = true;
        exitDeadlineNs = nowNs + EXIT_TIMEOUT_NS;
    }

    /**
     * Whether the victims can be brought back: that was due at an earlier poll, and those whose process the fault ends have
     * exited. They are killed if they do not within 30 s. Adds a sentence for each failure.
     */
    boolean canReturn(final long nowNs, final boolean isDue, final List<String> problems)
    {
        if (!isReturning)
        {
            if (isDue)
            {
                toReturn(nowNs);
            }
            return false;
        }
        final List<ClusterMember> running = !fault.is(Fault.Trait.ENDS_PROCESS) ? List.of() :
            injected.stream().filter((victim) -> refusing != victim && !isGone(victim)).toList();
        final boolean isLate = nowNs - exitDeadlineNs >= 0;
        if (!running.isEmpty() && isLate && !isKilledForGood)
        {
            problems.add("member " + running.get(0).memberId() + " did not exit within 30 s of its fault and was killed");
            isKilledForGood = true;
            exitDeadlineNs = nowNs + KILL_TIMEOUT_NS;
            problems.addAll(each(running, "could not be killed", ClusterMember::kill));
            return false;
        }
        return running.isEmpty() || isLate;
    }

    /** Undo the fault on each victim; failures as a sentence for each member concerned. */
    List<String> bringBack()
    {
        isUndone = true;
        return each(injected, "did not return", (victim) ->
        {
            if (refusing == victim && fault.is(Fault.Trait.ENDS_PROCESS) && !isGone(victim))
            {
                return;
            }
            if (null != lab.rollout)
            {
                lab.rollout.prepareReturn(victim);
            }
            fault.undoing().apply(victim, this);
        });
    }

    /** Do something with each member; failures as a sentence for each member concerned. */
    private static List<String> each(
        final List<ClusterMember> members, final String failure, final Consumer<ClusterMember> action)
    {
        final List<String> failures = new ArrayList<>();
        for (final ClusterMember member : members)
        {
            try
            {
                action.accept(member);
            }
            catch (final RuntimeException ex)
            {
                failures.add("member " + member.memberId() + " " + failure + ": " + message(ex));
            }
        }
        return failures;
    }

    /**
     * Restart victims that have exited: a member that was paused for more than 10 s exits when it resumes. One that refuses its
     * data because the fault has cut off its last write gets that of the others, once they serve. Returns the one that has
     * exited too often.
     */
    OptionalInt restartGone()
    {
        for (final ClusterMember victim : members)
        {
            if (isGone(victim) && heal(victim))
            {
                if (restarts.merge(victim.memberId(), 1, Integer::sum) > MAX_RESTARTS)
                {
                    return OptionalInt.of(victim.memberId());
                }
                restart(victim);
            }
        }
        return OptionalInt.empty();
    }

    /** Restarts by {@link #restartGone}. */
    int restartCount()
    {
        return restarts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Heal a victim that is to be started, if it refuses its data; false if that has to wait for the others. */
    private boolean heal(final ClusterMember victim)
    {
        if (!fault.is(Fault.Trait.CUTS_WRITES) || ExitStatus.DATA_CORRUPT.code() != victim.exitCode().orElse(-1))
        {
            return true;
        }
        final Optional<ClusterMember> leader = lab.cluster.leader();
        // Without a majority no member's data may be given up.
        if (leader.isEmpty() || lab.cluster.followers().size() < lab.cluster.majority())
        {
            return false;
        }

        // Before its data is given up.
        final Optional<MemberSeed> seed = leader.get().seedAfterPurge();
        victim.cleanUp();
        victim.wipe();
        seed.ifPresent(victim::putSeed);
        healed.add(victim.memberId());
        return true;
    }

    boolean haveCommitted(final long position)
    {
        return members.stream().allMatch(
            (victim) -> victim.counters().map(MemberCounters::commitPosition).orElse(-1L) >= position);
    }

    static String message(final RuntimeException ex)
    {
        return ex instanceof ControlFailure ? ex.getMessage() : ex.toString();
    }

    /** The peer of a victim when it was first asked for. */
    ClusterMember partnerOf(final ClusterMember victim)
    {
        return peers.computeIfAbsent(victim.memberId(), (id) -> peerOf(victim));
    }

    /** The leader, or the member after the victim if that leads, or none does. */
    ClusterMember peerOf(final ClusterMember victim)
    {
        final int memberId = victim.memberId();
        final List<ClusterMember> all = lab.cluster.members();
        return lab.cluster.leader().filter((leader) -> memberId != leader.memberId())
            .orElseGet(() -> all.get((memberId + 1) % all.size()));
    }

    /** Start a member whose process has ended. */
    void restart(final ClusterMember member)
    {
        if (fault.is(Fault.Trait.OF_DISK))
        {
            // If its disk is not mounted, it would start with an empty folder.
            member.disk(DiskAction.CHECK);
        }
        member.cleanUp();
        member.start();
    }

    private static boolean isGone(final ClusterMember member)
    {
        try
        {
            return !member.isAlive();
        }
        catch (final RuntimeException ex)
        {
            // Its host does not answer yet.
            return false;
        }
    }
}
