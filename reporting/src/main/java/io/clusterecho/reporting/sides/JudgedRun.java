package io.clusterecho.reporting.sides;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.diagnosis.Stationarity;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.MemberAbsence;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.text.Lines;

/**
 * What one judge says of a run of either side, for a row of {@code rows.csv}.
 *
 * @param verdict   label: that of our own result, or for the rig the same rules as far as its files allow.
 * @param timesUs   p50, p99, p99.9 and maximum of the response time.
 * @param absent    ids of members that took no part, {@code none}, or empty if not known.
 * @param sendLagUs how far behind its schedule the client sent at the end: ours by the median send delay of the last interval,
 *                  the rig at most by the shortest response time of its last whole one; NaN if not known.
 * @param steady    whether the window was stationary: {@code yes}, {@code no} or {@code unknown}.
 */
public record JudgedRun(String verdict, List<Double> timesUs, double sent, String absent, double sendLagUs, String steady)
{
    public static final String HEADER = "verdict,p50_us,p99_us,p999_us,max_us,sent,absent,send_lag_us,steady";

    private static final double NS_PER_US = 1e3;

    /**
     * A run of our client.
     *
     * @param recorded members that took no part, by what was recorded, which fail it; null to take them from the result.
     * @throws IOException if it cannot be read.
     */
    public static JudgedRun ours(final Path folder, final List<Integer> recorded) throws IOException
    {
        final JsonNode manifest = RunDocument.read(folder);
        final IntervalTable run = new IntervalTable(folder);
        final List<MemberAbsence> absences = run.examine(MemberAbsence::of, (why) ->
        {
            throw new IllegalArgumentException(folder + " cannot be read: " + why);
        });
        final List<Integer> absent = null != recorded ? recorded :
            absences.stream().filter(MemberAbsence::isTooLong).map(MemberAbsence::memberId).toList();
        final boolean isKnown = null != recorded || run.counters().columns().contains("election");
        final CsvTable intervals = run.intervals();
        final double lagUs = IntStream.range(0, intervals.rowCount())
            .mapToDouble((row) -> intervals.number(row, "send_delay_p50_us")).filter((value) -> !Double.isNaN(value))
            .reduce(Double.NaN, (earlier, later) -> later);
        final double scheduled = manifest.path("scheduled").asDouble();
        final JsonNode steady = manifest.path("steadyState");
        return new JudgedRun(
            null == recorded || recorded.isEmpty() ? manifest.at("/verdict/label").asText() : SideRun.FAILED,
            Percentile.MAIN.stream()
                .map((time) -> manifest.path("responseTimeNs").path(time.label()).asDouble(Double.NaN) / NS_PER_US).toList(),
            1 - manifest.path("neverSent").asDouble() / scheduled, isKnown ? RigRun.text(absent) : "", lagUs,
            steady(steady.has("reached") ? steady.path("reached").asBoolean() && steady.path("reasons").isEmpty() : null));
    }

    /** A run of the rig; rejects a log that cannot be read. */
    public static JudgedRun rig(final Path log, final RigRun run)
    {
        final ForeignResult result = ForeignResult.read(log);
        final List<Integer> absent = run.absentMembers();
        final boolean isFailed = SideRun.FAILED.equals(result.manifest().at("/verdict/label").asText()) ||
            run.sentShare() < 1 - Verdict.RATE_TOLERANCE || !absent.isEmpty();
        final CsvTable none = new CsvTable(List.of());
        final IntervalTable table = new IntervalTable(result.intervals(), none, none);
        // After the last whole interval only the last replies arrive.
        final double lagUs = table.rowCount() < 2 ? Double.NaN : IntStream.range(0, table.rowCount())
            .filter((row) -> table.lengthMs(row) > table.lengthMs(0) / 2)
            .mapToDouble((row) -> result.intervals().number(row, "response_min_us"))
            .reduce(Double.NaN, (earlier, later) -> later);
        final SteadyState state = Stationarity.of(table);
        return new JudgedRun(
            isFailed ? SideRun.FAILED : "GOOD", Percentile.MAIN.stream().map((time) -> time.stated(result.total()))
                .map((timeNs) -> null == timeNs ? Double.NaN : timeNs / NS_PER_US).toList(),
            run.sentShare(), RigRun.text(absent), lagUs,
            steady(null == state.reached() ? null : state.reached() && state.reasons().isEmpty()));
    }

    /** The fields of {@link #HEADER}. */
    public String csv()
    {
        final List<String> fields = new ArrayList<>(List.of(verdict));
        Stream.concat(timesUs.stream(), Stream.of(sent)).forEach((value) -> fields.add(number(value)));
        fields.addAll(List.of(absent, number(sendLagUs), steady));
        return String.join(",", fields);
    }

    private static String number(final double value)
    {
        return Double.isNaN(value) ? "" :
            Lines.text("%.4f", value).replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    private static String steady(final Boolean isSteady)
    {
        return null == isSteady ? "unknown" : isSteady ? "yes" : "no";
    }
}
