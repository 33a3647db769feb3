package io.clusterecho.control.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Endings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.HeldLog;

/** What members have of the log on their disks, for commands that could destroy the longest. */
final class Holdings
{
    /** The end of each log: {@code readable logs: member 0 up to position 96 (longest), member 1 none (damaged)}. */
    static String text(final List<ClusterMember> members)
    {
        final Map<ClusterMember, Long> ends = new LinkedHashMap<>();
        members.forEach((member) ->
            ends.put(member, ControlFailure.orElse(() -> member.held(Long.MAX_VALUE).endPosition(), -1L)));
        final long longest = ends.keySet().stream().filter((member) -> !isDamaged(member)).mapToLong(ends::get).max().orElse(0);
        return "readable logs: " + ends.keySet().stream().map((member) -> "member " + member.memberId() +
            (ends.get(member) < 0 ? " unknown" : 0 == ends.get(member) ? " none" : " up to position " + ends.get(member)) +
            (isDamaged(member) ? " (damaged)" : longest == ends.get(member) && longest > 0 ? " (longest)" : ""))
            .collect(Collectors.joining(", "));
    }

    private static boolean isDamaged(final ClusterMember member)
    {
        return ControlFailure.orElse(member::exitCode, OptionalInt.empty()).orElse(-1) == ExitStatus.DATA_CORRUPT.code();
    }

    /** What to do when too few members have data that can be read. */
    static String advice(final List<ClusterMember> members, final Path baseDir)
    {
        return text(members) + "\nno majority can read its data: copy that of a member with the longest log to another " +
            "(docs/FAULTS.md, \"More than one damaged member\"); then: " + Endings.startCommand(members, baseDir);
    }

    /** Check that a leader has all that a member can read of its log, of which it may be the only copy. */
    static void checkIsIn(final ClusterMember member, final ClusterMember leader, final List<ClusterMember> members)
    {
        final HeldLog own = member.held(Long.MAX_VALUE);
        final HeldLog leaders = leader.held(own.endPosition());
        // What the leader has purged is in its snapshot.
        if (own.endPosition() > leaders.startPosition() && !leaders.endsAs(own))
        {
            throw ControlFailure.notReady(
                (leaders.endPosition() < own.endPosition() ? "the log of member " + member.memberId() + " is longer than" :
                "the last message in the log of member " + member.memberId() + ", at position " + own.lastPosition() +
                ", is not in") + " that of the leader, member " + leader.memberId() +
                ": its data may be the only copy of acknowledged messages, so nothing was changed; " + text(members) +
                "; see \"Which log to keep\" in docs/FAULTS.md");
        }
    }
}
