package io.clusterecho.failover.lab;

import io.clusterecho.control.member.ClusterMember;

/**
 * What is done to a member, and how it is undone.
 */
public enum Fault
{
    /** SIGKILL; undone by a start. */
    KILL
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            member.kill();
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            restart(member);
        }
    },

    /** SIGKILL, and its log, snapshots and votes deleted; undone by a start, which must bring all of it from the others. */
    WIPE
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            member.kill();
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            member.wipe();
            restart(member);
        }
    },

    /** SIGTERM: an orderly stop that hands leadership over; undone by a start. */
    TERM
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            member.terminate();
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            restart(member);
        }
    },

    /** SIGSTOP; undone by SIGCONT, and by a start when the member ended itself on waking. */
    PAUSE
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            member.pause();
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            member.resume();
        }

        @Override
        boolean isEndingProcess()
        {
            // In effect as soon as it is injected: that waits until all threads stand still.
            return false;
        }
    },

    /** All datagrams from and to the member are dropped in its own driver; undone by no longer dropping them. */
    PARTITION
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            member.cut();
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            member.heal();
        }

        @Override
        boolean isEndingProcess()
        {
            // In effect as soon as it is injected: that waits until the driver drops everything.
            return false;
        }
    },

    /** Whatever a program of the user's does; undone by the same program. */
    SCRIPT
    {
        @Override
        void inject(final ClusterMember member, final FaultScript script)
        {
            script.inject(member);
        }

        @Override
        void undo(final ClusterMember member, final FaultScript script)
        {
            script.undo(member);
        }

        @Override
        boolean isEndingProcess()
        {
            // In effect as soon as it is injected: the program has returned.
            return false;
        }
    };

    /**
     * Do it to a member that runs.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    abstract void inject(ClusterMember member, FaultScript script);

    /**
     * Undo it; of a fault that ends the process, once that has ended.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    abstract void undo(ClusterMember member, FaultScript script);

    /**
     * Whether it ends the member's process.
     */
    boolean isEndingProcess()
    {
        return true;
    }

    /**
     * Whether the member has stopped taking part.
     */
    boolean isInEffect(final ClusterMember member)
    {
        return !isEndingProcess() || !member.isAlive();
    }

    /**
     * Start a member whose process has ended.
     */
    static void restart(final ClusterMember member)
    {
        member.cleanUp();
        member.start();
    }
}
