package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonValue;

import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.SessionCloseEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionOpenEventDecoder;
import io.aeron.cluster.codecs.TimerEventDecoder;

import io.clusterecho.reporting.measurement.Counter;

/** Kinds of entries in the log of a cluster. */
public enum EntryKind
{
    /** A message from a client. */
    SESSION_MESSAGE(SessionMessageHeaderDecoder.TEMPLATE_ID, SessionMessageHeaderDecoder.BLOCK_LENGTH),
    /** A client's session begins. */
    SESSION_OPEN(SessionOpenEventDecoder.TEMPLATE_ID, SessionOpenEventDecoder.BLOCK_LENGTH),
    /** A client's session ends. */
    SESSION_CLOSE(SessionCloseEventDecoder.TEMPLATE_ID, SessionCloseEventDecoder.BLOCK_LENGTH),
    /** A timer of the service fires. */
    TIMER(TimerEventDecoder.TEMPLATE_ID, TimerEventDecoder.BLOCK_LENGTH),
    /** A snapshot, or the cluster is suspended, resumed or shut down. Earlier versions had no flags at its end. */
    CLUSTER_ACTION(ClusterActionRequestDecoder.TEMPLATE_ID, ClusterActionRequestDecoder.BLOCK_LENGTH - Integer.BYTES),
    /** A leader begins its term. */
    NEW_TERM(NewLeadershipTermEventDecoder.TEMPLATE_ID, NewLeadershipTermEventDecoder.BLOCK_LENGTH),
    /** Another schema or template, or an entry that is too short for its own. */
    OTHER(-1, 0);

    private final int templateId;
    private final int minBlockLength;

    EntryKind(final int templateId, final int minBlockLength)
    {
        this.templateId = templateId;
        this.minBlockLength = minBlockLength;
    }

    /** The kind of an entry with this many bytes after its header. */
    static EntryKind of(final MessageHeaderDecoder header, final int bodyLength)
    {
        if (header.schemaId() == MessageHeaderDecoder.SCHEMA_ID && bodyLength >= header.blockLength())
        {
            for (final EntryKind kind : values())
            {
                if (header.templateId() == kind.templateId && header.blockLength() >= kind.minBlockLength)
                {
                    return kind;
                }
            }
        }
        return OTHER;
    }

    /** Name in reports, in the plural: {@code sessionMessages}. */
    @JsonValue
    public String label()
    {
        return Counter.camelCase(name()) + "s";
    }
}
