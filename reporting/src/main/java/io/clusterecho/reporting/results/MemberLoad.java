package io.clusterecho.reporting.results;

import java.util.Comparator;
import java.util.List;

import io.clusterecho.text.Lines;

/**
 * What a member did in the measured window.
 *
 * @param role     in words, its roles in the order in which it had them; empty if unknown.
 * @param cores    that its threads used, on average.
 * @param limit    what its threads waited for most, in words.
 * @param logBytesPerSecond growth of its log while messages were sent; null if unknown. Also for each of these, with headers.
 */
public record MemberLoad(
    int memberId, String role, double cores, String limit, Double logBytesPerSecond, Double logBytesPerMessage)
{
    /** A line of a result, of at most 100 columns while its role does not change. */
    public String text()
    {
        return Lines.text("member %-3d %-9s %5.2f cores; %s", memberId, role, cores, limit);
    }

    /** What each disk must take, by the member whose log grew most; no line where none is known. */
    static List<String> logText(final List<MemberLoad> members)
    {
        return members.stream().filter((one) -> null != one.logBytesPerSecond)
            .max(Comparator.comparing(MemberLoad::logBytesPerSecond)).stream().map((one) -> Lines.text(
            "log        grew by %,.1f kB/s on each member, %,.0f bytes a message", one.logBytesPerSecond / 1e3,
            one.logBytesPerMessage)).toList();
    }
}
