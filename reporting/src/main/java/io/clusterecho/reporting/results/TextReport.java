package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.StageTimes;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;

import org.HdrHistogram.Histogram;

/**
 * A result as a person reads it on a terminal: verdict first, then the accounts, the three times, and a plot of the
 * percentiles.
 */
public final class TextReport
{
    private static final double[] PLOT_PERCENTILES = { 10, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100 };
    private static final int PLOT_WIDTH = 48;

    private TextReport()
    {
    }

    /**
     * Write a result.
     *
     * @param description        how it came about.
     * @param ratePerSecondAsked of its schedule.
     * @param measurement        what was measured.
     * @param verdict            on it.
     * @param diagnosis          why its tail is as long as it is.
     * @param cpu                what it took of the cores.
     * @param floor              how far its median is from what the machine allows for, or null where that does not apply.
     * @param clients            that offered it together, none where this process did.
     * @param place              where it is kept.
     * @return several lines.
     */
    public static String text(
        final RunDescription description,
        final long ratePerSecondAsked,
        final LoadMeasurement measurement,
        final Verdict verdict,
        final Diagnosis diagnosis,
        final CpuCost cpu,
        final FloorRatio floor,
        final List<ClientRecord> clients,
        final String place)
    {
        final LoadOutcome outcome = measurement.outcome();
        final StringBuilder text = new StringBuilder(2048);
        line(text, "%s  %s", verdict.label(), description.label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        line(text, "rate       asked %,d/s, achieved %,.1f/s (%.2f%%)",
            ratePerSecondAsked, outcome.ratePerSecondAchieved(),
            100 * outcome.ratePerSecondAchieved() / ratePerSecondAsked);
        line(text, "messages   scheduled %,d = answered %,d + late %,d + unanswered %,d + never sent %,d",
            outcome.scheduled(), outcome.answered(), outcome.late(), outcome.unanswered(), outcome.neverSent());
        line(text, "           duplicates %,d, out of order %,d, corrupt %,d; back-pressured attempts %,d, disconnected %,d",
            outcome.duplicates(), outcome.outOfOrder(), outcome.corrupt(), outcome.backPressured(), outcome.disconnected());
        if (outcome.resent() + outcome.repeated() + outcome.reconnects() + outcome.newLeaders() > 0)
        {
            line(text, "delivery   resent %,d, repeated replies %,d, gaps %,d, reconnects %,d, new leaders %,d",
                outcome.resent(), outcome.repeated(), outcome.gaps(), outcome.reconnects(), outcome.newLeaders());
        }
        line(text, "durability %s", description.durability());
        line(text, "placement  %s", description.placement());
        line(text, "threads    %s", threads(description));
        line(text, "client     ceiling %,d/s into a transport that answers at once", description.ceilingPerSecond());
        if (!clients.isEmpty())
        {
            line(text, "clients    %d offered the schedule together, started within %s of its begin by the clocks",
                clients.size(), Quantity.formatNs(ClientRecord.startErrorNs(clients)));
        }
        if (!Double.isNaN(cpu.clientS()))
        {
            line(text, "cpu        %,.1f s for a million answers in the client%s", cpu.clientS(),
                Double.isNaN(cpu.membersS()) ? "" : String.format(Locale.ROOT, ", %,.1f s in all members", cpu.membersS()));
        }
        line(text, "");

        final PercentileTable times = new PercentileTable()
            .row("response time", measurement.responseTimes())
            .row("service time", measurement.serviceTimes())
            .row("send delay", measurement.sendDelays());
        stages(times, outcome.stages());
        text.append(times.row("stalls of this process", measurement.stalls()).text());
        line(text, "");
        plot(text, measurement.responseTimes());
        line(text, "");
        final String means = StageReport.means(measurement);
        if (!means.isEmpty())
        {
            line(text, "where the mean response time goes: %s", means);
            line(text, "");
        }
        why(text, diagnosis);
        line(text, "");
        if (null != floor)
        {
            floor(text, floor);
            line(text, "");
        }
        line(text, "results in %s", place);
        return text.toString();
    }

    /**
     * The profile of members and client, and what the system was told of their threads.
     */
    private static String threads(final RunDescription description)
    {
        final Map<String, String> client = description.configuration();
        final List<String> words = new ArrayList<>();
        final String profile = description.cluster().get(SettingKeys.PROFILE);
        if (null != profile)
        {
            words.add("members " + profile);
        }
        words.add("client " + client.getOrDefault("driver-threads", "").replace("invoker", "compact") + ", " +
            client.getOrDefault("idle", ""));
        words.add(client.getOrDefault("threads", ""));
        words.remove("");
        return String.join("; ", words);
    }

    private static void floor(final StringBuilder text, final FloorRatio floor)
    {
        if (!floor.isKnown())
        {
            line(text, "p50 / floor is %s", floor.missing());
            return;
        }
        line(text, "p50 / floor is %.2f: %s is what the machine allows for with the idle strategy %s%s",
            floor.ratio(), Quantity.formatNs(floor.floorNs()), floor.idle(),
            0 == floor.syncNs() ? "" : ", " + Quantity.formatNs(floor.syncNs()) + " of it for a sync of the disk");
        if (floor.floorNs() != floor.spinningFloorNs())
        {
            line(text, "with threads that spin the floor is %s, and p50 %.1f times that",
                Quantity.formatNs(floor.spinningFloorNs()), floor.spinningRatio());
        }
        line(text, "baseline in %s", floor.baseline());
    }

    private static void why(final StringBuilder text, final Diagnosis diagnosis)
    {
        line(text, diagnosis.isLong() ? "the tail is long: %s" : "the tail: %s", diagnosis.tail());
        for (final TailCause finding : diagnosis.findings())
        {
            line(
                text, "  %s (%.0f%% of the time, with %.0f%% of what was slow): %s", finding.rule(), 100 * finding.present(),
                100 * finding.share(), finding.cause());
            line(text, "    try: %s", finding.advice());
        }
    }

    private static void stages(final PercentileTable times, final StageTimes stages)
    {
        if (null != stages)
        {
            stages.stages().forEach((stage) -> times.row("  " + stage.label(), stages.of(stage)));
        }
    }

    /**
     * Bars on a logarithmic scale from the smallest value to the largest.
     */
    private static void plot(final StringBuilder text, final Histogram histogram)
    {
        if (0 == histogram.getTotalCount())
        {
            return;
        }

        final double low = Math.log10(Math.max(1, histogram.getMinValue()));
        final double high = Math.max(low + 1e-9, Math.log10(Math.max(1, histogram.getMaxValue())));
        line(text, "response time by percentile, logarithmic from %s to %s",
            Quantity.formatNs(histogram.getMinValue()), Quantity.formatNs(histogram.getMaxValue()));
        for (final double percent : PLOT_PERCENTILES)
        {
            final long value = histogram.getValueAtPercentile(percent);
            final int length = (int)Math.round((Math.log10(Math.max(1, value)) - low) / (high - low) * PLOT_WIDTH);
            line(text, "  %6s%% |%-" + (PLOT_WIDTH + 1) + "s %s",
                percent == Math.rint(percent) ? String.valueOf((int)percent) : String.valueOf(percent),
                "#".repeat(Math.max(0, Math.min(PLOT_WIDTH, length))), Quantity.formatNs(value));
        }
    }

    private static void line(final StringBuilder text, final String format, final Object... arguments)
    {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing()).append('\n');
    }
}
