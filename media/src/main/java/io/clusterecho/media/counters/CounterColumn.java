package io.clusterecho.media.counters;

import io.aeron.AeronCounters;
import io.aeron.driver.status.SystemCounterDescriptor;

import io.clusterecho.media.link.LinkFilter;

/** Measured values of each process of a cluster or its client: the columns of {@code counters.csv}. */
public enum CounterColumn
{
    /** Time on a core. */
    CPU_MS("cpu_ms", Kind.SUM),
    /** Time for which its threads were ready to run and had no core, summed over threads. */
    RUN_DELAY_MS("run_delay_ms", Kind.SUM, 1e6),
    /** Page faults that waited for a disk. */
    MAJOR_FAULTS("major_faults", Kind.SUM),
    /** Private memory: heap, stacks, code. */
    MEMORY_MIB("memory_mib", Kind.LEVEL, 1024.0),
    /** Resident mapped files: terms and counters of Aeron, and jars. */
    SHARED_MIB("shared_mib", Kind.LEVEL, 1024.0),
    /** Open files and sockets. */
    OPEN_FILES("open_files", Kind.LEVEL),
    COLLECTIONS("collections", Kind.SUM, ProcessCounter.COLLECTIONS),
    COLLECTION_MS("collection_ms", Kind.SUM, ProcessCounter.COLLECTION_TIME_MS),
    /** Safepoints: stops of all threads. */
    SAFEPOINTS("safepoints", Kind.SUM, ProcessCounter.SAFEPOINTS),
    SAFEPOINT_MS("safepoint_ms", Kind.SUM, ProcessCounter.SAFEPOINT_TIME_MS),
    /** Time of compiler threads in finished compilations. */
    COMPILE_MS("compile_ms", Kind.SUM, ProcessCounter.COMPILATION_TIME_MS),
    /** Longest stall of the process; in a row of several seconds, the sum of the longest stall of each second. */
    STALL_MS("stall_ms", Kind.SUM, AeronSource.of(ProcessCounter.STALL_SUM_NS.typeId()), 1e6),

    /** Bytes that the driver sent. */
    BYTES_SENT("bytes_sent", Kind.SUM, SystemCounterDescriptor.BYTES_SENT),
    /** Bytes that the driver received. */
    BYTES_RECEIVED("bytes_received", Kind.SUM, SystemCounterDescriptor.BYTES_RECEIVED),
    /** NAKs sent: requests for lost data. */
    NAKS_SENT("naks_sent", Kind.SUM, SystemCounterDescriptor.NAK_MESSAGES_SENT),
    NAKS_RECEIVED("naks_received", Kind.SUM, SystemCounterDescriptor.NAK_MESSAGES_RECEIVED),
    RETRANSMITS("retransmits", Kind.SUM, SystemCounterDescriptor.RETRANSMITS_SENT),
    /** Gaps filled with padding, because their data was given up. */
    LOSS_GAP_FILLS("loss_gap_fills", Kind.SUM, SystemCounterDescriptor.LOSS_GAP_FILLS),
    /** Packets before the receiver's window. */
    FLOW_CONTROL_UNDER_RUNS("flow_control_under_runs", Kind.SUM, SystemCounterDescriptor.FLOW_CONTROL_UNDER_RUNS),
    /** Packets beyond the receiver's window. */
    FLOW_CONTROL_OVER_RUNS("flow_control_over_runs", Kind.SUM, SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS),
    /** Times that a sender waited for a receiver's window. */
    SENDER_LIMITED("sender_limited", Kind.SUM, SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS),
    /** Times that an open publication met back pressure. */
    BACK_PRESSURE("back_pressure", Kind.SUM, AeronSource.of(AeronCounters.DRIVER_SENDER_BPE_TYPE_ID), 1),
    /** Packets that the system accepted only in part or not at all. */
    SHORT_SENDS("short_sends", Kind.SUM, SystemCounterDescriptor.SHORT_SENDS),
    INVALID_PACKETS("invalid_packets", Kind.SUM, SystemCounterDescriptor.INVALID_PACKETS),
    /** Errors that the driver logged. */
    ERRORS("errors", Kind.SUM, SystemCounterDescriptor.ERRORS),
    /** Duty cycles of the driver's conductor above the threshold. */
    CONDUCTOR_OVERRUNS("conductor_overruns", Kind.SUM, SystemCounterDescriptor.CONDUCTOR_CYCLE_TIME_THRESHOLD_EXCEEDED),
    /** Longest duty cycle of the conductor since the process started. */
    CONDUCTOR_MAX_MS("conductor_max_ms", Kind.LEVEL, SystemCounterDescriptor.CONDUCTOR_MAX_CYCLE_TIME, 1e6),
    /** Duty cycles of the driver's sender above the threshold. */
    SENDER_OVERRUNS("sender_overruns", Kind.SUM, SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED),
    /** Longest duty cycle of the sender since the process started. */
    SENDER_MAX_MS("sender_max_ms", Kind.LEVEL, SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME, 1e6),
    /** Duty cycles of the driver's receiver above the threshold. */
    RECEIVER_OVERRUNS("receiver_overruns", Kind.SUM, SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED),
    /** Longest duty cycle of the receiver since the process started. */
    RECEIVER_MAX_MS("receiver_max_ms", Kind.LEVEL, SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME, 1e6),
    /** Packets dropped by the configured loss of an emulated distance. */
    EMULATED_LOSS("emulated_loss", Kind.SUM, LinkFilter.LOSS_TYPE_ID),
    /** Packets dropped because the delay line of an emulated distance was full. */
    EMULATION_OVERFLOW("emulation_overflow", Kind.SUM, LinkFilter.OVERFLOW_TYPE_ID),

    /** Errors that the archive logged. */
    ARCHIVE_ERRORS("archive_errors", Kind.SUM, AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID),
    /** Duty cycles of the archive above the threshold. */
    ARCHIVE_OVERRUNS("archive_overruns", Kind.SUM, AeronCounters.ARCHIVE_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID),
    /** Longest duty cycle of the archive since the process started. */
    ARCHIVE_MAX_MS("archive_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.ARCHIVE_MAX_CYCLE_TIME_TYPE_ID), 1e6),
    /** Bytes written to the recording of the log. */
    WRITTEN_BYTES("written_bytes", Kind.SUM, AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_BYTES_TYPE_ID),
    /** Time in these writes, including syncs. */
    WRITE_MS("write_ms", Kind.SUM, AeronSource.of(AeronCounters.ARCHIVE_RECORDER_TOTAL_WRITE_TIME_TYPE_ID), 1e6),
    /** Longest write since the process started. */
    WRITE_MAX_MS("write_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.ARCHIVE_RECORDER_MAX_WRITE_TIME_TYPE_ID), 1e6),
    /** Time in reads of recordings. */
    READ_MS("read_ms", Kind.SUM, AeronSource.of(AeronCounters.ARCHIVE_REPLAYER_TOTAL_READ_TIME_TYPE_ID), 1e6),
    /** Longest read since the process started. */
    READ_MAX_MS("read_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.ARCHIVE_REPLAYER_MAX_READ_TIME_TYPE_ID), 1e6),

    /** 0 follower, 1 candidate, 2 leader. */
    ROLE("role", Kind.LEVEL, AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID),
    /** State of its election, a code of Aeron's {@code ElectionState}; 17 when it is in none. */
    ELECTION("election", Kind.LEVEL, AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID),
    /** Elections that the member entered. */
    ELECTIONS("elections", Kind.SUM, AeronCounters.CLUSTER_ELECTION_COUNT_TYPE_ID),
    /** Growth of the commit position, in bytes. */
    COMMITTED_BYTES("committed_bytes", Kind.SUM, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID),
    /** Length of the log up to the commit position. */
    LOG_MIB("log_mib", Kind.LEVEL, AeronSource.of(AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID), 1 << 20),
    /** Errors that the consensus module logged. */
    CONSENSUS_ERRORS("consensus_errors", Kind.SUM, AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID),
    /** Duty cycles of the consensus module above the threshold. */
    CONSENSUS_OVERRUNS("consensus_overruns", Kind.SUM, AeronCounters.CLUSTER_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID),
    /** Longest duty cycle of the consensus module since the process started. */
    CONSENSUS_MAX_MS("consensus_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.CLUSTER_MAX_CYCLE_TIME_TYPE_ID), 1e6),
    /** Errors that the service container logged. */
    SERVICE_ERRORS("service_errors", Kind.SUM, AeronCounters.CLUSTER_CLUSTERED_SERVICE_ERROR_COUNT_TYPE_ID),
    /** Duty cycles of the service container above the threshold. */
    SERVICE_OVERRUNS(
        "service_overruns", Kind.SUM, AeronCounters.CLUSTER_CLUSTERED_SERVICE_CYCLE_TIME_THRESHOLD_EXCEEDED_TYPE_ID),
    /** Longest duty cycle of the service container since the process started. */
    SERVICE_MAX_MS(
        "service_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.CLUSTER_CLUSTERED_SERVICE_MAX_CYCLE_TIME_TYPE_ID), 1e6),

    /** Requests that the echo service applied. */
    APPLIED("applied", Kind.SUM, ServiceCounter.APPLIED),
    /** Replies that met back pressure. */
    REPLIES_BACK_PRESSURED("replies_back_pressured", Kind.SUM, ServiceCounter.REPLIES_BACK_PRESSURED),
    /** Length of all backlogs of replies, in bytes. */
    BACKLOG_BYTES("backlog_bytes", Kind.LEVEL, ServiceCounter.BACKLOG_BYTES),
    REPLIES_DROPPED("replies_dropped", Kind.SUM, ServiceCounter.REPLIES_DROPPED),

    /** Snapshots that the consensus module took. */
    SNAPSHOTS("snapshots", Kind.SUM, AeronCounters.CLUSTER_SNAPSHOT_COUNTER_TYPE_ID),
    /** Longest snapshot since the process started, of consensus module and service. */
    SNAPSHOT_MAX_MS(
        "snapshot_max_ms", Kind.LEVEL, AeronSource.of(AeronCounters.CLUSTER_TOTAL_MAX_SNAPSHOT_DURATION_TYPE_ID), 1e6),
    /** Time for which the echo service wrote snapshots. */
    SERVICE_SNAPSHOT_MS(
        "service_snapshot_ms", Kind.SUM, AeronSource.of(ServiceCounter.SNAPSHOT_TIME.typeId()), 1e6),

    SESSIONS("sessions", Kind.LEVEL, ServiceCounter.SESSIONS),
    SESSIONS_OPENED("sessions_opened", Kind.SUM, ServiceCounter.SESSIONS_OPENED),
    /** Sessions closed because nothing was received from their clients. */
    SESSIONS_TIMED_OUT("sessions_timed_out", Kind.SUM, ServiceCounter.SESSIONS_TIMED_OUT),

    /** Committed bytes of the log that the backup lacks. */
    BACKUP_LAG_BYTES("backup_lag_bytes", Kind.LEVEL),
    /** The most of them since the sample before. */
    BACKUP_LAG_MAX_BYTES("backup_lag_max_bytes", Kind.LEVEL),
    /** Time since the first of them was committed. */
    BACKUP_LAG_MS("backup_lag_ms", Kind.LEVEL, 1e6),
    /** The most of it since the sample before. */
    BACKUP_LAG_MAX_MS("backup_lag_max_ms", Kind.LEVEL, 1e6);

    /** How to interpret a value. */
    public enum Kind
    {
        /** Grows while the process lives: differences count. */
        SUM,
        /** A momentary value. */
        LEVEL
    }

    private final String label;
    private final Kind kind;
    private final AeronSource source;
    private final double divisor;

    CounterColumn(final String label, final Kind kind)
    {
        this(label, kind, (AeronSource)null, 1);
    }

    CounterColumn(final String label, final Kind kind, final double divisor)
    {
        this(label, kind, (AeronSource)null, divisor);
    }

    CounterColumn(final String label, final Kind kind, final int typeId)
    {
        this(label, kind, AeronSource.of(typeId), 1);
    }

    CounterColumn(final String label, final Kind kind, final ServiceCounter counter)
    {
        this(label, kind, counter.typeId());
    }

    CounterColumn(final String label, final Kind kind, final ProcessCounter counter)
    {
        this(label, kind, counter.typeId());
    }

    CounterColumn(final String label, final Kind kind, final SystemCounterDescriptor counter)
    {
        this(label, kind, counter, 1);
    }

    CounterColumn(final String label, final Kind kind, final SystemCounterDescriptor counter, final double divisor)
    {
        this(label, kind, AeronSource.of(counter), divisor);
    }

    CounterColumn(final String label, final Kind kind, final AeronSource source, final double divisor)
    {
        this.label = label;
        this.kind = kind;
        this.source = source;
        this.divisor = divisor;
    }

    /** Name of the column, with its unit last. */
    public String label()
    {
        return label;
    }

    /** How to interpret values. */
    public Kind kind()
    {
        return kind;
    }

    /** The driver's counter, or null for a value from the system. */
    AeronSource source()
    {
        return source;
    }

    /**
     * Divisor of a raw value to get the unit of the column.
     *
     * @return the divisor; 1 for counts, which are written as whole numbers.
     */
    public double divisor()
    {
        return divisor;
    }
}
