package io.clusterecho.peers.kryonet;

import io.clusterecho.peers.server.Prices;

import org.agrona.MutableDirectBuffer;

/** A price as an object that Kryo serializes field by field. Public, because the code that Kryo generates makes instances. */
public final class KryoPrice
{
    // Kryo sets the fields.
    private long timestampNs;
    private int instrumentId;
    private int bidPrice;
    private int bidQuantity;
    private int askPrice;
    private int askQuantity;

    /** For Kryo. */
    public KryoPrice()
    {
    }

    KryoPrice(final long sequence)
    {
        timestampNs = Prices.timestampNs(sequence);
        instrumentId = Prices.instrumentId(sequence);
        bidPrice = Prices.bidPrice(sequence);
        bidQuantity = Prices.bidQuantity(sequence);
        askPrice = Prices.askPrice(sequence);
        askQuantity = Prices.askQuantity(sequence);
    }

    void write(final Prices.Writer writer, final MutableDirectBuffer buffer)
    {
        writer.write(timestampNs, instrumentId, bidPrice, bidQuantity, askPrice, askQuantity, buffer, 0);
    }
}
