package io.clusterecho.client.load;

/**
 * How a client treats messages that may be lost.
 *
 * @param isExactlyOnce       false: each message is sent once, and a lost one stays lost (at-most-once, like a plain Aeron
 *                            client). True: unacknowledged messages are sent again, in order, and the service applies each
 *                            once.
 * @param resendAfterNs       time without an acknowledgement after which everything unacknowledged is sent again.
 * @param unacknowledgedCount most unacknowledged messages of a session; at this bound further messages wait, which is counted
 *                            and shows as send delay.
 */
public record Delivery(boolean isExactlyOnce, long resendAfterNs, int unacknowledgedCount)
{
    public static final Delivery AT_MOST_ONCE = new Delivery(false, Long.MAX_VALUE, Integer.MAX_VALUE);
}
