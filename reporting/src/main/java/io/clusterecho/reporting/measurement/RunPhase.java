package io.clusterecho.reporting.measurement;

/**
 * Where a run is.
 */
public enum RunPhase
{
    /** Sessions are being opened. */
    CONNECT,
    /** Messages are offered but not measured. */
    WARM_UP,
    /** Messages are offered and measured. */
    MEASURE,
    /** All were offered, or the schedule was ended; replies and late sends are waited for. */
    DRAIN,
    /** Over. */
    DONE
}
