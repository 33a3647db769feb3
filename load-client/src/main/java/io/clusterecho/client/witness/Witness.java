package io.clusterecho.client.witness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;

/**
 * A load, and what a packet capture says of it.
 *
 * @param description   how it was made.
 * @param measurement   of the load, as in a run.
 * @param isOwn         whether the compared times are those that the client reports.
 * @param capture       that was read, with its counts.
 * @param droppedCount  packets that the kernel dropped; -1 if unknown.
 * @param driftNs       of the wall clock, which stamps the capture, against the client's during the load, in ns.
 * @param clockErrorNs  of the two readings that the drift comes from, in ns.
 * @param durationNs    between these readings, in ns.
 * @param problems      of the load, a sentence each.
 * @param isPartial     whether it was interrupted.
 */
record Witness(
    RunDescription description,
    long ratePerSecond,
    int lengthBytes,
    LoadMeasurement measurement,
    Testimony testimony,
    boolean isOwn,
    PacketCapture capture,
    WireTimes wire,
    long droppedCount,
    long driftNs,
    long clockErrorNs,
    long durationNs,
    List<String> problems,
    boolean isPartial)
{
    private static final double LEAST_MATCHED = 0.99;
    /** The kernel slews its clock by no more than this share; a larger drift is a step. */
    private static final double MAX_SLEW = 500e-6;
    private static final long READING_ERROR_NS = 1_000;

    /**
     * Largest part of a difference that comes from the two clocks, in ns: what the wall clock may be slewed during the longest
     * message on the wire, and the error of reading it.
     */
    long toleranceNs()
    {
        return READING_ERROR_NS + Math.round(MAX_SLEW * testimony.wireTimes().getMaxValue());
    }

    /**
     * Judge load and capture.
     *
     * @param unwritten files of the result that could not be written, a sentence each.
     */
    Verdict verdict(final List<String> unwritten)
    {
        final Verdict load = Verdict.of(RunEvidence.of(measurement, ratePerSecond).with(problems));
        final List<String> reasons = new ArrayList<>(load.reasons());
        final List<String> warnings = new ArrayList<>(load.warnings());
        if (!isOwn)
        {
            reasons.add("the compared service times are not those that the client reports");
        }
        if (testimony.matchedCount() < LEAST_MATCHED * testimony.answeredCount() || 0 == testimony.matchedCount())
        {
            reasons.add(String.format(
                Locale.ROOT, "the capture has request and reply of %,d of %,d answered messages, at least 99%% are needed",
                testimony.matchedCount(), testimony.answeredCount()));
        }
        if (testimony.lowestNs() < -toleranceNs())
        {
            reasons.add(String.format(
                Locale.ROOT, "the client reports up to %s less than the time on the wire (%,d messages)",
                Quantity.formatNs(-testimony.lowestNs()), testimony.belowCount()));
        }
        if (Math.abs(driftNs) > clockErrorNs + MAX_SLEW * durationNs)
        {
            reasons.add(
                "the wall clock, which stamps the capture, was set during the load: it is off by " +
                Quantity.formatNs(Math.abs(driftNs)) + " against the client's");
        }
        if (wire.fragmentCount() > 0)
        {
            reasons.add(String.format(
                Locale.ROOT, "%,d frames are a part of a message; the times of such messages are not compared",
                wire.fragmentCount()));
        }
        if (capture.pieceCount() > 0)
        {
            warnings.add(String.format(Locale.ROOT, "%,d pieces of fragmented IP packets were not read", capture.pieceCount()));
        }
        if (wire.cutCount() > 0)
        {
            warnings.add(String.format(Locale.ROOT, "%,d frames were captured only in part", wire.cutCount()));
        }
        if (capture.isFileCut())
        {
            warnings.add("the capture ends within a packet");
        }
        if (droppedCount > 0)
        {
            warnings.add(String.format(Locale.ROOT, "the kernel dropped %,d captured packets", droppedCount));
        }
        reasons.addAll(unwritten);
        return Verdict.ofRuns(reasons, warnings, isPartial ? "ended before its end" : "");
    }
}
