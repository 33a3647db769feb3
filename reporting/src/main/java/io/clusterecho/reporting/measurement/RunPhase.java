package io.clusterecho.reporting.measurement;

import java.util.Locale;

/** Phase of a run. */
public enum RunPhase
{
    /** Messages are sent but not measured. */
    WARM_UP,
    /** Messages are sent and measured. */
    MEASURE,
    /** The schedule has ended; waiting for replies and late sends. */
    DRAIN;

    /** Name in results, for instance {@code warm_up}. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
