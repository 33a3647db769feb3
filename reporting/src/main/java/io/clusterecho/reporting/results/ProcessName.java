package io.clusterecho.reporting.results;

/**
 * Names of processes in {@link FileNames#COUNTERS}.
 */
public final class ProcessName
{
    /**
     * A load client, with a dash and its number behind it where there are several. A media driver that is a process of its own
     * has the name of the process that uses it with {@code -driver} behind it.
     */
    public static final String CLIENT = "client";

    private static final String MEMBER = "member-";

    private ProcessName()
    {
    }

    /**
     * Name of a member.
     *
     * @param memberId of it.
     * @return for instance {@code member-0}.
     */
    public static String ofMember(final int memberId)
    {
        return MEMBER + memberId;
    }

    /**
     * Whether a process is a load client itself.
     *
     * @param process name in the file.
     * @return false for a member, and for a media driver that is a process of its own.
     */
    public static boolean isClient(final String process)
    {
        return process.matches(CLIENT + "(-[0-9]+)?");
    }
}
