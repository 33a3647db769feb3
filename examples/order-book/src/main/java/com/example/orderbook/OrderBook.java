package com.example.orderbook;

import java.util.Arrays;

import org.agrona.collections.Long2LongHashMap;

/**
 * Matches orders for one instrument by price, then by time. What it does depends on its calls alone, so members that make the
 * same calls have the same book. One thread. All memory is allocated at construction.
 * <p>
 * Each price is a circular list of its orders, the oldest first, with a slot of its own between the newest and the oldest. No
 * order to buy has the price of an order to sell, or a higher one.
 */
final class OrderBook
{
    /** Prices are 1 to this, in ticks. */
    static final int MAX_PRICE = 10_000;

    private static final int NONE = -1;
    private static final float LOAD_FACTOR = 0.5f;

    private final Fills fills;
    private final Long2LongHashMap slotById;
    private final long[] orderIds;
    private final long[] sessionIds;
    private final int[] quantities;
    private final boolean[] isBuy;
    /** Slots of the next and previous order of the price, of orders and then of prices; the next free slot of a free one. */
    private final int[] next;
    private final int[] previous;
    private int free;
    private int highestBid;
    private int lowestAsk = MAX_PRICE + 1;

    /** An empty book with room for so many orders. */
    OrderBook(final int capacity, final Fills fills)
    {
        this.fills = fills;
        slotById = new Long2LongHashMap(2 * capacity, LOAD_FACTOR, NONE);
        orderIds = new long[capacity];
        sessionIds = new long[capacity];
        quantities = new int[capacity];
        isBuy = new boolean[capacity];
        next = new int[capacity + MAX_PRICE + 1];
        previous = new int[next.length];
        Arrays.setAll(next, (slot) -> slot >= capacity ? slot : slot + 1 < capacity ? slot + 1 : NONE);
        Arrays.setAll(previous, (slot) -> slot);
    }

    /** Takes both sides of each trade. */
    @FunctionalInterface
    interface Fills
    {
        /** A quantity of an order was traded, and so much of it is still open. */
        void onFill(long orderId, long sessionId, int price, int quantity, int openQuantity);
    }

    /** Takes the orders in the book, those of a price in the order of their arrival. */
    @FunctionalInterface
    interface Orders
    {
        void onOrder(long orderId, long sessionId, boolean isBuy, int price, int quantity);
    }

    int orderCount()
    {
        return slotById.size();
    }

    boolean contains(final long orderId)
    {
        return NONE != slotById.get(orderId);
    }

    boolean isFull()
    {
        return NONE == free;
    }

    /**
     * Trade an order with those of the other side at its price or a better one; what is left of it waits in the book. The book
     * must have room for it and no order with its id.
     *
     * @param price    1 to {@link #MAX_PRICE}.
     * @param quantity from 1.
     */
    void add(final long orderId, final long sessionId, final boolean buys, final int price, final int quantity)
    {
        int open = quantity;
        while (open > 0 && (buys ? lowestAsk <= price : highestBid >= price))
        {
            final int best = buys ? lowestAsk : highestBid;
            final int slot = next[slotOf(best)];
            final int traded = Math.min(open, quantities[slot]);
            open -= traded;
            quantities[slot] -= traded;
            final long restingId = orderIds[slot];
            final long restingSessionId = sessionIds[slot];
            final int restingOpen = quantities[slot];
            if (0 == restingOpen)
            {
                remove(slot);
            }
            fills.onFill(restingId, restingSessionId, best, traded, restingOpen);
            fills.onFill(orderId, sessionId, best, traded, open);
        }

        if (open > 0)
        {
            append(orderId, sessionId, buys, price, open);
        }
    }

    /** Remove an order; false if it is not in the book. */
    boolean cancel(final long orderId)
    {
        final int slot = (int)slotById.get(orderId);
        if (NONE != slot)
        {
            remove(slot);
        }
        return NONE != slot;
    }

    /** Remove all orders of a session. Reads the complete book. */
    void cancelAll(final long sessionId)
    {
        for (int price = 1; price <= MAX_PRICE; price++)
        {
            int slot = next[slotOf(price)];
            while (slotOf(price) != slot)
            {
                final int following = next[slot];
                if (sessionIds[slot] == sessionId)
                {
                    remove(slot);
                }
                slot = following;
            }
        }
    }

    /** All orders, of which {@link #add} makes the same book again. */
    void forEach(final Orders orders)
    {
        for (int price = 1; price <= MAX_PRICE; price++)
        {
            for (int slot = next[slotOf(price)]; slotOf(price) != slot; slot = next[slot])
            {
                orders.onOrder(orderIds[slot], sessionIds[slot], isBuy[slot], price, quantities[slot]);
            }
        }
    }

    private void append(final long orderId, final long sessionId, final boolean buys, final int price, final int quantity)
    {
        final int slot = free;
        free = next[slot];
        slotById.put(orderId, slot);
        orderIds[slot] = orderId;
        sessionIds[slot] = sessionId;
        quantities[slot] = quantity;
        isBuy[slot] = buys;
        next[slot] = slotOf(price);
        previous[slot] = previous[slotOf(price)];
        next[previous[slot]] = slot;
        previous[slotOf(price)] = slot;

        if (buys)
        {
            highestBid = Math.max(highestBid, price);
        }
        else
        {
            lowestAsk = Math.min(lowestAsk, price);
        }
    }

    private void remove(final int slot)
    {
        slotById.remove(orderIds[slot]);
        next[previous[slot]] = next[slot];
        previous[next[slot]] = previous[slot];
        next[slot] = free;
        free = slot;

        while (highestBid > 0 && isEmpty(highestBid))
        {
            highestBid--;
        }
        while (lowestAsk <= MAX_PRICE && isEmpty(lowestAsk))
        {
            lowestAsk++;
        }
    }

    private boolean isEmpty(final int price)
    {
        return slotOf(price) == next[slotOf(price)];
    }

    private int slotOf(final int price)
    {
        return orderIds.length + price;
    }
}
