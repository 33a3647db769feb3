package com.example.orderbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class OrderBookTest
{
    private static final long SESSION = 7;
    private static final boolean BUY = true;
    private static final boolean SELL = false;

    private final List<String> fills = new ArrayList<>();
    private final OrderBook book = book(fills, 8);

    private static OrderBook book(final List<String> fills, final int capacity)
    {
        return new OrderBook(capacity, (orderId, sessionId, price, quantity, openQuantity) ->
            fills.add("order %d: %d at %d, %d open".formatted(orderId, quantity, price, openQuantity)));
    }

    @Test
    void shouldKeepOrdersThatDoNotMeet()
    {
        book.add(1, SESSION, BUY, 99, 10);
        book.add(2, SESSION, SELL, 100, 10);
        assertThat(fills).isEmpty();
        assertThat(orders()).containsExactly("1 buys 10 at 99", "2 sells 10 at 100");
    }

    @Test
    void shouldTradeAtTheBestPriceFirstAndThenTheOldestOrder()
    {
        book.add(1, SESSION, SELL, 101, 5);
        book.add(2, SESSION, SELL, 100, 5);
        book.add(3, SESSION, SELL, 100, 5);
        book.add(4, SESSION, BUY, 101, 12);
        assertThat(fills).containsExactly(
            "order 2: 5 at 100, 0 open", "order 4: 5 at 100, 7 open",
            "order 3: 5 at 100, 0 open", "order 4: 5 at 100, 2 open",
            "order 1: 2 at 101, 3 open", "order 4: 2 at 101, 0 open");
        assertThat(orders()).containsExactly("1 sells 3 at 101");
    }

    @Test
    void shouldKeepWhatIsLeftOfAnOrder()
    {
        book.add(1, SESSION, BUY, 100, 5);
        book.add(2, SESSION, SELL, 90, 8);
        assertThat(fills).containsExactly("order 1: 5 at 100, 0 open", "order 2: 5 at 100, 3 open");
        assertThat(orders()).containsExactly("2 sells 3 at 90");
        book.add(3, SESSION, BUY, 89, 1);
        book.add(4, SESSION, BUY, OrderBook.MAX_PRICE, 3);
        assertThat(fills).endsWith("order 2: 3 at 90, 0 open", "order 4: 3 at 90, 0 open");
        assertThat(orders()).containsExactly("3 buys 1 at 89");
    }

    @Test
    void shouldCancelTheFirstTheLastAndAnOrderBetween()
    {
        for (int id = 1; id <= 5; id++)
        {
            book.add(id, SESSION, SELL, 1, 1);
        }
        assertThat(book.cancel(1)).isTrue();
        assertThat(book.cancel(3)).isTrue();
        assertThat(book.cancel(5)).isTrue();
        assertThat(book.cancel(5)).isFalse();
        assertThat(orders()).containsExactly("2 sells 1 at 1", "4 sells 1 at 1");
        book.add(6, SESSION, BUY, 1, 3);
        assertThat(fills).startsWith("order 2: 1 at 1, 0 open").contains("order 4: 1 at 1, 0 open");
        assertThat(orders()).containsExactly("6 buys 1 at 1");
    }

    @Test
    void shouldFindTheBestPriceAfterACancellation()
    {
        book.add(1, SESSION, BUY, 50, 1);
        book.add(2, SESSION, BUY, 60, 1);
        book.add(3, SESSION, SELL, 70, 1);
        book.cancel(2);
        book.cancel(3);
        book.add(4, SESSION, SELL, 55, 1);
        assertThat(fills).isEmpty();
        book.add(5, SESSION, SELL, 50, 1);
        assertThat(fills).containsExactly("order 1: 1 at 50, 0 open", "order 5: 1 at 50, 0 open");
    }

    @Test
    void shouldCancelTheOrdersOfOneSession()
    {
        book.add(1, SESSION, BUY, 99, 1);
        book.add(2, SESSION + 1, BUY, 99, 1);
        book.add(3, SESSION, BUY, 99, 1);
        book.add(4, SESSION, SELL, 100, 1);
        book.cancelAll(SESSION);
        assertThat(orders()).containsExactly("2 buys 1 at 99");
        assertThat(book.contains(1)).isFalse();
        assertThat(book.contains(2)).isTrue();
    }

    @Test
    void shouldReuseTheRoomOfOrdersThatAreGone()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int id = 0; id < 8; id++)
            {
                assertThat(book.isFull()).isFalse();
                book.add(id, SESSION, 0 == id % 2, 0 == id % 2 ? 10 : 20, 1);
            }
            assertThat(book.isFull()).isTrue();
            assertThat(book.orderCount()).isEqualTo(8);
            for (int id = 0; id < 8; id++)
            {
                assertThat(book.cancel(id)).isTrue();
            }
        }
        assertThat(book.orderCount()).isZero();
        assertThat(fills).isEmpty();
    }

    /** The orders as the book lists them. */
    private List<String> orders()
    {
        final List<String> orders = new ArrayList<>();
        book.forEach((orderId, sessionId, isBuy, price, quantity) ->
            orders.add("%d %s %d at %d".formatted(orderId, isBuy ? "buys" : "sells", quantity, price)));
        return orders;
    }
}
