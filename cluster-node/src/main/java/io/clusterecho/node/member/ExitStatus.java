package io.clusterecho.node.member;

import java.util.Arrays;

/** Exit status of a member's process, for a service manager, and its words for users. */
public enum ExitStatus
{
    /** Stopped by a signal, or by a clean shutdown of the cluster. Leave it stopped. */
    OK(0, "stopped on request"),

    /** An invalid option or setting. Starting it again will not help. */
    CONFIGURATION(2, "invalid setting"),

    /** The JVM ran out of memory ({@code -XX:+ExitOnOutOfMemoryError} ends it with the same code). Start it again. */
    OUT_OF_MEMORY(3, "out of memory"),

    /** No space left, or an error of the file system. Make space, then start it again. */
    STORAGE(4, "storage error"),

    /** Its data is damaged. Replace it with that of the others, which serve meanwhile. */
    DATA_CORRUPT(5, "damaged data"),

    /** It stalled for longer than the others wait. Start it again. */
    STALLED(6, "stalled too long"),

    /** Anything else. Read its log. */
    OTHER(7, "other error");

    private static final int SIGNAL_BASE = 128;

    private final int code;
    private final String reason;

    ExitStatus(final int code, final String reason)
    {
        this.code = code;
        this.reason = reason;
    }

    /** Exit code of the process: 0, or 2 to 7. */
    public int code()
    {
        return code;
    }

    public String reason()
    {
        return reason;
    }

    /** An exit status as a phrase: {@code status 6 (stalled too long)}. */
    public static String textOf(final int code)
    {
        final String signal = code > SIGNAL_BASE ? " (signal " + (code - SIGNAL_BASE) + ")" : "";
        return "status " + code + Arrays.stream(values()).filter((status) -> status.code == code).findFirst()
            .map((status) -> " (" + status.reason + ")").orElse(signal);
    }
}
