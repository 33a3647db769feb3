package io.clusterecho.media.counters;

import java.util.Locale;

import io.aeron.AeronCounters;
import io.aeron.driver.status.SystemCounterDescriptor;

import io.clusterecho.media.link.LinkFilter;

/** Measured values of each process of a cluster or its client: the columns of {@code counters.csv}. */
public enum CounterColumn
{
    CPU_MS(Kind.SUM, 1),
    /** Time for which its threads were ready to run and had no core, summed over threads. */
    RUN_DELAY_MS(Kind.SUM, 1e6),
    /** Page faults that waited for a disk. */
    MAJOR_FAULTS(Kind.SUM, 1),
    /** Private memory: heap, stacks, code. */
    MEMORY_MIB(Kind.LEVEL, 1024.0),
    /** Resident mapped files: terms and counters of Aeron, and jars. */
    SHARED_MIB(Kind.LEVEL, 1024.0),
    OPEN_FILES(Kind.LEVEL, 1),
    COLLECTIONS(Kind.SUM, ProcessCounter.COLLECTIONS.typeId(), 1),
    COLLECTION_MS(Kind.SUM, ProcessCounter.COLLECTION_TIME_MS.typeId(), 1),
    SAFEPOINTS(Kind.SUM, ProcessCounter.SAFEPOINTS.typeId(), 1),
    SAFEPOINT_MS(Kind.SUM, ProcessCounter.SAFEPOINT_TIME_MS.typeId(), 1),
    /** Time of compiler threads in finished compilations. */
    COMPILE_MS(Kind.SUM, ProcessCounter.COMPILATION_TIME_MS.typeId(), 1),
    /** Longest stall of the process; in a row of several seconds, the sum of the longest stall of each second. */
    STALL_MS(Kind.SUM, ProcessCounter.STALL_SUM_NS.typeId(), 1e6),

    BYTES_SENT(Kind.SUM, SystemCounterDescriptor.BYTES_SENT, 1),
    BYTES_RECEIVED(Kind.SUM, SystemCounterDescriptor.BYTES_RECEIVED, 1),
    /** NAKs sent: requests for lost data. */
    NAKS_SENT(Kind.SUM, SystemCounterDescriptor.NAK_MESSAGES_SENT, 1),
    NAKS_RECEIVED(Kind.SUM, SystemCounterDescriptor.NAK_MESSAGES_RECEIVED, 1),
    RETRANSMITS(Kind.SUM, SystemCounterDescriptor.RETRANSMITS_SENT, 1),
    /** Gaps filled with padding, because their data was given up. */
    LOSS_GAP_FILLS(Kind.SUM, SystemCounterDescriptor.LOSS_GAP_FILLS, 1),
    /** Packets before the receiver's window. */
    FLOW_CONTROL_UNDER_RUNS(Kind.SUM, SystemCounterDescriptor.FLOW_CONTROL_UNDER_RUNS, 1),
    /** Packets beyond the receiver's window. */
    FLOW_CONTROL_OVER_RUNS(Kind.SUM, SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS, 1),
    /** Times that a sender waited for a receiver's window. */
    SENDER_LIMITED(Kind.SUM, SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS, 1),
    /** Times that an open publication met back pressure. */
    BACK_PRESSURE(Kind.SUM, AeronCounters.DRIVER_SENDER_BPE_TYPE_ID, 1),
    /** Packets that the system accepted only in part or not at all. */
    SHORT_SENDS(Kind.SUM, SystemCounterDescriptor.SHORT_SENDS, 1),
    INVALID_PACKETS(Kind.SUM, SystemCounterDescriptor.INVALID_PACKETS, 1),
    ERRORS(Kind.SUM, SystemCounterDescriptor.ERRORS, 1),
    /** Duty cycles of the driver's conductor above the threshold; as all overruns. */
    CONDUCTOR_OVERRUNS(Kind.SUM, SystemCounterDescriptor.CONDUCTOR_CYCLE_TIME_THRESHOLD_EXCEEDED, 1),
    /** Longest duty cycle of the conductor since the process started; as all maxima. */
    CONDUCTOR_MAX_MS(Kind.LEVEL, SystemCounterDescriptor.CONDUCTOR_MAX_CYCLE_TIME, 1e6),
    SENDER_OVERRUNS(Kind.SUM, SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED, 1),
    SENDER_MAX_MS(Kind.LEVEL, SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME, 1e6),
    RECEIVER_OVERRUNS(Kind.SUM, SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED, 1),
    RECEIVER_MAX_MS(Kind.LEVEL, SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME, 1e6),
    /** Packets dropped by the configured loss of an emulated distance. */
    EMULATED_LOSS(Kind.SUM, LinkFilter.LOSS_TYPE_ID, 1),
    /** Packets dropped because the delay line of an emulated distance was full. */
    EMULATION_OVERFLOW(Kind.SUM, LinkFilter.OVERFLOW_TYPE_ID, 1),

    ARCHIVE_ERRORS(Kind.SUM, AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, 1),
    ARCHIVE_OVERRUNS(Kind.SUM, AeronCounters.ARCHIVE_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID, 1),
    ARCHIVE_MAX_MS(Kind.LEVEL, AeronCounters.ARCHIVE_MAX_CYCLE_TIME_TYPE_ID, 1e6),
    /** Bytes written to the recording of the log. */
    WRITTEN_BYTES(Kind.SUM, AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_BYTES_TYPE_ID, 1),
    /** Time in these writes, including syncs. */
    WRITE_MS(Kind.SUM, AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_TIME_TYPE_ID, 1e6),
    WRITE_MAX_MS(Kind.LEVEL, AeronCounters.ARCHIVE_RECORDER_MAX_WRITE_TIME_TYPE_ID, 1e6),
    /** Time in reads of recordings. */
    READ_MS(Kind.SUM, AeronCounters.ARCHIVE_REPLAYER_TOTAL_READ_TIME_TYPE_ID, 1e6),
    READ_MAX_MS(Kind.LEVEL, AeronCounters.ARCHIVE_REPLAYER_MAX_READ_TIME_TYPE_ID, 1e6),

    /** 0 follower, 1 candidate, 2 leader. */
    ROLE(Kind.LEVEL, AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID, 1),
    /** State of its election, a code of Aeron's {@code ElectionState}; 17 when it is in none. */
    ELECTION(Kind.LEVEL, AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID, 1),
    ELECTIONS(Kind.SUM, AeronCounters.CLUSTER_ELECTION_COUNT_TYPE_ID, 1),
    /** Growth of the commit position, in bytes. */
    COMMITTED_BYTES(Kind.SUM, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID, 1),
    /** Length of the log up to the commit position. */
    LOG_MIB(Kind.LEVEL, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID, 1 << 20),
    CONSENSUS_ERRORS(Kind.SUM, AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, 1),
    CONSENSUS_OVERRUNS(Kind.SUM, AeronCounters.CLUSTER_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID, 1),
    CONSENSUS_MAX_MS(Kind.LEVEL, AeronCounters.CLUSTER_MAX_CYCLE_TIME_TYPE_ID, 1e6),
    SERVICE_ERRORS(Kind.SUM, AeronCounters.CLUSTER_CLUSTERED_SERVICE_ERROR_COUNT_TYPE_ID, 1),
    SERVICE_OVERRUNS(Kind.SUM, AeronCounters.CLUSTER_CLUSTERED_SERVICE_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID, 1),
    SERVICE_MAX_MS(Kind.LEVEL, AeronCounters.CLUSTER_CLUSTERED_SERVICE_MAX_CYCLE_TIME_TYPE_ID, 1e6),

    APPLIED(Kind.SUM, ServiceCounter.APPLIED.typeId(), 1),
    REPLIES_BACK_PRESSURED(Kind.SUM, ServiceCounter.REPLIES_BACK_PRESSURED.typeId(), 1),
    /** Length of all backlogs of replies, in bytes. */
    BACKLOG_BYTES(Kind.LEVEL, ServiceCounter.BACKLOG_BYTES.typeId(), 1),
    REPLIES_DROPPED(Kind.SUM, ServiceCounter.REPLIES_DROPPED.typeId(), 1),

    SNAPSHOTS(Kind.SUM, AeronCounters.CLUSTER_SNAPSHOT_COUNTER_TYPE_ID, 1),
    /** Longest snapshot since the process started, of consensus module and service. */
    SNAPSHOT_MAX_MS(Kind.LEVEL, AeronCounters.CLUSTER_TOTAL_MAX_SNAPSHOT_DURATION_TYPE_ID, 1e6),
    SERVICE_SNAPSHOT_MS(Kind.SUM, ServiceCounter.SNAPSHOT_TIME.typeId(), 1e6),

    SESSIONS(Kind.LEVEL, ServiceCounter.SESSIONS.typeId(), 1),
    SESSIONS_OPENED(Kind.SUM, ServiceCounter.SESSIONS_OPENED.typeId(), 1),
    /** Sessions closed because nothing was received from their clients. */
    SESSIONS_TIMED_OUT(Kind.SUM, ServiceCounter.SESSIONS_TIMED_OUT.typeId(), 1),

    /** Committed bytes of the log that the backup lacks. */
    BACKUP_LAG_BYTES(Kind.LEVEL, 1),
    /** The most of them since the sample before. */
    BACKUP_LAG_MAX_BYTES(Kind.LEVEL, 1),
    /** Time since the first of them was committed. */
    BACKUP_LAG_MS(Kind.LEVEL, 1e6),
    /** The most of it since the sample before. */
    BACKUP_LAG_MAX_MS(Kind.LEVEL, 1e6),

    /** Number of the disk with its log: the same for all processes on that disk, and another for each disk of any host. */
    DISK(Kind.LEVEL, 1),
    /** Space that this disk has left. */
    DISK_FREE_MIB(Kind.LEVEL, 1 << 20);

    /** How to interpret a value. */
    public enum Kind
    {
        /** Grows while the process lives: differences count. */
        SUM,
        /** A momentary value. */
        LEVEL
    }

    /** Key of a value from the system. */
    static final int NONE = Integer.MIN_VALUE;

    private final Kind kind;
    private final int key;
    private final double divisor;

    /** A value from the system. */
    CounterColumn(final Kind kind, final double divisor)
    {
        this(kind, NONE, divisor);
    }

    /** One of a media driver's own counters. */
    CounterColumn(final Kind kind, final SystemCounterDescriptor counter, final double divisor)
    {
        this(kind, keyOfSystem(counter.id()), divisor);
    }

    /** The sum of all counters of a type at a media driver. */
    CounterColumn(final Kind kind, final int key, final double divisor)
    {
        this.kind = kind;
        this.key = key;
        this.divisor = divisor;
    }

    /** Key of one of a driver's own counters, which are all of one type: below 0, where no type is. */
    static int keyOfSystem(final int systemId)
    {
        return ~systemId;
    }

    /** Name of the column, with its unit last. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind()
    {
        return kind;
    }

    /** Type of the counters at a media driver, or of one of its own {@link #keyOfSystem}, or {@link #NONE}. */
    int key()
    {
        return key;
    }

    /** Divisor of a raw value to get the unit of the column; 1 for counts, which are written as whole numbers. */
    public double divisor()
    {
        return divisor;
    }
}
