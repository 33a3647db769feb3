package io.clusterecho.reporting.results;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.text.Lines;

/**
 * What a member did in the measured window.
 *
 * @param role     in words, its roles in the order in which it had them; empty if unknown.
 * @param cores    that its threads used, on average.
 * @param limit    what its threads waited for most, in words.
 * @param logBytesPerSecond  growth of its log while messages were sent, with those of other clients; null if unknown.
 * @param logBytesPerMessage the same for each message of this run that was answered; null if unknown, and with sessions that
 *                           came and went.
 * @param diskFullS          time in s from the end of the run until its disk has no space left, if all logs that are on it grow
 *                           like this one; null if unknown, and without growth.
 */
public record MemberLoad(
    int memberId, String role, double cores, String limit, Double logBytesPerSecond, Double logBytesPerMessage, Long diskFullS)
{
    /** A line of a result, of at most 100 columns while its role does not change. */
    public String text()
    {
        return Lines.text("member %-3d %-9s %5.2f cores; %s", memberId, role, cores, limit);
    }

    /** What a disk must take, by the leader or else the member whose log grew least, and which is full first, where known. */
    static List<String> logText(final List<MemberLoad> members)
    {
        return Stream.concat(members.stream().filter((one) -> null != one.logBytesPerSecond)
            .min(Comparator.comparing((MemberLoad one) -> !"leader".equals(one.role))
            .thenComparing(MemberLoad::logBytesPerSecond)).stream().map((one) -> Lines.text(
            "log        of member %d%s grew by %,.1f kB/s for all clients%s", one.memberId,
            one.role.isEmpty() ? "" : " (" + one.role + ")", one.logBytesPerSecond / 1e3, null == one.logBytesPerMessage ? "" :
            Lines.text(", %,.0f bytes for each reply", one.logBytesPerMessage))),
            members.stream().filter((one) -> null != one.diskFullS).min(Comparator.comparing(MemberLoad::diskFullS)).stream()
            .map((one) -> Lines.text("           the disk of member %d is full in %s if logs grow on like this",
            one.memberId, CalibrationNote.age(one.diskFullS)))).toList();
    }
}
