package io.clusterecho.client.load;

import io.clusterecho.client.record.Timeline;

/**
 * What other threads see of a load while it runs, and the one thing that they say to it. Any thread may call any method.
 * Times are in ns on the load's clock.
 */
public interface LoadView
{
    /**
     * Whether the load is over.
     *
     * @return true when nothing will be sent or answered any more.
     */
    boolean isDone();

    /**
     * First replies so far, warm-up included.
     */
    long answeredCount();

    /**
     * When the newest echo came.
     *
     * @return in ns, or 0 before the first.
     */
    long lastEchoNs();

    /**
     * When the message was due whose echo is the newest.
     *
     * @return in ns, or 0 before the first echo.
     */
    long lastEchoDueNs();

    /**
     * What happened to the sessions.
     *
     * @return the events so far.
     */
    Timeline timeline();

    /**
     * Say that no message may be answered any more that is due from a time on, since too few members are there to accept it.
     *
     * @param timeNs in ns, or {@link Long#MAX_VALUE} once they may be again.
     */
    void quorumLostNs(long timeNs);

    /**
     * First replies that came although {@link #quorumLostNs(long)} forbade them.
     *
     * @return the count since the start.
     */
    long echoesWithoutQuorum();
}
