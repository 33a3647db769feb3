package io.clusterecho.media.counters;

/** A process that can be sampled repeatedly, also after it was restarted. One thread. */
public interface ProcessSource extends AutoCloseable
{
    /** In place of the pid of a process whose host does not answer. */
    long UNKNOWN_PID = -2;

    /** Suffix of the member's name: empty for the member itself, {@code -driver} for a media driver in a separate process. */
    String suffix();

    /**
     * @param values one for each {@link CounterColumn}; all are overwritten, with {@link DriverSample#MISSING} for unknown ones.
     * @return pid of the process, -1 if it does not run, or {@link #UNKNOWN_PID}.
     */
    long take(long[] values);

    @Override
    void close();
}
