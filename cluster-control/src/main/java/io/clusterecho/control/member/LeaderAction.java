package io.clusterecho.control.member;

import io.aeron.cluster.ClusterControl;

/** A request to a leader, which concerns all members. */
public enum LeaderAction
{
    /** All members take a snapshot and continue. */
    SNAPSHOT(ClusterControl.ToggleState.SNAPSHOT),
    /** All members take a snapshot and stop. */
    SHUTDOWN(ClusterControl.ToggleState.SHUTDOWN);

    private final ClusterControl.ToggleState state;

    LeaderAction(final ClusterControl.ToggleState state)
    {
        this.state = state;
    }

    ClusterControl.ToggleState state()
    {
        return state;
    }
}
