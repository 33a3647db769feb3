package io.clusterecho.control.member;

/** What a fault does to the disk of a member. The disk must be one of its own, as {@code scripts/disk-lab.sh} makes them. */
public enum DiskAction
{
    /** Nothing; fails if the disk is not one of its own. */
    CHECK,

    /** SIGKILL, and the loss of what was written and not synced. Ends when the process has ended and the disk is back. */
    LOSE_POWER,

    /** Let writes wait. */
    STALL,

    /** Undo {@link #STALL}. */
    RESUME,

    /** Take all free space. */
    FILL,

    /** Undo {@link #FILL}. */
    FREE
}
