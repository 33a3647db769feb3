package io.clusterecho.peers;

import io.clusterecho.schema.peers.MessageHeaderDecoder;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.PriceDecoder;
import io.clusterecho.schema.peers.PriceEncoder;
import io.clusterecho.schema.peers.PriceRequestDecoder;
import io.clusterecho.schema.peers.PriceRequestEncoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The prices of a stream: one long, a time-stamp, and five ints. All follow from the sequence of a price, from 0, so that a
 * receiver can check each. In SBE, a header of 8 bytes and 28 of content, as Aeron sends it and as the client's thread takes it
 * from every library.
 */
public final class Prices
{
    /** Length of the content of a price in bytes. */
    public static final int CONTENT_LENGTH = PriceEncoder.BLOCK_LENGTH;

    /** Length of a price in SBE, with its header, in bytes. */
    public static final int ENCODED_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + CONTENT_LENGTH;

    /**
     * Time-stamp of the first price: 13 days in ns, as {@link System#nanoTime()} of a machine that is up for so long. It takes 8
     * bytes in the varints of Protobuf and Kryo, where a sequence from 0 would take 1 to 4.
     */
    private static final long FIRST_TIMESTAMP_NS = 1L << 50;

    public static long timestampNs(final long sequence)
    {
        return FIRST_TIMESTAMP_NS + sequence;
    }

    public static int instrumentId(final long sequence)
    {
        return (int)(sequence & 0x3FF);
    }

    public static int bidPrice(final long sequence)
    {
        return 1_000_000 + (int)(sequence & 0xFFFF);
    }

    public static int bidQuantity(final long sequence)
    {
        return 1 + (int)(sequence & 0xFF);
    }

    public static int askPrice(final long sequence)
    {
        return bidPrice(sequence) + 1 + (int)(sequence & 0xF);
    }

    public static int askQuantity(final long sequence)
    {
        return 1_000 - (int)(sequence & 0xFF);
    }

    /** Number of prices that a message requests, or -1 for any other message. */
    public static long requested(final DirectBuffer buffer, final int offset, final int length)
    {
        return PriceRequestDecoder.TEMPLATE_ID == Conversation.peersTemplateId(buffer, offset, length) ?
            new PriceRequestDecoder().wrap(
                buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, PriceRequestDecoder.BLOCK_LENGTH,
                PriceRequestDecoder.SCHEMA_VERSION).count() : -1;
    }

    /** Write a request in SBE, and return its length in bytes. */
    public static int encodeRequest(final long count, final MutableDirectBuffer buffer)
    {
        new PriceRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).count(count);
        return MessageHeaderEncoder.ENCODED_LENGTH + PriceRequestEncoder.BLOCK_LENGTH;
    }

    /** Writes prices in SBE. Not thread-safe; does not allocate. */
    public static final class Writer
    {
        private final PriceEncoder price = new PriceEncoder();
        private final MessageHeaderEncoder header = new MessageHeaderEncoder();

        /** Write the price of a sequence, {@link #ENCODED_LENGTH} bytes. */
        public void write(final long sequence, final MutableDirectBuffer buffer, final int offset)
        {
            write(
                timestampNs(sequence), instrumentId(sequence), bidPrice(sequence), bidQuantity(sequence), askPrice(sequence),
                askQuantity(sequence), buffer, offset);
        }

        /** The same with the values that a library received. */
        public void write(
            final long timestampNs,
            final int instrumentId,
            final int bidPrice,
            final int bidQuantity,
            final int askPrice,
            final int askQuantity,
            final MutableDirectBuffer buffer,
            final int offset)
        {
            price.wrapAndApplyHeader(buffer, offset, header).timestampNs(timestampNs).instrumentId(instrumentId)
                .bidPrice(bidPrice).bidQuantity(bidQuantity).askPrice(askPrice).askQuantity(askQuantity);
        }
    }

    /** Reads prices in SBE. Not thread-safe; does not allocate. */
    public static final class Reader
    {
        private final PriceDecoder price = new PriceDecoder();

        /** Wrap a message; false if it is not a price. */
        public boolean wrap(final DirectBuffer buffer, final int offset, final int length)
        {
            if (ENCODED_LENGTH != length ||
                PriceDecoder.TEMPLATE_ID != Conversation.peersTemplateId(buffer, offset, length))
            {
                return false;
            }

            price.wrap(
                buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, PriceDecoder.BLOCK_LENGTH,
                PriceDecoder.SCHEMA_VERSION);
            return true;
        }

        /** Whether all six values of the wrapped price are those of a sequence. */
        public boolean is(final long sequence)
        {
            return price.timestampNs() == timestampNs(sequence) &&
                price.instrumentId() == Prices.instrumentId(sequence) &&
                price.bidPrice() == Prices.bidPrice(sequence) && price.bidQuantity() == Prices.bidQuantity(sequence) &&
                price.askPrice() == Prices.askPrice(sequence) && price.askQuantity() == Prices.askQuantity(sequence);
        }
    }
}
