package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * What snapshots cost that were taken while a load was measured: the pauses of the services, and the response time of measured
 * messages in the intervals that overlap a window, and in the others.
 *
 * @param windows of the snapshots, each from its request until all members were seen to have it; in the order of time.
 * @param pauses  of the members, in the order of their ids, leaders apart from followers.
 */
public record SnapshotCost(
    List<ChurnCost.Window> windows, Times responseTimeDuringNs, Times responseTimeApartNs, List<Pauses> pauses)
{
    /** Name of the file with a row for each member of each snapshot. */
    public static final String FILE = "snapshots.csv";

    public static final String HEADER = "begin_s,end_s,member,role,pause_ns\n";

    private static final double NS_PER_S = 1e9;

    /**
     * Pauses of a member's service, one for each snapshot.
     *
     * @param role     leader or follower, when the snapshots were requested.
     */
    public record Pauses(int memberId, String role, int count, long medianNs, long maxNs)
    {
        private static Pauses of(final int memberId, final String role, final List<Double> pausesNs)
        {
            final double[] all = pausesNs.stream().mapToDouble(Double::doubleValue).toArray();
            return new Pauses(
                memberId, role, all.length, Math.round(NearestRank.of(all, NearestRank.MEDIAN)),
                Math.round(NearestRank.of(all, 100)));
        }
    }

    /** Cost of the snapshots of a run; null if none were to be taken. */
    public static SnapshotCost of(final IntervalTable run)
    {
        if (!run.has(FILE))
        {
            return null;
        }

        final CsvTable snapshots = run.table(FILE);
        final List<ChurnCost.Window> windows = IntStream.range(0, snapshots.rowCount()).mapToObj((row) -> new ChurnCost.Window(
            Math.round(snapshots.number(row, "begin_s") * NS_PER_S), Math.round(snapshots.number(row, "end_s") * NS_PER_S)))
            .distinct().toList();
        final Map<String, List<Integer>> rows = IntStream.range(0, snapshots.rowCount()).boxed()
            .filter((row) -> !snapshots.text(row, "pause_ns").isEmpty()).collect(Collectors.groupingBy(
            (row) -> snapshots.text(row, "member") + " " + snapshots.text(row, "role"), TreeMap::new, Collectors.toList()));
        final Map<Boolean, Times> times = run.responseTimes(run.rowCount(), (row) -> windows.stream().anyMatch(
            (window) -> run.beginNs(row) < window.endNs() && run.endNs(row) > window.beginNs()));
        return new SnapshotCost(
            windows, times.get(true), times.get(false), rows.values().stream().map((ofMember) -> Pauses.of(
            (int)snapshots.number(ofMember.get(0), "member"), snapshots.text(ofMember.get(0), "role"),
            ofMember.stream().map((row) -> snapshots.number(row, "pause_ns")).toList())).toList());
    }

    List<String> text()
    {
        final List<String> lines = new ArrayList<>();
        final String title = "snapshots  " + windows.size() + " taken";
        if (windows.isEmpty() || 0 == responseTimeDuringNs.count() || 0 == responseTimeApartNs.count())
        {
            lines.add(title + (windows.isEmpty() ? "" : "; no interval without one to compare with"));
        }
        else
        {
            lines.add(Lines.text(
                "%s; p99.9 (max) %s (%s) in intervals with one, %s (%s) without", title,
                responseTimeDuringNs.text(Percentile.P99_9), responseTimeDuringNs.text(Percentile.MAX),
                responseTimeApartNs.text(Percentile.P99_9), responseTimeApartNs.text(Percentile.MAX)));
        }
        if (!pauses.isEmpty())
        {
            lines.add("           pause of the service: " + pauses.stream().map((one) -> Lines.text(
                "member %d (%s) %s, at most %s", one.memberId, one.role, Quantity.formatNs(one.medianNs),
                Quantity.formatNs(one.maxNs))).collect(Collectors.joining("; ")));
        }
        return lines;
    }
}
