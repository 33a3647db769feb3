package io.clusterecho.control.member;

import java.util.List;

import io.clusterecho.node.member.ExitStatus;

/**
 * Describes the members of a cluster in the message of a failed command.
 */
public final class FailureText
{
    private static final int TAIL_LINES = 15;

    private FailureText()
    {
    }

    public static ControlFailure failure(final List<ClusterMember> members, final String reason)
    {
        final StringBuilder text = new StringBuilder(reason);
        for (final ClusterMember member : members)
        {
            text.append("\nmember ").append(member.memberId()).append(": ").append(state(member));
        }
        text.append(tailsOf(members));
        return new ControlFailure(ControlFailure.NOT_READY, text.toString());
    }

    private static String state(final ClusterMember member)
    {
        return member.counters()
            .map((counters) ->
                counters.role() + ", election " + counters.electionState() + ", term " + counters.leadershipTermId())
            .orElseGet(() ->
            {
                try
                {
                    return member.isAlive() ? "runs, but has no counters yet" : "does not run";
                }
                catch (final ControlFailure ex)
                {
                    return ex.getMessage();
                }
            });
    }

    /**
     * For a member that ended during a wait.
     */
    public static ControlFailure ofEnded(final ClusterMember member)
    {
        final int exitCode = member.exitCode().orElse(-1);
        return new ControlFailure(
            ExitStatus.CONFIGURATION.code() == exitCode ? ControlFailure.UNUSABLE : ControlFailure.NOT_READY,
            "member " + member.memberId() + " ended, exit status " + exitCode + tailsOf(List.of(member)));
    }

    public static String tailsOf(final List<ClusterMember> members)
    {
        final StringBuilder text = new StringBuilder();
        for (final ClusterMember member : members)
        {
            final String host = member.hostName().isEmpty() ? "" : member.hostName() + ":";
            text.append("\n").append(host).append(member.logFile()).append(" ends:");
            final List<String> output = output(member);
            output.subList(Math.max(0, output.size() - TAIL_LINES), output.size())
                .forEach((line) -> text.append("\n  ").append(line));
        }

        return text.toString();
    }

    private static List<String> output(final ClusterMember member)
    {
        try
        {
            return member.output();
        }
        catch (final ControlFailure ex)
        {
            return List.of("unknown: " + ex.getMessage());
        }
    }
}
