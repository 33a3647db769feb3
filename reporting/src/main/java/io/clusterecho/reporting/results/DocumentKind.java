package io.clusterecho.reporting.results;

/**
 * The documents that a result folder can be of, each with the file that holds it. The version in a format is raised when a
 * field changes its meaning or goes.
 */
public enum DocumentKind
{
    /** One run. */
    RUN("manifest.json", "cluster-echo-run/1"),
    /** Failover test, beside the manifest of its load. */
    FAILOVER("failover.json", "cluster-echo-failover/1"),
    /** Search for the highest rate. */
    MAX_RATE("max-rate.json", "cluster-echo-max-rate/1"),
    /** Sweep. */
    SWEEP("sweep.json", "cluster-echo-sweep/1"),
    /** Suite of the peers. */
    SUITE("suite.json", "cluster-echo-suite/1"),
    /** What the machine does without a cluster. */
    BASELINE("baseline.json", "cluster-echo-baseline/1"),
    /** One message at a time. */
    PING_PONG("ping-pong.json", "cluster-echo-ping-pong/1"),
    /** Audit of members' logs. */
    AUDIT("audit.json", "cluster-echo-audit/1");

    private final String fileName;
    private final String format;

    DocumentKind(final String fileName, final String format)
    {
        this.fileName = fileName;
        this.format = format;
    }

    /**
     * Name of the file in the folder of the result.
     *
     * @return for instance {@code manifest.json}.
     */
    public String fileName()
    {
        return fileName;
    }

    /**
     * What the document says of its own format, with the version.
     *
     * @return for instance {@code cluster-echo-run/1}.
     */
    public String format()
    {
        return format;
    }
}
