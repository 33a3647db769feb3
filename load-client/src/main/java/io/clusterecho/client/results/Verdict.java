package io.clusterecho.client.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadOutcome;
import io.clusterecho.settings.Quantity;

/**
 * Whether a run can stand as a result, and why not.
 *
 * @param reasons    for which the run failed by our own rules (rate, losses, duplicates, corruption, accounting); empty
 *                   when it is good.
 * @param violations of thresholds that the user set.
 * @param warnings   what a reader should know of a run that may be good.
 * @param isPartial  whether it was ended before its schedule.
 */
public record Verdict(List<String> reasons, List<String> violations, List<String> warnings, boolean isPartial)
{
    /**
     * Share of the asked rate that must be achieved.
     */
    public static final double RATE_TOLERANCE = 0.01;

    private static final long STALL_WARNING_NS = 10_000_000L;
    private static final long STALL_FAILURE_NS = 500_000_000L;

    /**
     * Judge a run.
     *
     * @param measurement        of it.
     * @param ratePerSecondAsked of its schedule.
     * @param thresholds         that the user set.
     * @param isPartial          whether it was ended before its schedule.
     * @return the verdict.
     */
    public static Verdict of(
        final LoadMeasurement measurement,
        final long ratePerSecondAsked,
        final List<Threshold> thresholds,
        final boolean isPartial)
    {
        final LoadOutcome outcome = measurement.outcome();
        final List<String> reasons = new ArrayList<>();
        final long accounted = outcome.answered() + outcome.late() + outcome.unanswered() + outcome.neverSent();
        if (accounted != outcome.scheduled())
        {
            reasons.add("the accounts do not add up: scheduled=" + outcome.scheduled() + ", accounted for=" + accounted);
        }
        if (0 == outcome.scheduled())
        {
            reasons.add("nothing was measured");
        }
        if (outcome.lost() > 0)
        {
            reasons.add(
                outcome.lost() + " of " + outcome.scheduled() + " messages without a reply (" + outcome.unanswered() +
                " unanswered, " + outcome.neverSent() + " never sent)");
        }
        final double share = outcome.ratePerSecondAchieved() / ratePerSecondAsked;
        if (outcome.scheduled() > 1 && share < 1 - RATE_TOLERANCE)
        {
            reasons.add(String.format(
                Locale.ROOT, "rate missed: %.0f of %d messages/s achieved (%.1f%%)",
                outcome.ratePerSecondAchieved(), ratePerSecondAsked, 100 * share));
        }
        addIfAny(reasons, outcome.duplicates(), "duplicate replies");
        addIfAny(reasons, outcome.outOfOrder(), "replies out of order");
        addIfAny(reasons, outcome.corrupt(), "corrupt replies");
        if (0 == outcome.newLeaders() + outcome.reconnects())
        {
            // Nothing that was sent can go missing within one session with one leader.
            addIfAny(reasons, outcome.gaps(), "requests refused for a missing one, though neither leader nor session changed");
        }
        addIfAny(reasons, outcome.forgotten(), "acknowledged messages that the service asked for again");

        final List<String> warnings = new ArrayList<>();
        final long stallNs = Percentile.MAX.of(measurement.stalls());
        if (stallNs >= STALL_FAILURE_NS)
        {
            reasons.add("the client itself was kept from running for " + Quantity.formatNs(stallNs));
        }
        else if (stallNs >= STALL_WARNING_NS)
        {
            warnings.add(
                "the platform was not quiet: this process was kept from running for up to " + Quantity.formatNs(stallNs));
        }
        final long arrearsNs = (long)(outcome.warmUpSkipped() * 1e9 / ratePerSecondAsked);
        if (arrearsNs >= STALL_WARNING_NS)
        {
            warnings.add("the warm-up ended with arrears of " + Quantity.formatNs(arrearsNs) + ", which were not sent");
        }
        if (outcome.newLeaders() > 0)
        {
            warnings.add("the leader changed " + outcome.newLeaders() + " time(s)");
        }

        final List<String> violations = new ArrayList<>();
        for (final Threshold threshold : thresholds)
        {
            final String violation = threshold.violation(measurement, ratePerSecondAsked);
            if (null != violation)
            {
                violations.add(violation);
            }
        }

        return new Verdict(reasons, violations, warnings, isPartial);
    }

    /**
     * The same with further warnings.
     *
     * @param more of them.
     * @return a verdict.
     */
    public Verdict with(final List<String> more)
    {
        final List<String> all = new ArrayList<>(warnings);
        all.addAll(more);
        return new Verdict(reasons, violations, all, isPartial);
    }

    /**
     * The same with further reasons for which the run failed.
     *
     * @param more of them, told before the others.
     * @return a verdict.
     */
    public Verdict against(final List<String> more)
    {
        final List<String> all = new ArrayList<>(more);
        all.addAll(reasons);
        return new Verdict(all, violations, warnings, isPartial);
    }

    /**
     * Whether the run can stand: it is whole, nothing was lost, the rate was achieved, all thresholds hold.
     *
     * @return true if so.
     */
    public boolean isGood()
    {
        return reasons.isEmpty() && violations.isEmpty() && !isPartial;
    }

    /**
     * All that speaks against the run.
     *
     * @return one sentence each.
     */
    public List<String> allReasons()
    {
        final List<String> all = new ArrayList<>(reasons);
        violations.forEach((violation) -> all.add("threshold failed: " + violation));
        if (isPartial)
        {
            all.add("partial: ended before its schedule");
        }

        return all;
    }

    /**
     * In one word.
     *
     * @return GOOD, PARTIAL or FAILED.
     */
    public String label()
    {
        return isGood() ? "GOOD" : reasons.isEmpty() && violations.isEmpty() ? "PARTIAL" : "FAILED";
    }

    private static void addIfAny(final List<String> reasons, final long count, final String what)
    {
        if (count > 0)
        {
            reasons.add(count + " " + what);
        }
    }
}
