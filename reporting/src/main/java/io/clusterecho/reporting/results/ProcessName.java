package io.clusterecho.reporting.results;

import java.util.OptionalInt;

/** Names of processes in {@link FileNames#COUNTERS}. */
public final class ProcessName
{
    /**
     * A load client, followed by a dash and its number if there are several. A media driver in a process of its own has the
     * name of the process that uses it, followed by {@code -driver}.
     */
    public static final String CLIENT = "client";

    /** In place of a pid where it is unknown whether the process runs: its host does not answer. */
    public static final String UNKNOWN_PID = "?";

    public static final String BACKUP = "backup";

    private static final String MEMBER = "member-";

    public static String ofMember(final int memberId)
    {
        return MEMBER + memberId;
    }

    /** Name of the media driver of a process, if that is a process of its own. */
    public static String ofDriver(final String process)
    {
        return process + "-driver";
    }

    /** Id of the member by the name in the file, or empty for a client, and for a media driver in its own process. */
    public static OptionalInt memberId(final String process)
    {
        return process.matches(MEMBER + "[0-9]{1,9}") ?
            OptionalInt.of(Integer.parseInt(process.substring(MEMBER.length()))) : OptionalInt.empty();
    }

    /** By the name in the file; false for a member, and for a media driver in its own process. */
    public static boolean isClient(final String process)
    {
        return process.matches(CLIENT + "(-[0-9]+)?");
    }
}
