package io.clusterecho.reporting.evidence;

import java.util.List;

/**
 * Files written during a run. A failed write never ends the run: the file ends at its last complete row, and the failure is
 * reported here. Any thread may ask, during the run, after it and after the files were closed.
 */
public interface Evidence
{
    /**
     * A sentence for each incomplete file, such as "counters.csv is incomplete from 12.0 s on: No space left on device"; empty
     * if all are complete so far.
     */
    List<String> problems();
}
