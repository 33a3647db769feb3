package io.clusterecho.reporting.results;

/** Exit codes of the process. */
public final class ExitCode
{
    public static final int GOOD = 0;
    public static final int INTERNAL = 1;
    public static final int USAGE = 2;
    /** No session with the cluster. */
    public static final int NOT_CONNECTED = 3;
    /** The rate was missed, messages were lost, duplicated or corrupt, or the result is incomplete. */
    public static final int RUN_FAILED = 4;
    public static final int THRESHOLD_FAILED = 99;
    /** Ended by Ctrl-C or a request to terminate; what was measured is kept. */
    public static final int INTERRUPTED = 130;
}
