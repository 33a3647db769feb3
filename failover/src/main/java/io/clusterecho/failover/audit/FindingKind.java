package io.clusterecho.failover.audit;

/**
 * What can be wrong. Each is proof of a fault, or of evidence that is missing.
 */
public enum FindingKind
{
    /** The log of a member, or what describes it, cannot be opened. */
    UNREADABLE("unreadable"),
    /** A log ends before the position that its catalog states, or a file is shorter than it was made. */
    CUT_SHORT("cut-short"),
    /** A frame whose header does not fit its place. */
    BAD_FRAME("bad-frame"),
    /** A frame whose bytes do not fit the checksum that it was recorded with. */
    BAD_CHECKSUM("bad-checksum"),
    /** Nothing at a position that is followed by something. */
    HOLE("hole"),
    /** A member holds something else than the majority, or than another member of the same leadership term. */
    DIVERGED("diverged"),
    /** An entry that cannot stand where it stands: a fragment without its rest, a wrong term, a wrong position within. */
    MISPLACED("misplaced"),
    /** A message whose payload does not fit its own check, or not that of the reply which the client got. */
    ALTERED("altered"),
    /** An acknowledged message that the service cannot have applied, going by the log of the majority. */
    LOST("lost"),
    /** A message that stands behind a later one of its client and so is never applied. */
    OUT_OF_ORDER("out-of-order"),
    /** A message that stands in the log more often than its client sent it. */
    SURPLUS("surplus"),
    /** A message of which the service said more than once that it applied it now. */
    APPLIED_TWICE("applied-twice"),
    /** A member, or a snapshot of it, whose state is not what the log yields at its position. */
    STATE_DIFFERS("state-differs"),
    /** A client could not keep up with its own journal, so that its evidence has gaps. */
    JOURNAL_INCOMPLETE("journal-incomplete");

    private final String label;

    FindingKind(final String label)
    {
        this.label = label;
    }

    /**
     * Name in reports.
     *
     * @return the name, which does not change between versions.
     */
    public String label()
    {
        return label;
    }
}
