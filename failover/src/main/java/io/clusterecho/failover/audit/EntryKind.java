package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonValue;

import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionCloseEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionOpenEventDecoder;
import io.aeron.cluster.codecs.TimerEventDecoder;

/** Kinds of entries in the log of a cluster. */
public enum EntryKind
{
    /** A message from a client. */
    SESSION_MESSAGE(
        "sessionMessages", SessionMessageHeaderDecoder.TEMPLATE_ID, SessionMessageHeaderDecoder.BLOCK_LENGTH,
        SessionMessageHeaderDecoder.timestampEncodingOffset()),
    /** A client's session begins. */
    SESSION_OPEN(
        "sessionOpens", SessionOpenEventDecoder.TEMPLATE_ID, SessionOpenEventDecoder.BLOCK_LENGTH,
        SessionOpenEventDecoder.timestampEncodingOffset()),
    /** A client's session ends. */
    SESSION_CLOSE(
        "sessionCloses", SessionCloseEventDecoder.TEMPLATE_ID, SessionCloseEventDecoder.BLOCK_LENGTH,
        SessionCloseEventDecoder.timestampEncodingOffset()),
    /** A timer of the service fires. */
    TIMER(
        "timers", TimerEventDecoder.TEMPLATE_ID, TimerEventDecoder.BLOCK_LENGTH, TimerEventDecoder.timestampEncodingOffset()),
    /** A snapshot, or the cluster is suspended, resumed or shut down. Earlier versions had no flags at its end. */
    CLUSTER_ACTION(
        "clusterActions", ClusterActionRequestDecoder.TEMPLATE_ID, ClusterActionRequestDecoder.BLOCK_LENGTH - Integer.BYTES,
        ClusterActionRequestDecoder.timestampEncodingOffset()),
    /** A leader begins its term. */
    NEW_TERM(
        "newTerms", NewLeadershipTermEventDecoder.TEMPLATE_ID, NewLeadershipTermEventDecoder.BLOCK_LENGTH,
        NewLeadershipTermEventDecoder.timestampEncodingOffset()),
    /** Another schema or template, or an entry that is too short for its own. */
    OTHER("others", -1, 0, 0);

    private static final EntryKind[] ALL = values();

    private final String label;
    private final int templateId;
    private final int minBlockLength;
    private final int timestampOffset;

    EntryKind(final String label, final int templateId, final int minBlockLength, final int timestampOffset)
    {
        this.label = label;
        this.templateId = templateId;
        this.minBlockLength = minBlockLength;
        this.timestampOffset = timestampOffset;
    }

    /** The kind of an entry with this many bytes after its header. */
    static EntryKind of(final MessageHeaderDecoder header, final int bodyLength)
    {
        if (header.schemaId() == MessageHeaderDecoder.SCHEMA_ID && bodyLength >= header.blockLength())
        {
            for (final EntryKind kind : ALL)
            {
                if (header.templateId() == kind.templateId && header.blockLength() >= kind.minBlockLength)
                {
                    return kind;
                }
            }
        }
        return OTHER;
    }

    /** Offset in bytes within the body. */
    int timestampOffset()
    {
        return timestampOffset;
    }

    /** Name in reports, in the plural. */
    @JsonValue
    public String label()
    {
        return label;
    }
}
