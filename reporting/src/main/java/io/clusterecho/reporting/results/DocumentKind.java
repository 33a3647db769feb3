package io.clusterecho.reporting.results;

import java.util.Locale;

/**
 * Kinds of result folder, each with the document that marks it. The version in a format is raised when a field changes its
 * meaning or is removed.
 */
public enum DocumentKind
{
    RUN("manifest.json", "cluster-echo-run/2"),
    /** Failover test, next to the manifest of its load. */
    FAILOVER("failover.json", "cluster-echo-failover/1"),
    /** Search for the maximum rate. */
    MAX_RATE("max-rate.json", "cluster-echo-max-rate/2"),
    SWEEP("sweep.json", "cluster-echo-sweep/1"),
    SUITE("suite.json", "cluster-echo-suite/1"),
    BASELINE("baseline.json", "cluster-echo-baseline/1"),
    CALIBRATION("calibration.json", "cluster-echo-calibration/1"),
    /** Closed loop: one message at a time. */
    PING_PONG("ping-pong.json", "cluster-echo-ping-pong/1"),
    AUDIT("audit.json", "cluster-echo-audit/1");

    private final String fileName;
    private final String format;

    DocumentKind(final String fileName, final String format)
    {
        this.fileName = fileName;
        this.format = format;
    }

    /** The kind in a word, as {@code max-rate}. */
    public String word()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String fileName()
    {
        return fileName;
    }

    /** Value of the document's own format field, as {@code cluster-echo-run/2}. */
    public String format()
    {
        return format;
    }
}
