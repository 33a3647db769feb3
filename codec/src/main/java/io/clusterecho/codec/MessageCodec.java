package io.clusterecho.codec;

import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The messages of a load for a service other than the echo: encodes requests, and finds the requests that a received message
 * answers. {@code --messages} names the class, which is public and has a public constructor without parameters.
 * <p>
 * Each session has an instance, which the thread that starts the load makes and initializes, and then the thread of the load
 * alone uses. Two more are compared before, and an audit has one. {@link #encode} and {@link #decode} are on the path of every
 * message: they should not allocate, block, lock or log. Lengths and offsets are in bytes.
 */
public interface MessageCodec
{
    /**
     * Prepare for a run.
     *
     * @param seed     of {@code --seed}: another one may give other messages.
     * @param settings of {@code --messages-set}, by their keys.
     * @throws IllegalArgumentException with what is allowed, for a setting that is not.
     */
    default void init(final long seed, final Map<String, String> settings)
    {
    }

    /** Length of the longest request, at least 1. */
    int maxRequestLength();

    /** Names of the kinds of replies, 1 to 8, in the order of results: letters, digits and dashes. Times of each are reported. */
    default List<String> replyKinds()
    {
        return List.of("reply");
    }

    /**
     * Whether a request may get several replies of a kind, such as partial fills, or one from each of several services; else
     * they are duplicates.
     */
    default boolean isRepeatable(final int kind)
    {
        return false;
    }

    /**
     * Encode a request. The bytes depend on the number, the seed and the settings alone, whatever was encoded before and whatever
     * the buffer contained, and no two requests have the same bytes: an audit encodes them again and looks for them in the log.
     * <p>
     * Numbers begin at 0 in each run, also within a search or a sweep: a service that keeps the ids of closed sessions takes the
     * next run for a repetition, unless a number of {@code settings} is added. After a warm-up that fell behind some are skipped.
     *
     * @param request number of the request in the run, over all sessions and clients, from 0.
     * @param buffer  with room for the longest request; {@code offset} is where it begins.
     * @return length of the request, from 1.
     */
    int encode(long request, MutableDirectBuffer buffer, int offset);

    /**
     * Pass each request that a message answers to {@code replies}: one for a reply, several for a batch, none for an event that
     * answers no request. A {@link RuntimeException} says that the message is damaged.
     *
     * @param buffer with the message, without the headers of Aeron; valid only during the call.
     */
    void decode(DirectBuffer buffer, int offset, int length, Replies replies);

    /** Takes the replies that a message contains. */
    @FunctionalInterface
    interface Replies
    {
        /**
         * A reply to a request was found. The first reply to a request, of whatever kind, ends its round trip. A reply to a
         * request that this session has not sent is ignored, and a message without another reply is an event.
         *
         * @param request number of the request that is answered, as it was encoded.
         * @param kind    index in {@link #replyKinds()}; a message with another one counts as corrupt.
         */
        void onReply(long request, int kind);
    }
}
