package io.clusterecho.reporting.results;

import java.util.Locale;

/**
 * What a member did in the measured window.
 *
 * @param role     in words, its roles in the order in which it had them; empty if unknown.
 * @param cores    that its threads used, on average.
 * @param limit    what its threads waited for most, in words.
 */
public record MemberLoad(int memberId, String role, double cores, String limit)
{
    /** A line of a result, of at most 100 columns while its role does not change. */
    public String text()
    {
        return String.format(Locale.ROOT, "member %-3d %-9s %5.2f cores; %s", memberId, role, cores, limit);
    }
}
