package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Locale;

/**
 * Kinds of result folder, each with the document that marks it, and the fields that every version of it has, as JSON pointers.
 * The version in a format is raised when a field changes its meaning or is removed.
 */
public enum DocumentKind
{
    RUN(
        "manifest.json", "cluster-echo-run/2", "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings",
        "/commandLine", "/durability", "/configuration", "/scheduled", "/answered", "/late", "/unanswered", "/neverSent",
        "/ratePerSecondAsked", "/ratePerSecondAchieved", "/responseTimeNs/count", "/serviceTimeNs/count",
        "/sendDelayNs/count", "/stallNs/count"),
    /** Failover test, next to the manifest of its load. */
    FAILOVER(
        "failover.json", "cluster-echo-failover/1", "/verdict/label", "/verdict/good", "/verdict/reasons", "/delivery",
        "/acknowledged", "/acknowledgedLost", "/appliedTwice", "/resent", "/outageBoundNs", "/outageNs/median", "/phases",
        "/audit/clean", "/audit/findings", "/cycles"),
    MAX_RATE(
        "max-rate.json", "cluster-echo-max-rate/2", "/label", "/start", "/verdict/label", "/verdict/reasons",
        "/verdict/warnings", "/commandLine", "/durability", "/configuration", "/slo", "/answer/ratePerSecond",
        "/answer/spread", "/limit/by", "/limit/reason", "/steps"),
    SWEEP(
        "sweep.json", "cluster-echo-sweep/1", "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings",
        "/commandLine", "/durability", "/configuration", "/plan/dimensions", "/cells", "/ratios", "/runs"),
    SUITE(
        "suite.json", "cluster-echo-suite/1", "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings",
        "/commandLine", "/groups"),
    BASELINE(
        "baseline.json", "cluster-echo-baseline/1", "/label", "/start", "/verdict/label", "/verdict/reasons",
        "/verdict/warnings", "/commandLine", "/durability", "/configuration", "/lengthBytes", "/udp", "/machine"),
    CALIBRATION(
        "calibration.json", "cluster-echo-calibration/1", "/label", "/start", "/verdict/good", "/idle", "/echoes", "/machine",
        "/jvm", "/versions"),
    /** Closed loop: one message at a time. */
    PING_PONG("ping-pong.json", "cluster-echo-ping-pong/1"),
    AUDIT("audit.json", "cluster-echo-audit/1");

    private final String fileName;
    private final String format;
    private final List<String> requiredFields;

    DocumentKind(final String fileName, final String format, final String... requiredFields)
    {
        this.fileName = fileName;
        this.format = format;
        this.requiredFields = List.of(requiredFields);
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

    public List<String> requiredFields()
    {
        return requiredFields;
    }
}
