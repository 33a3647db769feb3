package io.clusterecho.media.counters;

/**
 * A process that can be sampled again and again, and is followed when it is started anew. One thread.
 */
public interface ProcessSource extends AutoCloseable
{
    /**
     * What this process of a member is called, behind the member's name.
     *
     * @return empty for the member itself, {@code -driver} for a media driver that is a process of its own.
     */
    String suffix();

    /**
     * Take a sample.
     *
     * @param values one for each {@link CounterColumn}; all are overwritten, with {@link DriverSample#MISSING} where nothing is
     *               known.
     * @return pid of the process, or -1 if it does not run or its host does not answer.
     */
    long take(long[] values);

    @Override
    void close();
}
