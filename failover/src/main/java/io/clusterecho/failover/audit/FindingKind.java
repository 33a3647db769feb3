package io.clusterecho.failover.audit;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What an audit can find. Each is proof of a fault or of missing evidence. */
public enum FindingKind
{
    /** The log of a member, or what describes it, cannot be opened. */
    UNREADABLE,
    /** A log ends before the position in its catalog, or a segment file is shorter than it was created. */
    CUT_SHORT,
    /** A frame whose header is invalid at its position. */
    BAD_FRAME,
    /** A frame whose bytes do not match its recorded checksum. */
    BAD_CHECKSUM,
    /** Zeros or a missing segment file, with data after it. */
    HOLE,
    /** A member's log differs from the majority's, or from another member's in the same leadership term. */
    DIVERGED,
    /** An entry that is invalid at its position: an incomplete message, the wrong term, or the wrong position in its fields. */
    MISPLACED,
    /** A message whose payload does not match its own check, or that of the reply which the client received. */
    ALTERED,
    /** An acknowledged message that the service cannot have applied according to the log of the majority. */
    LOST,
    /** A message that follows a later one of its client and so is never applied. */
    OUT_OF_ORDER,
    /** A message that is in the log more often than its client sent it. */
    SURPLUS,
    /** A message for which more than one reply reports that it was newly applied. */
    APPLIED_TWICE,
    /** A member's state digest or snapshot that differs from the state that results from replaying the log. */
    STATE_DIFFERS,
    /** A client dropped journal records because it could not write them in time. */
    JOURNAL_INCOMPLETE;

    /** Name in reports, which does not change between versions: {@code bad-frame}. */
    @JsonValue
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
