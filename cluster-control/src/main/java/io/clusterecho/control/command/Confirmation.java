package io.clusterecho.control.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.settings.InvalidSettingException;

/** Asks before the data of members is replaced. */
final class Confirmation
{
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Confirmation()
    {
    }

    /** Name of a new folder for the present data of a member. */
    static String newFolder()
    {
        return ClusterMember.DAMAGED_PREFIX + TIME.format(Instant.now());
    }

    /** What becomes of the present data of a member, which is moved to a folder in its own, or deleted if that is null. */
    static String fateOf(final ClusterMember member, final String folder)
    {
        return "Its present data, " + MemberFolder.ARCHIVE_DIR + " and " + MemberFolder.CLUSTER_DIR + " in " + member.dir() +
            ", will be " + (null == folder ? "deleted." : "moved to " + folder + " there.");
    }

    /** Print what will happen, and wait for the answer, unless the command line has it; any but yes is rejected. */
    static void ask(final boolean isConfirmed, final String plan)
    {
        System.err.println(plan);
        if (isConfirmed)
        {
            return;
        }

        System.err.print("Continue? [y/N] ");
        final String answer = answer();
        InvalidSettingException.throwIf(
            null == answer || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes"),
            "not confirmed, so nothing was changed: answer y, or set --yes");
    }

    private static String answer()
    {
        try
        {
            return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
