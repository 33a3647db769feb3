package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

import io.clusterecho.node.member.ExitStatus;

/**
 * Describes the members of a cluster in the message of a failed command: the reason first, then each member in a line or two,
 * with the file that has the rest.
 */
public final class FailureText
{
    private static final int TAIL_LINES = 3;
    /** The reason quotes an error of Aeron, and its end says what to do. */
    private static final int REASON_WIDTH = 1_000;
    private static final int TAIL_WIDTH = 120;

    private FailureText()
    {
    }

    /**
     * For a wait that ended at its deadline, or because members ended, if the reason is empty. A start stops some of those
     * that run.
     */
    public static ControlFailure failure(
        final List<ClusterMember> members, final Predicate<ClusterMember> stopped, final String reason)
    {
        final List<ClusterMember> ended = members.stream().filter(FailureText::isEnded).toList();
        final StringBuilder text = new StringBuilder();
        for (final ClusterMember member : ended)
        {
            text.append(reasonOf(member)).append("\n  its output is in ").append(place(member)).append('\n');
        }
        if (!reason.isEmpty())
        {
            text.append(reason).append('\n');
        }
        for (final ClusterMember member : members)
        {
            if (!ended.contains(member))
            {
                text.append("member ").append(member.memberId()).append(": ")
                    .append(stopped.test(member) ? "stopped because the start failed; before that: " : "").append(state(member))
                    .append(ended.isEmpty() ? tail(member) : "").append('\n');
            }
        }

        final boolean isRejected = ended.stream().anyMatch((member) -> ExitStatus.CONFIGURATION.code() == exitCode(member));
        return new ControlFailure(
            isRejected && reason.isEmpty() ? ControlFailure.UNUSABLE : ControlFailure.NOT_READY, text.toString().stripTrailing());
    }

    /** For a cluster of which a majority serves, and some are out of service. */
    public static ControlFailure ofDegraded(
        final List<ClusterMember> members, final List<ClusterMember> out, final Path baseDir)
    {
        final StringBuilder text = new StringBuilder();
        text.append(members.size() - out.size()).append(" of ").append(members.size())
            .append(" members serve and keep running; out of service:");
        for (final ClusterMember member : out)
        {
            if (isEnded(member))
            {
                text.append('\n').append(reasonOf(member)).append("\n  ").append(Endings.advice(member, members, baseDir))
                    .append("\n  its output is in ").append(place(member));
            }
            else
            {
                text.append("\nmember ").append(member.memberId()).append(": ").append(state(member)).append(tail(member));
            }
        }

        return new ControlFailure(ControlFailure.DEGRADED, text.toString());
    }

    /** The last lines of members' output, shortened, with the files that have all of it. */
    public static String tailsOf(final List<ClusterMember> members)
    {
        final StringBuilder text = new StringBuilder();
        for (final ClusterMember member : members)
        {
            text.append("\nmember ").append(member.memberId()).append(": ").append(state(member)).append(tail(member));
        }

        return text.toString();
    }

    private static boolean isEnded(final ClusterMember member)
    {
        return ControlFailure.orElse(() -> !member.isAlive(), false);
    }

    private static String state(final ClusterMember member)
    {
        return member.counters().map((counters) -> counters.role() + ", " + counters.stateText()).orElseGet(() ->
        {
            try
            {
                return member.isAlive() ? "starting" : Endings.how(member);
            }
            catch (final ControlFailure ex)
            {
                return ex.getMessage();
            }
        });
    }

    private static int exitCode(final ClusterMember member)
    {
        return ControlFailure.orElse(member::exitCode, OptionalInt.empty()).orElse(-1);
    }

    /** How a member ended and why, in one line. */
    public static String reasonOf(final ClusterMember member)
    {
        final String failed = "member " + member.memberId() + " failed (";
        final String error = "error: ";
        final List<String> output = withoutFrames(member);
        final String cause = output.stream().filter((line) -> line.startsWith(failed)).findFirst()
            .map((line) -> line.replaceFirst("^.*?\\): ", ""))
            .or(() -> output.stream().filter((line) -> line.startsWith(error)).findFirst()
                .map((line) -> line.substring(error.length())))
            .orElse(output.isEmpty() ? "" : output.get(output.size() - 1));
        return cut(
            "member " + member.memberId() + " " + Endings.how(member) + (cause.isEmpty() ? "" : ": " + cause), REASON_WIDTH);
    }

    private static String tail(final ClusterMember member)
    {
        final StringBuilder text = new StringBuilder("\n  its output is in ").append(place(member));
        final List<String> output = withoutFrames(member);
        if (!output.isEmpty())
        {
            text.append(" and ends:");
        }
        output.subList(Math.max(0, output.size() - TAIL_LINES), output.size())
            .forEach((line) -> text.append("\n  ").append(cut(line, TAIL_WIDTH)));
        return text.toString();
    }

    private static String place(final ClusterMember member)
    {
        return (member.hostName().isEmpty() ? "" : member.hostName() + ":") + member.logFile();
    }

    private static String cut(final String line, final int width)
    {
        return line.length() <= width ? line : line.substring(0, width - 3) + "...";
    }

    /** The output of a member without the frames of stack traces. */
    private static List<String> withoutFrames(final ClusterMember member)
    {
        try
        {
            return member.output().stream().filter((line) -> !line.matches("\\s.*|Caused by: .*|---- start .*")).toList();
        }
        catch (final ControlFailure ex)
        {
            return List.of("unknown: " + ex.getMessage());
        }
    }
}
