package io.clusterecho.client.record;

/** What happened to a session, on the agent's clock; the member is the new leader, or 0 for other kinds. */
public record SessionEvent(Kind kind, long timeNs, int memberId)
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
