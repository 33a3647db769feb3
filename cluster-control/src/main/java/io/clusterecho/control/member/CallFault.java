package io.clusterecho.control.member;

import io.clusterecho.settings.IllegalArgument;

/** A fault of a member's system calls on files in its folder, or of its clock; amount 0 for a kind without one. */
public record CallFault(Kind kind, long amount)
{
    /** What happens to which calls. The order is that of {@code fault-library.c}. */
    public enum Kind
    {
        /** Each write takes longer, by ns. */
        SLOW_WRITE,

        /** Each sync takes longer, by ns. */
        SLOW_SYNC,

        /** Writes and syncs wait until they are released. */
        STALL,

        /** Syncs fail with EIO and do nothing: so many of them. */
        SYNC_ERROR,

        /** Writes fail with ENOSPC, after so many more bytes. */
        NO_SPACE,

        /** Syncs report success and do nothing. */
        SKIPPED_SYNC,

        /** The wall clock is ahead by ns, or behind if negative. Clocks that measure intervals are as they were. */
        CLOCK_STEP
    }

    /** Rejects an amount below 0 for another kind than {@link Kind#CLOCK_STEP}. */
    public CallFault
    {
        IllegalArgument.throwIf(amount < 0 && Kind.CLOCK_STEP != kind, kind + ": expected an amount from 0, actual=" + amount);
    }

    /** A fault whose kind has no amount, or that has no end: every sync fails, or no byte can be written. */
    public static CallFault of(final Kind kind)
    {
        return new CallFault(kind, Kind.SYNC_ERROR == kind ? Long.MAX_VALUE : 0);
    }
}
