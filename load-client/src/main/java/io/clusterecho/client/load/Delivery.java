package io.clusterecho.client.load;

/**
 * What a client does about messages that may be lost.
 *
 * @param isExactlyOnce       false: each message is sent once, and what is lost stays lost (at most once, as a plain Aeron
 *                            client behaves). True: what is not acknowledged is sent again, in order, and the service
 *                            applies each once.
 * @param resendAfterNs       how long an acknowledgement is waited for before everything unacknowledged is sent again.
 * @param unacknowledgedCount messages of a session that may be unacknowledged at once; at this bound further messages wait,
 *                            which is counted and shows as send delay.
 * @param isEndingAtBound     whether the run ends when the bound is met, instead of waiting.
 */
public record Delivery(
    boolean isExactlyOnce, long resendAfterNs, int unacknowledgedCount, boolean isEndingAtBound)
{
    /**
     * Each message is sent once.
     */
    public static final Delivery AT_MOST_ONCE = new Delivery(false, Long.MAX_VALUE, Integer.MAX_VALUE, false);
}
