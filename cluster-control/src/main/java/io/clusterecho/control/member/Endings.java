package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.process.CommandHint;

/** How members ended, in words, and the command that brings them back. */
public final class Endings
{
    private static final String PROGRAM = "cluster-node";

    private Endings()
    {
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
        return "member " + member.memberId() + " " + how(member) + "; " + advice(member, members, baseDir);
    }

    /** A sentence for each member that ended although nobody stopped it; none for a host that does not answer. */
    public static List<String> of(final List<ClusterMember> members, final Path baseDir)
    {
        return members.stream().filter(Endings::isUnasked).map((member) -> text(member, members, baseDir)).toList();
    }

    /** The command that starts the members that do not run. */
    public static String startCommand(final List<ClusterMember> members, final Path baseDir)
    {
        final Path settings = new ClusterFiles(baseDir).settingsFile();
        // Running members determine the settings; without any, those of the last start are in a file.
        return command("start", baseDir) + (members.stream().noneMatch(Endings::isKnownAlive) && settings.toFile().exists() ?
            " " + CommandHint.path(settings) : "");
    }

    /** The command that replaces the data of a member, which is damaged. */
    public static String healCommand(final ClusterMember member, final Path baseDir)
    {
        return command("heal --member-id " + member.memberId(), baseDir);
    }

    /** A command of {@code cluster-node} on a cluster, with its folder unless that is the default. */
    public static String command(final String words, final Path baseDir)
    {
        return command(PROGRAM, words, baseDir);
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
            return "replace its data with that of the others: " + healCommand(member, baseDir);
        }

        final String cause = ExitStatus.CONFIGURATION.code() == exitCode ? "correct the setting that its log names, then " :
            ExitStatus.STORAGE.code() == exitCode ? "make space or repair its disk, then " : "";
        return cause + "start it again with: " + startCommand(members, baseDir);
    }

    private static boolean isUnasked(final ClusterMember member)
    {
        return ControlFailure.orElse(() -> !member.isAlive() && member.isRecorded(), false);
    }

    private static boolean isKnownAlive(final ClusterMember member)
    {
        return ControlFailure.orElse(member::isAlive, false);
    }
}
