package io.clusterecho.client.load;

/**
 * What a run offers. All of it is known before it begins.
 *
 * @param ratePerSecond     messages per second, all sessions together.
 * @param lengthBytes       of a whole message, header included.
 * @param warmUpCount       messages before the measured window.
 * @param measuredCount     messages of the measured window.
 * @param sessionCount      sessions that take turns: message n goes to session n mod sessionCount.
 * @param drainTimeoutNs    how long replies, and messages that are late in being sent, are waited for at the end.
 * @param lateAfterNs       response time from which an answer counts as late.
 * @param newestCount       messages whose send times are remembered.
 * @param delivery          what is done about messages that may be lost.
 */
public record LoadPlan(
    long ratePerSecond,
    int lengthBytes,
    long warmUpCount,
    long measuredCount,
    int sessionCount,
    long drainTimeoutNs,
    long lateAfterNs,
    int newestCount,
    Delivery delivery)
{
    /**
     * Messages of warm-up and measured window together.
     *
     * @return the count.
     */
    public long messageCount()
    {
        return warmUpCount + measuredCount;
    }
}
