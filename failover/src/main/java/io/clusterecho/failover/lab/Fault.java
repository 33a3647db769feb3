package io.clusterecho.failover.lab;

import io.clusterecho.control.member.ClusterMember;

/**
 * A fault, and how it is undone.
 */
public enum Fault
{
    /** SIGKILL; undone by a restart. */
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

    /** SIGKILL, then delete log, snapshots and votes; undone by a restart that must recover them from the other members. */
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

    /** SIGTERM: a clean stop with a transfer of leadership; undone by a restart. */
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

    /** SIGSTOP; undone by SIGCONT, and by a restart if the member exits when it resumes. */
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
            // Takes effect before inject() returns, which waits until all threads have stopped.
            return false;
        }
    },

    /** The member's media driver drops all datagrams from and to it; undone by ceasing to drop them. */
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
            // Takes effect before inject() returns, which waits until the driver drops everything.
            return false;
        }
    },

    /** An external program; undone by the same program. */
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
            // Takes effect before inject() returns: the program has exited.
            return false;
        }
    };

    /**
     * Inject the fault into a running member.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    abstract void inject(ClusterMember member, FaultScript script);

    /**
     * Undo the fault. If it ends the process, call this after the process has ended.
     *
     * @throws io.clusterecho.control.member.ControlFailure if it cannot be done.
     */
    abstract void undo(ClusterMember member, FaultScript script);

    /**
     * Whether the fault ends the member's process.
     */
    boolean isEndingProcess()
    {
        return true;
    }

    /**
     * Whether the fault has taken effect: the member no longer takes part in the cluster.
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
