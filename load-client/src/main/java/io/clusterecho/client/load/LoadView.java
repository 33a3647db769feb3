package io.clusterecho.client.load;

import java.util.Collection;

/**
 * What other threads see of a running load, and the one thing that they report to it. Any thread may call any method. Times are
 * in ns on the load's clock.
 */
public interface LoadView
{
    /** What happened to a session, on the agent's clock; the member is the new leader, or 0 for other kinds. */
    record SessionEvent(Kind kind, long timeNs, int memberId)
    {
        /** Kinds of events. */
        public enum Kind
        {
            /** Another member leads. */
            NEW_LEADER,
            /** A new session replaced a lost one. */
            RECONNECTED,
            /** A message was accepted; the first since one was not, or since a new leader or session. */
            SENDABLE
        }
    }

    /** Whether the load has ended: nothing will be sent or answered any more. */
    boolean isDone();

    /** First replies so far, warm-up included. */
    long answeredCount();

    /** Receive time of the newest reply in ns, or 0 before the first. */
    long lastEchoNs();

    /** Intended send time of the message whose reply is the newest, in ns, or 0 before the first reply. */
    long lastEchoDueNs();

    /** Events of the sessions so far, in order; others may be added while it is read. */
    Collection<SessionEvent> events();

    /**
     * Report that no message due from a time on may be answered, for lack of a quorum; {@link Long#MAX_VALUE} once there is one.
     */
    void quorumLostNs(long timeNs);

    /** First replies since the start that arrived although {@link #quorumLostNs(long)} excludes them. */
    long echoesWithoutQuorum();
}
