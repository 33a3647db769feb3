package io.clusterecho.failover.audit;

/** What an audit can find. Each is proof of a fault or of missing evidence. */
public enum FindingKind
{
    /** The log of a member, or what describes it, cannot be opened. */
    UNREADABLE("unreadable"),
    /** A log ends before the position in its catalog, or a segment file is shorter than it was created. */
    CUT_SHORT("cut-short"),
    /** A frame whose header is invalid at its position. */
    BAD_FRAME("bad-frame"),
    /** A frame whose bytes do not match its recorded checksum. */
    BAD_CHECKSUM("bad-checksum"),
    /** Zeros or a missing segment file, with data after it. */
    HOLE("hole"),
    /** A member's log differs from the majority's, or from another member's in the same leadership term. */
    DIVERGED("diverged"),
    /** An entry that is invalid at its position: an incomplete message, the wrong term, or the wrong position in its fields. */
    MISPLACED("misplaced"),
    /** A message whose payload does not match its own check, or that of the reply which the client received. */
    ALTERED("altered"),
    /** An acknowledged message that the service cannot have applied according to the log of the majority. */
    LOST("lost"),
    /** A message that follows a later one of its client and so is never applied. */
    OUT_OF_ORDER("out-of-order"),
    /** A message that is in the log more often than its client sent it. */
    SURPLUS("surplus"),
    /** A message for which more than one reply reports that it was newly applied. */
    APPLIED_TWICE("applied-twice"),
    /** A member's state digest or snapshot that differs from the state that results from replaying the log. */
    STATE_DIFFERS("state-differs"),
    /** A client dropped journal records because it could not write them in time. */
    JOURNAL_INCOMPLETE("journal-incomplete");

    private final String label;

    FindingKind(final String label)
    {
        this.label = label;
    }

    /** Name in reports, which does not change between versions. */
    public String label()
    {
        return label;
    }
}
