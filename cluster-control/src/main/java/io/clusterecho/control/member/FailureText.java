package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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
                    return member.isAlive() ? "runs, but has no counters yet" :
                        "does not run" + (exitCode(member) < 0 ? "" : ", exit status " + exitCode(member));
                }
                catch (final ControlFailure ex)
                {
                    return ex.getMessage();
                }
            });
    }

    /**
     * For members that ended during a wait.
     */
    public static ControlFailure ofEnded(final List<ClusterMember> members)
    {
        return new ControlFailure(
            members.stream().anyMatch((member) -> exitCode(member) == ExitStatus.CONFIGURATION.code()) ?
                ControlFailure.UNUSABLE : ControlFailure.NOT_READY,
            members.stream().map((member) -> "member " + member.memberId() + " ended, exit status " + exitCode(member))
                .collect(Collectors.joining("; ")) + tailsOf(members));
    }

    /**
     * For a cluster of which a majority serves.
     *
     * @param members of the cluster.
     * @param out     those that do not serve.
     * @param baseDir of the cluster.
     */
    public static ControlFailure ofDegraded(
        final List<ClusterMember> members, final List<ClusterMember> out, final Path baseDir)
    {
        final StringBuilder text = new StringBuilder();
        text.append(members.size() - out.size()).append(" of ").append(members.size())
            .append(" members serve and keep running; out of service:");
        for (final ClusterMember member : out)
        {
            text.append("\nmember ").append(member.memberId()).append(": ").append(state(member));
            text.append(reason(member).map((line) -> "\n  " + line).orElseGet(() -> tailsOf(List.of(member))));
            if (isDamaged(member))
            {
                text.append("\n  to replace its data with that of the others: java -jar cluster-node.jar heal --member-id ")
                    .append(member.memberId()).append(" --base-dir ").append(baseDir);
            }
        }

        return new ControlFailure(ControlFailure.DEGRADED, text.toString());
    }

    /**
     * Whether a member has ended because its data is damaged.
     */
    public static boolean isDamaged(final ClusterMember member)
    {
        return exitCode(member) == ExitStatus.DATA_CORRUPT.code();
    }

    private static int exitCode(final ClusterMember member)
    {
        try
        {
            return member.exitCode().orElse(-1);
        }
        catch (final ControlFailure ex)
        {
            return -1;
        }
    }

    private static Optional<String> reason(final ClusterMember member)
    {
        return output(member).stream()
            .filter((line) -> line.startsWith("member " + member.memberId() + " failed (")).findFirst();
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
