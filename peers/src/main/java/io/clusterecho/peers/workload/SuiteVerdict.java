package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.reporting.results.Verdict;

/**
 * Verdict on a suite: it is good if each system completed at least one good run of each workload, or was shown not to sustain it
 * where a workload is beyond some systems.
 */
final class SuiteVerdict
{
    private SuiteVerdict()
    {
    }

    /**
     * Decide the verdict.
     *
     * @param problems that ended the suite early or left its result incomplete; a sentence each.
     */
    static Verdict of(final List<CellResult> all, final SuiteFacts facts, final List<String> problems)
    {
        final List<String> reasons = new ArrayList<>(problems);
        final List<String> warnings = new ArrayList<>();
        final Map<WorkloadCell, List<CellResult>> cells =
            all.stream().collect(Collectors.groupingBy(CellResult::cell, LinkedHashMap::new, Collectors.toList()));
        cells.forEach((cell, runs) ->
        {
            final long goodCount = runs.stream().filter(CellResult::isGood).count();
            if (goodCount < runs.size())
            {
                final String first =
                    runs.stream().filter((run) -> !run.isGood()).map(CellResult::outcome).findFirst().orElseThrow();
                (runs.stream().noneMatch(CellResult::isFinding) ? reasons : warnings).add(
                    cell.group() + ", " + cell.system() + ": " + goodCount + " of " + runs.size() + " runs are good (" + first +
                    ")");
            }
        });
        facts.skipped().forEach((system, reason) -> warnings.add(system + " was not run: " + reason));
        return Verdict.ofRuns(reasons, warnings, facts.isPartial() ? "interrupted" : "");
    }
}
