package io.clusterecho.control.member;

/** A command failed for a reason outside this code. */
public final class ControlFailure extends RuntimeException
{
    /** Done, or nothing to do. */
    public static final int DONE = 0;

    /** Invalid option or setting. */
    public static final int UNUSABLE = 2;

    /** The cluster is not in the requested state: no leader, no echo, or a member missing. */
    public static final int NOT_READY = 3;

    /** A majority of the members serves, but not all. */
    public static final int DEGRADED = 4;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** A failure to report to the user, in one line or several. */
    public ControlFailure(final int exitCode, final String message)
    {
        super(message);
        this.exitCode = exitCode;
    }

    /** Exit code of the command. */
    public int exitCode()
    {
        return exitCode;
    }
}
