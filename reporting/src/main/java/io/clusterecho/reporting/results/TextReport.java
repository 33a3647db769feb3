package io.clusterecho.reporting.results;

import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.attribution.SlowTail;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.platform.ClientJvm;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.text.TextTable;

/** The result of a run as text for a person, the most important first; a summary has about one screen. */
public record TextReport(RunFindings run, Verdict verdict, String folder, boolean isPaged)
{
    private static final int MAX_REASONS = 3;
    private static final int MAX_WARNINGS = 2;
    private static final int MAX_FINDINGS = 3;
    private static final int MAX_LINES_OF_A_PART = 6;

    public String full()
    {
        return rendered(true);
    }

    public String summary()
    {
        return rendered(false);
    }

    private String rendered(final boolean isFull)
    {
        final RunDescription made = run.description();
        final LoadMeasurement measurement = measurement();
        final List<String> lines = new ArrayList<>(List.of(verdict.label() + "  " + made.label() +
            (verdict.isGood() ? ": the result is complete; response times are not judged" : "")));
        lines.addAll(limited(verdict.allReasons(), "  ! ", isFull, MAX_REASONS, "and %d more reasons"));
        lines.add(rate());
        lines.addAll(lines(run.evidence().overload(), Overload::text));
        lines.addAll(lines(made.warmUp(), (warmUp) -> List.of("window     " + warmUp.text())));
        lines.addAll(lines(made.until(), (until) -> List.of("window     " + until.text())));
        addPart(lines, isFull ? times() : table(List.of(Time.RESPONSE)).text().lines().toList());
        addPart(lines, messages());
        for (final List<String> part : List.of(
            kinds(measurement.outcome(), !isFull), replies(measurement.outcome()), fanOut(measurement)))
        {
            addPart(lines, limited(part, "", isFull, MAX_LINES_OF_A_PART, "           and %d more"));
        }
        lines.addAll(lines(run.snapshots(), SnapshotCost::text));
        lines.addAll(lines(run.backup(), BackupLag::text));
        lines.addAll(lines(run.churn(), ChurnCost::text));
        // The summary leaves out where an acknowledged message is, and keeps what it survives.
        lines.add("durability " + (isFull ? made.durability() :
            made.durability().replaceFirst("^(fsync [0-9]: )an acknowledged message.*; it (survives )", "$1$2")));
        if (isFull || made.placement().startsWith("emulated"))
        {
            lines.add("placement  " + made.placement());
        }
        if (isFull)
        {
            lines.add("threads    " + threads());
            lines.add(text("client     ceiling %,d/s into a transport that answers at once", made.ceilingPerSecond()));
            lines.addAll(lines(made.calibration(), (note) -> List.of("calibrated " + note.text())));
            lines.addAll(ClientJvm.difference().isEmpty() ? List.of() :
                List.of(text("jvm        %s: start it with bin/load-client", ClientJvm.difference())));
        }
        lines.addAll(run.clients().isEmpty() ? List.of() : List.of(text(
            "clients    %d shared the load, each started within %s of the begin of the schedule", run.clients().size(),
            Quantity.formatNs(run.clients().stream().mapToLong(ClientRecord::clockErrorNs).max().orElse(0)))));
        // Lines of members have what the line about core time has in sum.
        lines.addAll(isFull || run.members().isEmpty() ? cpu() : List.of());
        run.members().forEach((member) -> lines.add(member.text()));
        lines.addAll(MemberLoad.logText(run.members()));
        lines.addAll(limited(verdict.warnings(), "warning    ", isFull, MAX_WARNINGS, "and %d more warnings"));
        addPart(lines, Stream.concat(parts(measurement, isFull).stream(), tail(isFull).stream()).toList());
        lines.addAll(floor(isFull));
        final String charts = isPaged ? "charts in " + FileNames.PAGE : "";
        addPart(lines, List.of("results in " + folder + (isFull ? (isPaged ? ", with " : "") + charts :
            " (" + charts + (isPaged ? ", " : "") + "all details in " + FileNames.TEXT + ")")));
        return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
    }

    /** Where the time went: of all messages if they had stage times, and of the slowest, without stage times in the full form. */
    private static List<String> parts(final LoadMeasurement measurement, final boolean isFull)
    {
        final String means = StageReport.means(measurement);
        final SlowTail slow = SlowTail.of(measurement.outcome().slowest(), measurement.outcome().of(Counter.SCHEDULED));
        return Stream.of(
            means.isEmpty() ? "" : "stages     mean response time: " + means,
            null == slow || !isFull && means.isEmpty() ? "" : "slowest    " + slow.text())
            .filter((line) -> !line.isEmpty()).toList();
    }

    private LoadMeasurement measurement()
    {
        return run.evidence().measurement();
    }

    private static <T> List<String> lines(final T part, final Function<T, List<String>> text)
    {
        return null == part ? List.of() : text.apply(part);
    }

    /** Lines behind a mark, the weightiest first; unless the text is full as many as allowed, with the number of the others. */
    private static List<String> limited(
        final List<String> lines, final String mark, final boolean isFull, final int maxCount, final String more)
    {
        final int count = isFull || lines.size() <= maxCount ? lines.size() : maxCount - 1;
        return Stream.concat(
            lines.stream().limit(count).map(mark::concat),
            Stream.of(" ".repeat(mark.length()) + text(more, lines.size() - count)).limit(lines.size() - count)).toList();
    }

    /** Add lines after an empty one. */
    private static void addPart(final List<String> lines, final List<String> part)
    {
        lines.addAll(part.isEmpty() ? List.of() : List.of(""));
        lines.addAll(part);
    }

    /** With what the target rate is the mean of, if it varies. */
    private String rate()
    {
        final double achieved = measurement().outcome().ratePerSecondAchieved();
        final String rate = run.description().configuration().getOrDefault("rate", "");
        return text(
            "rate       target %,d/s%s, achieved %,.1f/s (%.2f%%)", run.evidence().ratePerSecondAsked(),
            rate.contains(":") ? " (mean of " + rate + ")" : "", achieved, 100 * achieved / run.evidence().ratePerSecondAsked());
    }

    /** Times with their bounds, and why there are none; the client's part. */
    private List<String> times()
    {
        final List<Time> times = knownTimes();
        final PercentileTable table = table(times);
        final StageTimes stages = measurement().outcome().stages();
        if (null != stages)
        {
            stages.stages().forEach((stage) -> table.row("  " + StageTimes.label(stage), stages.of(stage)));
        }
        if (null != measurement().fanOut())
        {
            table.row("each receiver", measurement().fanOut().responseTimes());
            table.row("last receiver", measurement().fanOut().lastResponseTimes());
        }
        final List<String> lines = new ArrayList<>(
            table.row("client stalls", measurement().times().of(Time.STALL)).text().lines().toList());
        lines.addAll(clientPart());
        final Map<String, List<String>> missing = new LinkedHashMap<>();
        times.forEach((time) -> run.times().get(time).missing().forEach((reason, percentiles) -> missing
            .computeIfAbsent(reason, (one) -> new ArrayList<>()).add((time.label() + " " + percentiles).strip())));
        final List<String> all = times.stream().map(Time::label).toList();
        missing.forEach((reason, names) -> lines.add(
            "no 95% bounds" + (all.equals(names) ? "" : " of " + String.join("; ", names)) + ": " + reason));
        return lines;
    }

    /** The times of messages, with the receive lateness if it is known. */
    private List<Time> knownTimes()
    {
        return Time.OF_MESSAGES.stream().filter((time) ->
            Time.RECEIVE_LATENESS != time || measurement().times().of(time).getTotalCount() > 0).toList();
    }

    /** How much of the slowest messages' time is the client's, and of how many replies the arrival is known. */
    private List<String> clientPart()
    {
        final long knownCount = measurement().times().of(Time.RECEIVE_LATENESS).getTotalCount();
        final long answeredCount = measurement().times().of(Time.SERVICE).getTotalCount();
        final ClientShare share = run.evidence().clientShare();
        return Stream.of(
            null == share ? "" : "client's part of the slowest 1%: " + share.text(),
            knownCount >= answeredCount ? "" : 0 == knownCount ?
            "receive lateness unknown: neither transport nor driver reports when replies arrived" :
            text("receive lateness known of %,d of %,d replies", knownCount, answeredCount))
            .filter((line) -> !line.isEmpty()).toList();
    }

    private PercentileTable table(final List<Time> bounded)
    {
        final PercentileTable table = new PercentileTable();
        for (final Time time : knownTimes())
        {
            table.row(time.label(), measurement().times().of(time));
            if (bounded.contains(time) && !run.times().get(time).confidence95().isEmpty())
            {
                table.bounds(run.times().get(time));
            }
        }
        return table;
    }

    private List<String> messages()
    {
        final LoadOutcome outcome = measurement().outcome();
        final List<String> lines = new ArrayList<>(List.of(
            counts(
            outcome, "messages   scheduled %,d = answered %,d + late %,d + unanswered %,d + never sent %,d",
            Counter.SCHEDULED, Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT),
            counts(
            outcome, "           duplicates %,d, out of order %,d; with the warm-up: corrupt %,d, offers back-pressured %,d, " +
            "disconnected %,d",
            Counter.DUPLICATES, Counter.OUT_OF_ORDER, Counter.CORRUPT, Counter.BACK_PRESSURED, Counter.DISCONNECTED)));
        if (run.description().isOwnService())
        {
            lines.add(counts(
                outcome, "           events %,d with the warm-up; replies are checked by --messages alone, and no message is " +
                "sent again", Counter.EVENTS));
        }
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

    /** Header and a row for each kind, none if there is only one; brief without the accounts, to fit on a screen. */
    static List<String> kinds(final LoadOutcome outcome, final boolean isBrief)
    {
        return byKind(
            new TextTable().left("kind").right("bytes").right("target/s").right("achieved/s"), outcome.kinds(), (kind) -> List.of(
            kind.kind().name(), kind.kind().lengths(), text("%,.1f", kind.kind().ratePerSecond()),
            text("%,.1f", kind.ratePerSecondAchieved(outcome))), isBrief ? List.of() : List.of(
            Counter.SCHEDULED, Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT));
    }

    /** The same for each kind of reply. */
    static List<String> replies(final LoadOutcome outcome)
    {
        return byKind(
            new TextTable().left("reply"), outcome.replies(), (kind) -> List.of(kind.kind().name()),
            List.of(Counter.ANSWERED, Counter.REPEATED, Counter.DUPLICATES));
    }

    private static List<String> byKind(
        final TextTable table, final List<KindOutcome> kinds, final Function<KindOutcome, List<String>> first,
        final List<Counter> counters)
    {
        counters.forEach((counter) -> table.right(counter.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        Percentile.MAIN.forEach((percentile) -> table.right(percentile.label()));
        kinds.forEach((kind) -> table.row(Stream.of(
            first.apply(kind).stream(), counters.stream().map((counter) -> text("%,d", kind.counts().of(counter))),
            Percentile.MAIN.stream().map((percentile) -> percentile.text(kind.responseTimes())))
            .flatMap(Function.identity()).toList()));
        return kinds.isEmpty() ? List.of() : table.text().lines().toList();
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
        final List<Receiver> all = fanOut.receivers();
        IntStream.range(0, all.size()).filter((i) -> all.get(i).missing() > 0).forEach((i) -> lines.add(text(
            "           receiver %d: missing %,d, reconnects %,d", i, all.get(i).missing(), all.get(i).reconnects())));
        return lines;
    }

    /** The profile of members and client, and what the operating system knows of their threads. */
    private String threads()
    {
        final Map<String, String> client = run.description().configuration();
        final String profile = run.description().cluster().get(SettingKeys.PROFILE);
        final long intervalNs = Quantity.parseDurationNs(client.getOrDefault("duty-cycle-interval", "0ns"));
        return Stream.of(
            null == profile ? "" : "stock".equals(profile) ? "members stock" : "members tuned (" + profile + ")",
            "client " + client.getOrDefault("driver-threads", "").replace("invoker", "compact") + ", " +
            client.getOrDefault("idle", ""),
            0 == intervalNs ? "" : "its duty cycle at most every " + Quantity.formatNs(intervalNs),
            client.getOrDefault("threads", "")).filter((words) -> !words.isEmpty()).collect(Collectors.joining("; "));
    }

    private List<String> cpu()
    {
        return null == run.cpu().client() ? List.of() : List.of(text(
            "cpu        %,.1f s per million answers in the client%s", run.cpu().client(),
            null == run.cpu().members() ? "" : text(", %,.1f s in all members", run.cpu().members())));
    }

    private List<String> tail(final boolean isFull)
    {
        final Diagnosis diagnosis = run.diagnosis();
        final List<String> lines =
            new ArrayList<>(List.of((diagnosis.isLong() ? "tail       long: " : "tail       ") + diagnosis.tail()));
        for (final TailCause finding : diagnosis.findings())
        {
            if (isFull)
            {
                lines.add(text(
                    "  %s (in %.0f%% of the intervals, with %.0f%% of the excess time): %s", finding.rule(),
                    100 * finding.present(), 100 * finding.share(), finding.cause()));
                lines.add("    try: " + finding.advice());
            }
            else if (lines.size() <= MAX_FINDINGS)
            {
                lines.add("  " + finding.rule() + ": " + finding.cause());
            }
        }
        return lines;
    }

    private List<String> floor(final boolean isFull)
    {
        final FloorRatio floor = run.floor();
        if (null == floor || null != floor.floorMissing())
        {
            return isFull ? lines(floor, (one) -> List.of("floor      " + one.floorMissing())) : List.of();
        }

        final String ratio =
            text("floor      p50 is %.2f times the floor of %s", floor.floorRatio(), Quantity.formatNs(floor.floorNs()));
        if (!isFull)
        {
            return List.of(ratio);
        }
        final List<String> lines = new ArrayList<>();
        lines.add(ratio + text(" (idle strategy %s%s)", run.description().configuration().get("idle"),
            0 == floor.floorSyncNs() ? "" : "; " + Quantity.formatNs(floor.floorSyncNs()) + " of it for a disk sync"));
        if (!floor.floorNs().equals(floor.spinningFloorNs()))
        {
            lines.add(text(
                "           with spinning threads: %.1f times the floor of %s",
                (double)Percentile.P50.of(measurement().times().of(Time.RESPONSE)) / floor.spinningFloorNs(),
                Quantity.formatNs(floor.spinningFloorNs())));
        }
        lines.add("           baseline in " + floor.baseline());
        return lines;
    }
}
