package com.example.orderbook;

import java.util.List;
import java.util.Map;

import com.example.orderbook.codecs.AcceptedDecoder;
import com.example.orderbook.codecs.CancelOrderEncoder;
import com.example.orderbook.codecs.FilledDecoder;
import com.example.orderbook.codecs.MessageHeaderDecoder;
import com.example.orderbook.codecs.MessageHeaderEncoder;
import com.example.orderbook.codecs.NewOrderEncoder;
import com.example.orderbook.codecs.RejectedDecoder;
import com.example.orderbook.codecs.Side;

import io.clusterecho.codec.MessageCodec;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A load for the order book: an even request is an order, at a price and of a side that follow from its number and the seed; an
 * odd one cancels the order of {@code 2 * depth + 1} requests before, if that was not filled. So the book has {@code depth + 1}
 * orders at most, and those whose cancellation was lost.
 * <p>
 * The id of an order is its number plus {@code first}: with another {@code first} a run repeats no id of an earlier one.
 */
public final class OrderMessages implements MessageCodec
{
    static final int ACCEPTED = 0;
    static final int REJECTED = 1;
    static final int FILLED = 2;

    private static final int MID_PRICE = OrderBook.MAX_PRICE / 2;
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final NewOrderEncoder newOrder = new NewOrderEncoder();
    private final CancelOrderEncoder cancelOrder = new CancelOrderEncoder();
    private final MessageHeaderDecoder replyHeader = new MessageHeaderDecoder();
    private final AcceptedDecoder accepted = new AcceptedDecoder();
    private final RejectedDecoder rejected = new RejectedDecoder();
    private final FilledDecoder filled = new FilledDecoder();
    private long seed;
    private long depth;
    private long first;

    @Override
    public void init(final long newSeed, final Map<String, String> settings)
    {
        seed = newSeed;
        final String depthText = settings.getOrDefault("depth", "100");
        final String firstText = settings.getOrDefault("first", "0");
        if (!depthText.matches("[1-9][0-9]{0,4}") || !firstText.matches("[0-9]{1,18}") ||
            !List.of("depth", "first").containsAll(settings.keySet()))
        {
            throw new IllegalArgumentException("depth, from 1 to 99999 orders, and first, an id of at most 18 digits");
        }
        depth = Long.parseLong(depthText);
        first = Long.parseLong(firstText);
    }

    @Override
    public int maxRequestLength()
    {
        return HEADER_LENGTH + Math.max(NewOrderEncoder.BLOCK_LENGTH, CancelOrderEncoder.BLOCK_LENGTH);
    }

    @Override
    public List<String> replyKinds()
    {
        return List.of("accepted", "rejected", "filled");
    }

    @Override
    public boolean isRepeatable(final int kind)
    {
        return FILLED == kind;
    }

    @Override
    public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
    {
        final long id = first + request;
        if (1 == request % 2)
        {
            cancelOrder.wrapAndApplyHeader(buffer, offset, header).requestId(id).orderId(id - 1 - 2 * depth);
            return HEADER_LENGTH + cancelOrder.encodedLength();
        }

        final long random = mix(seed + request);
        final boolean isBuy = 0 == (random & 1);
        // Up to 55 ticks away from the middle on its own side, or up to 8 beyond it, where it meets orders of the other side.
        final int distance = (int)(random >>> 1 & 63) - 8;
        newOrder.wrapAndApplyHeader(buffer, offset, header)
            .requestId(id)
            .price(isBuy ? MID_PRICE - distance : MID_PRICE + distance)
            .quantity(1 + (int)(random >>> 8 & 63))
            .side(isBuy ? Side.BUY : Side.SELL);
        return HEADER_LENGTH + newOrder.encodedLength();
    }

    @Override
    public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
    {
        if (length < HEADER_LENGTH + AcceptedDecoder.BLOCK_LENGTH)
        {
            throw new IllegalArgumentException("a message of " + length + " bytes");
        }
        switch (replyHeader.wrap(buffer, offset).templateId())
        {
            case AcceptedDecoder.TEMPLATE_ID ->
                replies.onReply(accepted.wrapAndApplyHeader(buffer, offset, replyHeader).requestId() - first, ACCEPTED);
            case RejectedDecoder.TEMPLATE_ID ->
                replies.onReply(rejected.wrapAndApplyHeader(buffer, offset, replyHeader).requestId() - first, REJECTED);
            case FilledDecoder.TEMPLATE_ID ->
                replies.onReply(filled.wrapAndApplyHeader(buffer, offset, replyHeader).requestId() - first, FILLED);
            default -> throw new IllegalArgumentException("a message of template " + replyHeader.templateId());
        }
    }

    /** The last steps of SplitMix64: neighbouring numbers give unlike ones. */
    private static long mix(final long number)
    {
        long mixed = number * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
