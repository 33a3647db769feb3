package io.clusterecho.node.member;

import io.aeron.archive.Archive;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;

/** Space that a member needs, computed from its term lengths. A stream of Aeron takes three terms and a page. */
public record RoomNeeded(NodeConfig config)
{
    /** Term length of consensus and archive control channels in bytes: small messages, a few in flight. */
    static final int CONTROL_TERM_LENGTH = 64 * 1024;
    /** Term length between consensus module and service in bytes. */
    static final int SERVICE_TERM_LENGTH = 128 * 1024;
    /** Number of sessions that a member must at least have space for. */
    public static final int SESSION_COUNT = 4;

    private static final long MIN_SEGMENT_LENGTH = 64L << 20;
    private static final long MIN_STOCK_SEGMENT_LENGTH = Archive.Configuration.SEGMENT_FILE_LENGTH_DEFAULT;
    private static final long PAGE_LENGTH = 4096;
    /** Length of the counters, command buffers, error log and loss report of a driver with Aeron's default lengths, in bytes. */
    public static final long DRIVER_FILES_LENGTH = 48L << 20;
    /** Streams with terms of the log: the log, a replay of it, and a snapshot by the consensus module. */
    private static final int LOG_STREAM_COUNT = 3;
    /** Snapshots before that linger for 5 s. */
    private static final int LINGERING_SNAPSHOT_COUNT = 2;
    private static final int CONTROL_STREAM_COUNT = 16;
    private static final int SERVICE_STREAM_COUNT = 2;
    private static final long CATALOG_AND_MARKS_LENGTH = 8L << 20;

    /** Length in bytes of one segment file of the log, a power of two; a segment holds whole terms. */
    long segmentLength()
    {
        return Math.max(
            config.isStock() ? MIN_STOCK_SEGMENT_LENGTH : MIN_SEGMENT_LENGTH, config.value(NodeSettings.LOG_TERM_LENGTH));
    }

    /**
     * Bytes needed in the driver's folder: streams with terms of the log, control streams, and ingress and egress of
     * {@link #SESSION_COUNT} sessions, all with the term length of egress. A driver makes no stream that would not fit if its
     * terms, which are sparse files, were written in full; an embedded or stock one allocates them.
     */
    public long sharedMemoryLength()
    {
        final long controlStreamCount = CONTROL_STREAM_COUNT + 4L * (config.members().size() - 1);
        final int lingeringCount = config.driver().isEmbedded() || config.isStock() ? LINGERING_SNAPSHOT_COUNT : 0;
        return DRIVER_FILES_LENGTH +
            (LOG_STREAM_COUNT + config.serviceCount() + lingeringCount * (1 + config.serviceCount())) *
            streamLength(config.value(NodeSettings.LOG_TERM_LENGTH)) +
            controlStreamCount * streamLength(CONTROL_TERM_LENGTH) +
            SERVICE_STREAM_COUNT * streamLength(SERVICE_TERM_LENGTH) +
            SESSION_COUNT * sessionLength();
    }

    /** Bytes needed in the driver's folder for each further session, if its client uses the same term length. */
    public long sessionLength()
    {
        return 2 * streamLength(config.value(NodeSettings.CLIENT_TERM_LENGTH));
    }

    /** Bytes needed on disk at start and for a first snapshot, of which each service has a part. */
    public long diskLength()
    {
        return (1 + config.serviceCount()) * segmentLength() + CATALOG_AND_MARKS_LENGTH + config.value(NodeSettings.STATE_LENGTH);
    }

    /** A length in MB, rounded up. */
    public static String text(final long lengthBytes)
    {
        return ((lengthBytes + (1 << 20) - 1) >> 20) + " MB";
    }

    /** Length of the files of a stream in bytes: three terms and a page. */
    public static long streamLength(final long termLength)
    {
        return 3 * termLength + PAGE_LENGTH;
    }
}
