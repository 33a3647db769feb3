package io.clusterecho.control.member;

/**
 * A command on the members of this machine did not come to what it promises, for a reason outside this code.
 */
public final class ControlFailure extends RuntimeException
{
    /**
     * Done, or nothing to do.
     */
    public static final int DONE = 0;

    /**
     * Told something that cannot be used.
     */
    public static final int UNUSABLE = 2;

    /**
     * The cluster is not in the state that was asked for: no leader, no echo, a member missing.
     */
    public static final int NOT_READY = 3;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * A failure to tell the user.
     *
     * @param exitCode of the command, {@link #UNUSABLE} or {@link #NOT_READY}.
     * @param message  for the user, one line or several.
     */
    public ControlFailure(final int exitCode, final String message)
    {
        super(message);
        this.exitCode = exitCode;
    }

    /**
     * Exit code of the command.
     */
    public int exitCode()
    {
        return exitCode;
    }
}
