package io.clusterecho.control.member;

import java.io.File;
import java.util.Optional;
import java.util.OptionalLong;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.media.counters.DriverCounters;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Sends a request to the leader through the control toggle among its counters, Aeron's own interface for processes that may
 * write to the folder of the leader's driver.
 */
public final class LeaderControl
{
    /** Requests to a leader. */
    public enum Action
    {
        /** All members take a snapshot and continue. */
        SNAPSHOT(ClusterControl.ToggleState.SNAPSHOT),
        /** All members take a snapshot and stop. */
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
     * Send a request once the leader has completed the previous one; fails if it does not accept it in time, or this user may
     * not.
     */
    public static void ask(final LocalMember leader, final int clusterId, final Action action, final Deadline deadline)
    {
        final File cncFile = DriverCounters.file(leader.aeronDir());
        if (cncFile.exists() && !cncFile.canWrite())
        {
            throw ControlFailure.denied("write " + cncFile, cncFile.toPath());
        }

        final OptionalLong pid = leader.pid();
        final Optional<DriverCounters> found = pid.isPresent() ?
            DriverCounters.mapForControl(leader.aeronDir(), pid.getAsLong()) : Optional.empty();
        if (found.isEmpty())
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "the leader, member " + leader.memberId() + ", is not running any more");
        }

        try (DriverCounters counters = found.get())
        {
            final AtomicCounter toggle = ClusterControl.findControlToggle(counters.reader(), clusterId);
            if (null == toggle || !deadline.await(() -> action.state.toggle(toggle)))
            {
                throw new ControlFailure(
                    ControlFailure.NOT_READY, "the leader, member " + leader.memberId() + ", did not accept the request: " +
                    (null == toggle ? "it has no control toggle" : "its state is " + ClusterControl.ToggleState.get(toggle)));
            }
        }
    }
}
