package io.clusterecho.reporting.evidence;

import java.util.List;

/**
 * What is written while a run goes on. A failure to write never ends the run: the file ends at the last row that is whole,
 * and the failure is reported here. Any thread may ask, during the run, after it and after the files were closed.
 */
public interface Evidence
{
    /**
     * What is missing.
     *
     * @return a sentence for each file that is not whole, such as "counters.csv is incomplete from 12.0 s on: No space left on
     * device"; empty if all are whole so far.
     */
    List<String> problems();
}
