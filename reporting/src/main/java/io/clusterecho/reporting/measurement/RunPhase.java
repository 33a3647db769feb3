package io.clusterecho.reporting.measurement;

/**
 * Phase of a run.
 */
public enum RunPhase
{
    /** Sessions are being opened. */
    CONNECT,
    /** Messages are sent but not measured. */
    WARM_UP,
    /** Messages are sent and measured. */
    MEASURE,
    /** The schedule has ended; waiting for replies and late sends. */
    DRAIN,
    /** Over. */
    DONE
}
