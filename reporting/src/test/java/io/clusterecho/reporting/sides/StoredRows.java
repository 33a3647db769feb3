package io.clusterecho.reporting.sides;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.clusterecho.reporting.results.CsvTable;

/**
 * Committed rows of versions that judged no run, judged by what reached the disk. Members that write back as they record have
 * written nearly all of it when a run ends, so what is missing was not recorded. The kernel's own write-back comes up to 30 s
 * later: rows of such members, and those of the rig, cannot be judged.
 */
final class StoredRows
{
    static final Path RESULTS = Path.of("..", "results");
    private static final int FRAMED_BYTES = 352;
    private static final int MEMBER_COUNT = 3;
    private static final int FIRST_WARM_UP_S = 9;
    private static final int WARM_UP_S = 3;
    private static final int BYTES_PER_KB = 1_024;
    /** A run below this rate may leave a good part of its log to the next one. */
    private static final long LEAST_RATE_PER_SECOND = 10_000;
    /** Between all members and all but one. */
    private static final double LEAST_SHARE = 5.0 / 6;

    private StoredRows()
    {
    }

    static List<SideRun> unjudged(final String file)
    {
        try
        {
            final List<SideRun> runs = SideRun.of(CsvTable.read(RESULTS.resolve(file)));
            if (runs.isEmpty())
            {
                throw new IllegalArgumentException(file + " has no rows");
            }
            return runs;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Rows of which those of some sides are judged.
     *
     * @param windowSeconds measured in each run.
     * @param paced         sides whose members write back as they record.
     */
    static List<SideRun> judged(final String file, final int windowSeconds, final String... paced)
    {
        final Set<String> begun = new HashSet<>();
        return unjudged(file).stream().map((run) ->
        {
            final int warmUpSeconds = begun.add(run.start() + run.side()) ? FIRST_WARM_UP_S : WARM_UP_S;
            final boolean isJudged = List.of(paced).contains(run.side()) && run.ratePerSecond() >= LEAST_RATE_PER_SECOND;
            return isJudged && share(run, warmUpSeconds + windowSeconds) < LEAST_SHARE ? failed(run) : run;
        }).toList();
    }

    /** What was written as a share of what all members record. */
    static double share(final SideRun run, final int seconds)
    {
        return run.writtenKb() * BYTES_PER_KB / ((double)run.ratePerSecond() * FRAMED_BYTES * MEMBER_COUNT * seconds);
    }

    private static SideRun failed(final SideRun run)
    {
        return new SideRun(
            run.start(), run.side(), run.ratePerSecond(), SideRun.FAILED, run.p50Us(), run.p99Us(), run.sent(), run.stealMs(),
            run.writtenKb());
    }
}
