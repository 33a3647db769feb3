package io.clusterecho.reporting.compare;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.clusterecho.reporting.confidence.LevelChanges;
import io.clusterecho.reporting.results.DocumentKind;

/**
 * Results of one kind that were made under comparable conditions.
 *
 * @param name       kind, and the conditions that distinguish it from the other groups of its kind.
 * @param conditions that differ among the groups of its kind, by path.
 * @param points     by start, at least one.
 */
record TrendGroup(
    String name, String kind, SortedMap<String, String> conditions, List<TrendPoint> points, List<TrendSeries> series)
{
    static TrendGroup of(
        final String name,
        final DocumentKind kind,
        final SortedMap<String, String> conditions,
        final List<ComparedRun> results,
        final List<Metric> metrics)
    {
        record Key(String commit, LocalDate day)
        {
        }
        final Map<Key, List<ComparedRun>> repeats = new LinkedHashMap<>();
        results.forEach((result) -> repeats.computeIfAbsent(
            new Key(result.commit(), TrendPoint.dayOf(result)), (key) -> new ArrayList<>()).add(result));
        final List<TrendPoint> points = new ArrayList<>();
        repeats.forEach((key, same) -> points.add(new TrendPoint(key.commit(), key.day(), same)));
        points.sort(Comparator.comparing(TrendPoint::start));
        return new TrendGroup(
            name, kind.word(), conditions, points, metrics.stream().map((metric) -> TrendSeries.of(metric, points))
            .filter(TrendSeries::isKnown).toList());
    }

    TrendPoint newest()
    {
        return points.get(points.size() - 1);
    }

    /**
     * The points with which the newest is compared: those before it, and of its own commit only if they are enough to be found as
     * a change, or all there is. Otherwise a commit would hide its regression from its second day on.
     */
    List<TrendPoint> before()
    {
        final List<TrendPoint> earlier = points.subList(0, points.size() - 1);
        final List<TrendPoint> others =
            earlier.stream().filter((point) -> !point.commit().equals(newest().commit())).toList();
        return others.isEmpty() || earlier.size() - others.size() >= LevelChanges.MIN_LEVEL_COUNT ? earlier : others;
    }
}
