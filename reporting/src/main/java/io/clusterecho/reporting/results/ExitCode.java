package io.clusterecho.reporting.results;

/** Exit codes of the process. */
public final class ExitCode
{
    /** The run is good. */
    public static final int GOOD = 0;
    /** An internal error. */
    public static final int INTERNAL = 1;
    /** An option or key is not allowed. */
    public static final int USAGE = 2;
    /** No session with the cluster. */
    public static final int NOT_CONNECTED = 3;
    /** The rate was missed, messages were lost, duplicated or corrupt, or the result is incomplete. */
    public static final int RUN_FAILED = 4;
    /** A threshold failed. */
    public static final int THRESHOLD_FAILED = 99;
    /** Ended by Ctrl-C or a request to terminate; what was measured is kept. */
    public static final int INTERRUPTED = 130;

    private ExitCode()
    {
    }

    /**
     * Exit code of a command that judges several runs together.
     *
     * @param isDisconnected whether it ended because no session was left.
     */
    public static int of(final Verdict verdict, final boolean isDisconnected)
    {
        return isDisconnected && !verdict.isPartial() ? NOT_CONNECTED : verdict.exitStatus();
    }
}
