package io.clusterecho.client.load;

/**
 * Where a run is.
 */
public enum Phase
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
