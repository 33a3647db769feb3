package io.clusterecho.control.member;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.process.CommandHint;

/**
 * How members ended, in words, and the command that brings them back; and the message of a command that failed: the reason
 * first, then each member in a line or two, with the file that has the rest.
 */
public final class Endings
{
    private static final int TAIL_LINES = 3;
    /** The reason quotes an error of Aeron, and its end says what to do. */
    private static final int REASON_WIDTH = 1_000;
    private static final int TAIL_WIDTH = 120;

    /** Last line of the output of a backup that is not of a stack trace, empty if there is none. */
    public static String lastLine(final Node backup)
    {
        return withoutFrames(backup).stream().filter((line) -> !line.startsWith("backup stopped, "))
            .reduce("", (earlier, line) -> line);
    }

    /** How a member or backup that does not run ended: {@code ended with status 6 (stalled too long)}. */
    public static String how(final Node node)
    {
        final OptionalInt exitCode = node.exitCode();
        return exitCode.isPresent() ? "ended with " + ExitStatus.textOf(exitCode.getAsInt()) :
            node.isRecorded() ? "ended without a status, as after a kill" : "was not started";
    }

    /** How a member that does not run ended, and what to do, as one sentence that begins with the member. */
    public static String text(final ClusterMember member, final List<ClusterMember> members, final Path baseDir)
    {
        return "member " + member.memberId() + " " + how(member) + reasonIn(withoutFrames(member), member)
            .map((reason) -> ": " + cut(reason, REASON_WIDTH)).orElse("") + "; " + advice(member, members, baseDir);
    }

    /** A sentence for each member that ended although nobody stopped it; none for a host that does not answer. */
    public static List<String> of(final List<ClusterMember> members, final Path baseDir)
    {
        return members.stream()
            .filter((member) -> ControlFailure.orElse(() -> !member.isAlive() && member.isRecorded(), false))
            .map((member) -> text(member, members, baseDir)).toList();
    }

    /** The last error that each member logged since a time of day, a sentence for all with the same one, with its counts. */
    public static List<String> errors(final List<ClusterMember> members, final Instant since)
    {
        final Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        members.forEach((member) -> Optional.of(ControlFailure.orElse(member::errors, MemberErrors.NONE))
            .filter((errors) -> errors.lastTimeMs() >= since.toEpochMilli()).ifPresent((errors) -> counts
            .computeIfAbsent(errors.last(), (last) -> new LinkedHashMap<>()).put(member.name(), errors.lastCount())));
        return counts.entrySet().stream().map((error) -> String.join(", ", error.getValue().keySet()) + " logged: " +
            cut(error.getKey(), REASON_WIDTH) + " (times since the start: " + error.getValue().values().stream()
            .map(String::valueOf).collect(Collectors.joining(", ")) + ")").toList();
    }

    /** The command that starts the members that do not run. */
    public static String startCommand(final List<ClusterMember> members, final Path baseDir)
    {
        final Path settings = new ClusterFiles(baseDir).settingsFile();
        // Running members determine the settings; without any, those of the last start are in a file.
        final boolean isAnyAlive = members.stream().anyMatch((member) -> ControlFailure.orElse(member::isAlive, false));
        return command("start", baseDir) + (isAnyAlive || !settings.toFile().exists() ? "" : " " + CommandHint.path(settings));
    }

    /** What to do where the data of members is damaged. */
    public static String newCluster(final Path baseDir)
    {
        return "for a new cluster, delete the data of all members: " + command("stop --delete-data", baseDir);
    }

    /** A command of {@code cluster-node} on a cluster, with its folder unless that is the default. */
    public static String command(final String words, final Path baseDir)
    {
        return command("cluster-node", words, baseDir);
    }

    /** As {@link #command(String, Path)}, of another program. */
    public static String command(final String program, final String words, final Path baseDir)
    {
        final Path byDefault = RealPath.of(Path.of(NodeSettings.BASE_DIR.defaultText()));
        return CommandHint.of(program, words) + (RealPath.of(baseDir).equals(byDefault) ? "" :
            " --base-dir " + CommandHint.path(baseDir));
    }

    static String advice(final ClusterMember member, final List<ClusterMember> members, final Path baseDir)
    {
        final int exitCode = member.exitCode().orElse(-1);
        if (ExitStatus.DATA_CORRUPT.code() == exitCode)
        {
            return newCluster(baseDir);
        }

        final String cause = ExitStatus.CONFIGURATION.code() == exitCode ? "correct the setting that its log names, then " :
            ExitStatus.STORAGE.code() == exitCode ? "make space or repair its disk, then " : "";
        return cause + "start it again with: " + startCommand(members, baseDir);
    }

    /** For a wait that ended at its deadline, or because members ended if the reason is empty. A start stops some others. */
    public static ControlFailure failure(
        final List<ClusterMember> members, final Predicate<ClusterMember> stopped, final String reason)
    {
        final List<ClusterMember> ended = members.stream().filter(Endings::isEnded).toList();
        final String endings =
            ended.stream().map((member) -> reasonOf(member) + place(member) + "\n").collect(Collectors.joining());
        final String others = members.stream().filter((member) -> !ended.contains(member)).map(
            (member) -> "member " + member.memberId() + ": " +
            (stopped.test(member) ? "stopped because the start failed; before that: " : "") + state(member) +
            (ended.isEmpty() ? tail(member) : "") + "\n").collect(Collectors.joining());
        final boolean isRejected = reason.isEmpty() && ended.stream().anyMatch((member) -> ExitStatus.CONFIGURATION.code() ==
            ControlFailure.orElse(member::exitCode, OptionalInt.empty()).orElse(-1));
        return new ControlFailure(
            isRejected ? ControlFailure.UNUSABLE : ControlFailure.NOT_READY,
            (endings + (reason.isEmpty() ? "" : reason + "\n") + others).stripTrailing());
    }

    /** For a cluster of which a majority serves, and some are out of service. */
    public static ControlFailure ofDegraded(
        final List<ClusterMember> members, final List<ClusterMember> out, final Path baseDir)
    {
        return new ControlFailure(
            ControlFailure.DEGRADED, members.size() - out.size() + " of " + members.size() +
            " members serve and keep running; out of service:" + out.stream().map((member) -> isEnded(member) ?
            "\n" + reasonOf(member) + "\n  " + advice(member, members, baseDir) + place(member) : lastWords(member))
            .collect(Collectors.joining()));
    }

    /** A member's state and the last lines of its output, shortened, with the file that has all of it, after a line break. */
    public static String lastWords(final ClusterMember member)
    {
        return "\nmember " + member.memberId() + ": " + state(member) + tail(member);
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
                return member.isAlive() ? "starting" : how(member);
            }
            catch (final ControlFailure ex)
            {
                return ex.getMessage();
            }
        });
    }

    public static String reasonOf(final ClusterMember member)
    {
        final List<String> output = withoutFrames(member);
        final String cause = reasonIn(output, member).orElse(output.isEmpty() ? "" : output.get(output.size() - 1));
        return cut(
            "member " + member.memberId() + " " + how(member) + (cause.isEmpty() ? "" : ": " + cause), REASON_WIDTH);
    }

    /** The first line in which a member says why it failed, without that it did. */
    private static Optional<String> reasonIn(final List<String> output, final ClusterMember member)
    {
        return Stream.of("member " + member.memberId() + " failed \\(.*?\\): ", "error: ").flatMap((begin) -> output.stream()
            .filter((line) -> line.matches(begin + ".*")).map((line) -> line.replaceFirst(begin, ""))).findFirst();
    }

    private static String tail(final ClusterMember member)
    {
        final List<String> output = withoutFrames(member);
        return place(member) + (output.isEmpty() ? "" : " and ends:") +
            output.subList(Math.max(0, output.size() - TAIL_LINES), output.size()).stream()
            .map((line) -> "\n  " + cut(line, TAIL_WIDTH)).collect(Collectors.joining());
    }

    private static String place(final ClusterMember member)
    {
        return "\n  its output is in " + (member.hostName().isEmpty() ? "" : member.hostName() + ":") + member.logFile();
    }

    private static String cut(final String line, final int width)
    {
        return line.length() <= width ? line : line.substring(0, width - 3) + "...";
    }

    private static List<String> withoutFrames(final Node member)
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
