package io.clusterecho.reporting.results;

import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.platform.ClientJvm;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.StageTimes;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;

import org.HdrHistogram.Histogram;

/** The result of a run as text for a person, the most important first. The short form fits on one screen of 24 lines. */
public record TextReport(RunFindings run, Verdict verdict, String folder, boolean isPaged)
{
    private static final double[] PLOT_PERCENTILES = { 10, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100 };
    private static final int PLOT_WIDTH = 48;
    /** In the order in which columns are left out where they do not fit. */
    private static final List<Percentile> LEAST_IMPORTANT = List.of(Percentile.P99_99, Percentile.P90, Percentile.P99_9);
    private static final int ALL = TextSection.ALL;
    private static final int MAX_FINDINGS = 3;
    private static final int MAX_KIND_LINES = 6;
    private static final int MAX_MEMBERS = 5;
    private static final int MAX_VARYING_LINES = 8;
    private static final int LIST_INDENT = 4;
    private static final int TEXT_INDENT = 11;

    /** Everything, of any length and width. */
    public String full()
    {
        return TextSection.full(sections(Integer.MAX_VALUE));
    }

    /** The most important lines: at most 24, no wider than asked unless the path of the folder is. */
    public String summary(final int width)
    {
        return TextSection.brief(sections(width), width);
    }

    private List<TextSection> sections(final int width)
    {
        final RunDescription made = run.description();
        final LoadOutcome outcome = run.measurement().outcome();
        final List<TextSection> sections = new ArrayList<>(List.of(
            TextSection.of(1, 1, List.of(verdict.label() + "  " + made.label() +
            (verdict.isGood() ? ": the result is complete; response times are not judged" : ""))),
            list(3, 3, "  ! ", LIST_INDENT, verdict.allReasons(), "reasons", 1),
            TextSection.of(4, 1, List.of(rate())),
            list(4, MAX_VARYING_LINES, "", TEXT_INDENT, lines(run.varying(), VaryingRate::lines), null, ALL),
            TextSection.cut(7, false, 2, null == made.warmUp() ? List.of() : List.of("window     " + made.warmUp().text()))));
        sections.addAll(timesSections(width));
        sections.addAll(List.of(
            TextSection.full(true, plot()),
            new TextSection(6, true, messages(), messages(), 4, TEXT_INDENT, null, ALL),
            new TextSection(
            5, true, KindReport.lines(outcome, false), KindReport.lines(outcome, true), MAX_KIND_LINES, 0, "kinds", 0),
            TextSection.cut(6, true, 2, fanOut(run.measurement())),
            TextSection.cut(6, false, 2, lines(run.snapshots(), SnapshotCost::text)),
            TextSection.cut(6, false, 2, lines(run.backup(), BackupLag::text)),
            TextSection.cut(6, false, 3, lines(run.churn(), ChurnCost::text)),
            durabilitySection(),
            TextSection.of(made.placement().startsWith("emulated") ? 10 : TextSection.FULL_ONLY, 1, List.of(
            "placement  " + made.placement())),
            TextSection.full(false, List.of("threads    " + threads(), text(
            "client     ceiling %,d/s into a transport that answers at once", made.ceilingPerSecond()))),
            TextSection.full(false, lines(made.calibration(), (note) -> List.of("calibrated " + note.text()))),
            TextSection.full(false, ClientJvm.difference().isEmpty() ? List.of() :
            List.of(text("jvm        %s: start it with bin/load-client", ClientJvm.difference()))),
            TextSection.of(12, 1, run.clients().isEmpty() ? List.of() : List.of(text(
            "clients    %d shared the load, each started within %s of the begin of the schedule", run.clients().size(),
            Quantity.formatNs(ClientRecord.startErrorNs(run.clients()))))),
            TextSection.of(run.members().isEmpty() ? 13 : TextSection.FULL_ONLY, 1, cpu()),
            // They have what the line about core time has in sum.
            list(8, MAX_MEMBERS, "", TEXT_INDENT, run.members().stream().map(MemberLoad::text).toList(), "members", 0),
            list(9, 2, "warning    ", TEXT_INDENT, verdict.warnings(), "warnings", 1),
            stagesSection(), tailSection(), floorSection(), placeSection()));
        return sections;
    }

    private static <T> List<String> lines(final T part, final Function<T, List<String>> text)
    {
        return null == part ? List.of() : text.apply(part);
    }

    /** Sentences, the weightiest first. */
    private static TextSection list(
        final int rank, final int limit, final String mark, final int indent, final List<String> sentences, final String name,
        final int wrapped)
    {
        final List<String> lines = sentences.stream().map((sentence) -> mark + sentence).toList();
        return new TextSection(rank, false, lines, lines, limit, indent, name, wrapped);
    }

    /** With what the target rate is the mean of, if it varies. */
    private String rate()
    {
        final double achieved = run.measurement().outcome().ratePerSecondAchieved();
        final String rate = run.description().configuration().getOrDefault("rate", "");
        return text(
            "rate       target %,d/s%s, achieved %,.1f/s (%.2f%%)", run.ratePerSecondAsked(),
            rate.contains(":") ? " (mean of " + rate + ")" : "", achieved, 100 * achieved / run.ratePerSecondAsked());
    }

    /** The short form has the bounds of the response time only, and no reasons why there are none. */
    private List<TextSection> timesSections(final int width)
    {
        final List<String> brief = briefTable(width).text().lines().toList();
        final int boundsIndex = 2;
        final List<Time> times = times();
        final int timesCount = times.size();
        final int boundsCount = brief.size() - 1 - timesCount;
        final PercentileTable fullTable = table(List.of(Percentile.values()), times);
        final StageTimes stages = run.measurement().outcome().stages();
        if (null != stages)
        {
            stages.stages().forEach((stage) -> fullTable.row("  " + stage.label(), stages.of(stage)));
        }
        if (null != run.measurement().fanOut())
        {
            fullTable.row("each receiver", run.measurement().fanOut().responseTimes());
            fullTable.row("last receiver", run.measurement().fanOut().lastResponseTimes());
        }
        final List<String> full = new ArrayList<>();
        fullTable.row("client stalls", run.measurement().times().of(Time.STALL)).text().lines().forEach(full::add);
        clientPart().forEach(full::add);
        final Map<String, List<String>> missing = new LinkedHashMap<>();
        times.forEach((time) -> run.confidence().of(time).missing().forEach((reason, percentiles) -> missing
            .computeIfAbsent(reason, (one) -> new ArrayList<>()).add((time.label() + " " + percentiles).strip())));
        final List<String> all = times.stream().map(Time::label).toList();
        missing.forEach((reason, names) -> full.add(
            "no 95% bounds" + (all.equals(names) ? "" : " of " + String.join("; ", names)) + ": " + reason));
        // Where there is no room, the bounds are left out.
        return List.of(
            new TextSection(5, true, full, brief.subList(0, boundsIndex), boundsIndex, 0, null, ALL),
            new TextSection(
            12, false, List.of(), brief.subList(boundsIndex, boundsIndex + boundsCount), boundsCount, 0, null, ALL),
            new TextSection(
            5, false, List.of(), brief.subList(boundsIndex + boundsCount, brief.size()), timesCount - 1, 0, null, ALL));
    }

    /** The times of messages, with the receive lateness if it is known. */
    private List<Time> times()
    {
        return Time.OF_MESSAGES.stream().filter((time) ->
            Time.RECEIVE_LATENESS != time || run.measurement().times().of(time).getTotalCount() > 0).toList();
    }

    /** How much of the slowest messages' time is the client's, and of how many replies the arrival is known. */
    private List<String> clientPart()
    {
        final List<String> lines = new ArrayList<>();
        final long knownCount = run.measurement().times().of(Time.RECEIVE_LATENESS).getTotalCount();
        final long answeredCount = run.measurement().times().of(Time.SERVICE).getTotalCount();
        if (null != run.clientShare())
        {
            lines.add("client's part of the slowest 1%: " + run.clientShare().text());
        }
        if (knownCount < answeredCount)
        {
            lines.add(0 == knownCount ? "receive lateness unknown: neither transport nor driver reports when replies arrived" :
                text("receive lateness known of %,d of %,d replies", knownCount, answeredCount));
        }
        return lines;
    }

    /** With as many percentiles as fit. */
    private PercentileTable briefTable(final int width)
    {
        final List<Percentile> shown = new ArrayList<>(List.of(Percentile.values()));
        PercentileTable table = table(shown, List.of(Time.RESPONSE));
        for (final Percentile least : LEAST_IMPORTANT)
        {
            if (table.text().lines().anyMatch((line) -> line.length() > width))
            {
                shown.remove(least);
                table = table(shown, List.of(Time.RESPONSE));
            }
        }
        return table;
    }

    private PercentileTable table(final List<Percentile> percentiles, final List<Time> bounded)
    {
        final PercentileTable table = new PercentileTable(percentiles);
        for (final Time time : times())
        {
            table.row(time.label(), run.measurement().times().of(time));
            if (bounded.contains(time) && run.confidence().of(time).isAnyKnown())
            {
                table.bounds(run.confidence().of(time));
            }
        }
        return table;
    }

    private List<String> messages()
    {
        final LoadOutcome outcome = run.measurement().outcome();
        final List<String> lines = new ArrayList<>(List.of(
            counts(
            outcome, "messages   scheduled %,d = answered %,d + late %,d + unanswered %,d + never sent %,d",
            Counter.SCHEDULED, Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT),
            counts(
            outcome, "           duplicates %,d, out of order %,d, corrupt %,d; offers back-pressured %,d, disconnected %,d",
            Counter.DUPLICATES, Counter.OUT_OF_ORDER, Counter.CORRUPT, Counter.BACK_PRESSURED, Counter.DISCONNECTED)));
        if (outcome.of(Counter.RESENT) + outcome.of(Counter.REPEATED) + outcome.of(Counter.RECONNECTS) +
            outcome.of(Counter.NEW_LEADERS) > 0)
        {
            lines.add(counts(
                outcome, "delivery   resent %,d, repeated replies %,d, gaps %,d, reconnects %,d, new leaders %,d",
                Counter.RESENT, Counter.REPEATED, Counter.GAPS, Counter.RECONNECTS, Counter.NEW_LEADERS));
        }
        return lines;
    }

    private static String counts(final LoadOutcome outcome, final String format, final Counter... counters)
    {
        return text(format, Stream.of(counters).map(outcome::of).toArray());
    }

    /** Sums over all receivers, and what each missed; no lines without receivers. */
    static List<String> fanOut(final LoadMeasurement measurement)
    {
        final FanOutOutcome fanOut = measurement.fanOut();
        final List<String> lines = new ArrayList<>();
        if (null == fanOut)
        {
            return lines;
        }

        lines.add(text(
            "fan-out    %d receivers: copies %,d = received %,d + late %,d + missing %,d + never sent %,d",
            fanOut.receivers().size(), fanOut.sum(Receiver::scheduled), fanOut.sum(Receiver::received),
            fanOut.sum(Receiver::late), fanOut.sum(Receiver::missing), fanOut.sum(Receiver::neverSent)));
        lines.add(text(
            "           duplicates %,d, corrupt %,d, of other clients %,d, reconnects %,d; complete %,d of %,d messages",
            fanOut.sum(Receiver::duplicates), fanOut.sum(Receiver::corrupt), fanOut.foreign(), fanOut.sum(Receiver::reconnects),
            fanOut.completed(), measurement.outcome().of(Counter.SCHEDULED)));
        for (int i = 0; i < fanOut.receivers().size(); i++)
        {
            final Receiver receiver = fanOut.receivers().get(i);
            if (receiver.missing() > 0)
            {
                lines.add(text(
                    "           receiver %d: missing %,d, reconnects %,d", i, receiver.missing(), receiver.reconnects()));
            }
        }

        return lines;
    }

    /** The short form leaves out where an acknowledged message is, and keeps what it survives. */
    private TextSection durabilitySection()
    {
        final String words = run.description().durability();
        return new TextSection(
            7, false, List.of("durability " + words),
            List.of("durability " + words.replaceFirst("^(fsync [0-9]: )an acknowledged message.*; it (survives )", "$1$2")), 2,
            TEXT_INDENT, null, ALL);
    }

    /** The profile of members and client, and what the operating system knows of their threads. */
    private String threads()
    {
        final Map<String, String> client = run.description().configuration();
        final String profile = run.description().cluster().get(SettingKeys.PROFILE);
        final List<String> words = new ArrayList<>();
        words.add(null == profile ? "" : "stock".equals(profile) ? "members stock" : "members tuned (" + profile + ")");
        words.add("client " + client.getOrDefault("driver-threads", "").replace("invoker", "compact") + ", " +
            client.getOrDefault("idle", ""));
        final long intervalNs = Quantity.parseDurationNs(client.getOrDefault("duty-cycle-interval", "0ns"));
        words.add(0 == intervalNs ? "" : "its duty cycle at most every " + Quantity.formatNs(intervalNs));
        words.add(client.getOrDefault("threads", ""));
        words.removeIf(String::isEmpty);
        return String.join("; ", words);
    }

    private List<String> cpu()
    {
        final CpuCost cost = run.cpu();
        return Double.isNaN(cost.clientS()) ? List.of() : List.of(text(
            "cpu        %,.1f s per million answers in the client%s", cost.clientS(),
            Double.isNaN(cost.membersS()) ? "" : text(", %,.1f s in all members", cost.membersS())));
    }

    private TextSection stagesSection()
    {
        final String means = StageReport.means(run.measurement());
        final List<String> lines = means.isEmpty() ? List.of() : List.of("stages     mean response time: " + means);
        return new TextSection(14, true, lines, lines, 2, TEXT_INDENT, null, ALL);
    }

    private TextSection tailSection()
    {
        final String title = (run.diagnosis().isLong() ? "tail       long: " : "tail       ") + run.diagnosis().tail();
        final List<String> full = new ArrayList<>(List.of(title));
        final List<String> brief = new ArrayList<>(List.of(title));
        for (final TailCause finding : run.diagnosis().findings())
        {
            full.add(text(
                "  %s (in %.0f%% of the intervals, with %.0f%% of the excess time): %s", finding.rule(), 100 * finding.present(),
                100 * finding.share(), finding.cause()));
            full.add("    try: " + finding.advice());
            if (brief.size() <= MAX_FINDINGS)
            {
                brief.add("  " + finding.rule() + ": " + finding.cause());
            }
        }

        return new TextSection(11, true, full, brief, 1 + MAX_FINDINGS, 0, null, 0);
    }

    private TextSection floorSection()
    {
        final FloorRatio floor = run.floor();
        if (null == floor || !floor.isKnown())
        {
            return TextSection.full(false, lines(floor, (one) -> List.of("floor      " + one.missing())));
        }

        final String ratio =
            text("floor      p50 is %.2f times the floor of %s", floor.ratio(), Quantity.formatNs(floor.floorNs()));
        final List<String> full = new ArrayList<>();
        full.add(ratio + text(" (idle strategy %s%s)", floor.idle(),
            0 == floor.syncNs() ? "" : "; " + Quantity.formatNs(floor.syncNs()) + " of it for a disk sync"));
        if (floor.floorNs() != floor.spinningFloorNs())
        {
            full.add(text("           with spinning threads: %.1f times the floor of %s",
                floor.spinningRatio(), Quantity.formatNs(floor.spinningFloorNs())));
        }
        full.add("           baseline in " + floor.baseline());
        return new TextSection(15, false, full, List.of(ratio), 1, 0, null, ALL);
    }

    /** Bars on a logarithmic scale from the smallest value to the largest. */
    private List<String> plot()
    {
        final Histogram histogram = run.measurement().times().of(Time.RESPONSE);
        if (0 == histogram.getTotalCount())
        {
            return List.of();
        }

        final double low = Math.log10(Math.max(1, histogram.getMinValue()));
        final double high = Math.max(low + 1e-9, Math.log10(Math.max(1, histogram.getMaxValue())));
        final List<String> lines = new ArrayList<>();
        lines.add(text("response time by percentile, logarithmic from %s to %s",
            Quantity.formatNs(histogram.getMinValue()), Quantity.formatNs(histogram.getMaxValue())));
        for (final double percent :
            Arrays.stream(PLOT_PERCENTILES).filter((one) -> Percentile.isStated(one, histogram.getTotalCount())).toArray())
        {
            final long value = histogram.getValueAtPercentile(percent);
            final int length = (int)Math.round((Math.log10(Math.max(1, value)) - low) / (high - low) * PLOT_WIDTH);
            lines.add(text("  %6s%% |%-" + (PLOT_WIDTH + 1) + "s %s",
                percent == Math.rint(percent) ? String.valueOf((int)percent) : String.valueOf(percent),
                "#".repeat(Math.max(0, Math.min(PLOT_WIDTH, length))), Quantity.formatNs(value)));
        }
        return lines;
    }

    private TextSection placeSection()
    {
        final String line = "results in " + folder;
        final String charts = "charts in " + FileNames.PAGE;
        return new TextSection(
            2, true, List.of(line + (isPaged ? ", with " + charts : "")),
            List.of(line + " (" + (isPaged ? charts + ", " : "") + "all details in " + FileNames.TEXT + ")"), 2, TEXT_INDENT,
            null, ALL);
    }
}
