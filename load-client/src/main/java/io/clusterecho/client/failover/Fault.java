package io.clusterecho.client.failover;

import io.clusterecho.node.local.ClusterMember;

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
            awaitEnd(member);
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
        boolean isInEffect(final ClusterMember member)
        {
            // Injecting it has waited until all threads stood still.
            return true;
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
        boolean isInEffect(final ClusterMember member)
        {
            // Injecting it has waited until the driver dropped everything.
            return true;
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
        boolean isInEffect(final ClusterMember member)
        {
            // The program returned.
            return true;
        }
    };

    private static final long END_TIMEOUT_NS = 30_000_000_000L;

    /**
     * Do it to a member that runs.
     *
     * @throws io.clusterecho.node.local.LocalFailure if it cannot be done.
     */
    abstract void inject(ClusterMember member, FaultScript script);

    /**
     * Undo it.
     */
    abstract void undo(ClusterMember member, FaultScript script);

    /**
     * Whether the member has stopped taking part.
     */
    boolean isInEffect(final ClusterMember member)
    {
        return !member.isAlive();
    }

    static void restart(final ClusterMember member)
    {
        awaitEnd(member);
        member.cleanUp();
        member.start();
    }

    private static void awaitEnd(final ClusterMember member)
    {
        if (!member.awaitExit(END_TIMEOUT_NS))
        {
            throw new IllegalStateException("member " + member.memberId() + " did not end within 30 s of its fault");
        }
    }
}
