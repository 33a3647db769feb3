package io.clusterecho.control.member;

import java.util.Optional;
import java.util.OptionalLong;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.media.counters.DriverCounters;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Asks a leader for something that concerns the whole cluster, through the control toggle among its counters: Aeron's own way
 * for whoever may write to the folder of the leader's driver.
 */
public final class LeaderControl
{
    /**
     * What can be asked for.
     */
    public enum Action
    {
        /** All members take a snapshot and go on. */
        SNAPSHOT(ClusterControl.ToggleState.SNAPSHOT),
        /** All members take a snapshot and end. */
        SHUTDOWN(ClusterControl.ToggleState.SHUTDOWN);

        private final ClusterControl.ToggleState state;

        Action(final ClusterControl.ToggleState state)
        {
            this.state = state;
        }
    }

    private LeaderControl()
    {
    }

    /**
     * Ask, once the leader has done what it was asked for before.
     *
     * @throws ControlFailure if the leader does not take the request in time.
     */
    public static void ask(final LocalMember leader, final int clusterId, final Action action, final Deadline deadline)
    {
        final OptionalLong pid = leader.pid();
        final Optional<DriverCounters> found = pid.isPresent() ?
            DriverCounters.mapForControl(leader.aeronDir(), pid.getAsLong()) : Optional.empty();
        if (found.isEmpty())
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "the leader, member " + leader.memberId() + ", does not run any more");
        }

        try (DriverCounters counters = found.get())
        {
            final AtomicCounter toggle = ClusterControl.findControlToggle(counters.reader(), clusterId);
            if (null == toggle || !deadline.await(() -> action.state.toggle(toggle)))
            {
                throw new ControlFailure(
                    ControlFailure.NOT_READY, "the leader, member " + leader.memberId() + ", does not take the request: " +
                    (null == toggle ? "it has no control toggle" : "it is at " + ClusterControl.ToggleState.get(toggle)));
            }
        }
    }
}
