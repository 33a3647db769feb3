package io.clusterecho.reporting.results;

/**
 * How the process ends.
 */
public final class ExitCode
{
    /** The run is good. */
    public static final int GOOD = 0;
    /** Something went wrong inside. */
    public static final int INTERNAL = 1;
    /** An option or key is not allowed. */
    public static final int USAGE = 2;
    /** No session with the cluster. */
    public static final int NOT_CONNECTED = 3;
    /** The rate was missed, messages were lost, doubled or damaged, or the result is not whole. */
    public static final int RUN_FAILED = 4;
    /** A threshold of the user's did not hold. */
    public static final int THRESHOLD_FAILED = 99;
    /** Ended by Ctrl-C, or by a request to terminate, with what was measured kept. */
    public static final int INTERRUPTED = 130;

    private ExitCode()
    {
    }

    /**
     * Of a command that did several runs and judged them together.
     *
     * @param verdict        that its documents hold.
     * @param isDisconnected whether there was no session, or none any more, to go on with.
     * @return one of these.
     */
    public static int of(final Verdict verdict, final boolean isDisconnected)
    {
        return isDisconnected && !verdict.isPartial() ? NOT_CONNECTED : verdict.exitStatus();
    }
}
