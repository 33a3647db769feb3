package io.clusterecho.media.counters;

/**
 * A process at a moment.
 *
 * @param pid    of the process, -1 if it does not run, or {@link #UNKNOWN_PID}.
 * @param values one for each {@link CounterColumn}, {@link DriverSample#MISSING} for unknown ones.
 */
public record ProcessSample(long pid, long[] values)
{
    /** In place of the pid of a process whose host does not answer. */
    public static final long UNKNOWN_PID = -2;

    /** A sample without values. */
    public static ProcessSample empty(final long pid)
    {
        return new ProcessSample(pid, DriverSample.newValues());
    }
}
