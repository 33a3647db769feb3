package com.example.orderbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.example.orderbook.codecs.AcceptedEncoder;
import com.example.orderbook.codecs.CancelOrderEncoder;
import com.example.orderbook.codecs.FilledDecoder;
import com.example.orderbook.codecs.MessageHeaderDecoder;
import com.example.orderbook.codecs.MessageHeaderEncoder;
import com.example.orderbook.codecs.NewOrderDecoder;
import com.example.orderbook.codecs.NewOrderEncoder;
import com.example.orderbook.codecs.Reason;
import com.example.orderbook.codecs.RejectedDecoder;
import com.example.orderbook.codecs.Side;

import io.clusterecho.codec.MessageCodec;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;

/** The service, with messages as it gets them from the log, and the load's messages for it; without a cluster. */
class OrderBookServiceTest
{
    private static final int OFFSET = 5;

    private final FakeCluster cluster = new FakeCluster();
    private final OrderBookService service = new OrderBookService();
    private final OrderMessages messages = new OrderMessages();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final ClientSession alice = cluster.open(1);
    private final ClientSession bob = cluster.open(2);

    @BeforeEach
    void start()
    {
        service.start(cluster.cluster());
        messages.init(1, Map.of("depth", "100"));
    }

    @Test
    void shouldSendFillsToBothSides()
    {
        order(service, alice, 10, Side.SELL, 100, 5);
        order(service, bob, 11, Side.BUY, 101, 8);
        assertThat(kinds(1)).containsExactly("10 accepted", "10 filled");
        assertThat(kinds(2)).containsExactly("11 accepted", "11 filled");
        final FilledDecoder filled = new FilledDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(cluster.egress.get(2L).get(1)), 0, new MessageHeaderDecoder());
        assertThat(List.of(filled.price(), filled.quantity(), filled.openQuantity())).containsExactly(100, 5, 3);
    }

    @Test
    void shouldRejectWithAReason()
    {
        order(service, alice, 1, Side.BUY, 0, 5);
        order(service, alice, 2, Side.BUY, OrderBook.MAX_PRICE + 1, 5);
        order(service, alice, 3, Side.BUY, 100, 0);
        order(service, alice, 4, Side.NULL_VAL, 100, 5);
        order(service, alice, 5, Side.BUY, 100, 5);
        order(service, bob, 5, Side.BUY, 100, 5);
        cancel(service, bob, 6, 4);
        assertThat(reasons(1)).containsExactly(
            Reason.INVALID_ORDER, Reason.INVALID_ORDER, Reason.INVALID_ORDER, Reason.INVALID_ORDER);
        assertThat(reasons(2)).containsExactly(Reason.DUPLICATE_ID, Reason.UNKNOWN_ORDER);
        assertThat(kinds(1)).endsWith("5 accepted");
    }

    @Test
    void shouldRejectOrdersThatTheBookHasNoRoomFor()
    {
        for (int id = 0; id <= OrderBookService.CAPACITY; id++)
        {
            order(service, alice, id, Side.BUY, 100, 1);
        }
        assertThat(reasons(1)).containsExactly(Reason.BOOK_FULL);
    }

    @Test
    void shouldIgnoreWhatIsNotARequest()
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        for (int length = 0; length < 64; length++)
        {
            service.onSessionMessage(alice, 0, buffer, 0, length, null);
        }
        final NewOrderEncoder order = new NewOrderEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + order.encodedLength();
        service.onSessionMessage(alice, 0, buffer, 0, length - 1, null);
        assertThat(cluster.egress.get(1L)).isEmpty();
    }

    @Test
    void shouldCancelTheOrdersOfASessionThatEnds()
    {
        order(service, alice, 10, Side.SELL, 100, 5);
        service.onSessionClose(cluster.end(1), 0, CloseReason.TIMEOUT);
        order(service, bob, 11, Side.BUY, 100, 5);
        assertThat(kinds(2)).containsExactly("11 accepted");
    }

    @Test
    void shouldFillAnOrderWhoseSessionIsGone()
    {
        order(service, alice, 10, Side.SELL, 100, 5);
        cluster.end(1);
        order(service, bob, 11, Side.BUY, 100, 5);
        assertThat(kinds(1)).containsExactly("10 accepted");
        assertThat(kinds(2)).containsExactly("11 accepted", "11 filled");
    }

    @Test
    void shouldOfferAReplyAgainWhileThereIsBackPressure()
    {
        cluster.results.addAll(List.of(Publication.BACK_PRESSURED, Publication.ADMIN_ACTION));
        order(service, alice, 10, Side.SELL, 100, 5);
        assertThat(kinds(1)).containsExactly("10 accepted");
        cluster.results.addAll(List.of(Publication.NOT_CONNECTED));
        order(service, alice, 11, Side.SELL, 100, 5);
        assertThat(kinds(1)).containsExactly("10 accepted");
        assertThat(cluster.closed).isEmpty();
    }

    @Test
    void shouldCloseASessionThatDoesNotRead()
    {
        cluster.stuck.add(1L);
        final long beginNs = System.nanoTime();
        order(service, alice, 10, Side.SELL, 100, 5);
        assertThat(System.nanoTime() - beginNs).as("not by a number of attempts").isGreaterThanOrEqualTo(20_000_000);
        assertThat(cluster.closed).containsExactly(1L);
        order(service, bob, 11, Side.BUY, 100, 5);
        assertThat(kinds(1)).isEmpty();
        assertThat(kinds(2)).containsExactly("11 accepted", "11 filled");
    }

    @Test
    void shouldContinueFromASnapshotAsIfThereHadBeenNone()
    {
        final FakeCluster other = new FakeCluster();
        final ClientSession session = other.open(1);
        final OrderBookService restored = new OrderBookService();
        restored.start(other.cluster());
        send(service, alice, 0, 5_000);
        cluster.egress.get(1L).clear();

        copySnapshot(restored, service);
        send(service, alice, 5_000, 10_000);
        send(restored, session, 5_000, 10_000);
        assertThat(other).hasToString(cluster.toString());
        assertThat(snapshot(restored)).hasSizeGreaterThan(20).usingElementComparator(Arrays::compare)
            .isEqualTo(snapshot(service));
    }

    @Test
    void shouldWriteASnapshotAgainstBackPressureAndFailOnAClosedStream()
    {
        order(service, alice, 10, Side.SELL, 100, 5);
        final List<Long> results = new ArrayList<>(List.of(Publication.BACK_PRESSURED, 1L, Publication.ADMIN_ACTION, 2L));
        service.takeSnapshot((message, offset, length) -> results.remove(0));
        assertThat(results).isEmpty();
        assertThatThrownBy(() -> service.takeSnapshot((message, offset, length) -> Publication.CLOSED))
            .isInstanceOf(ClusterException.class).hasMessageContaining("CLOSED");
    }

    @Test
    void shouldNotStartFromADamagedSnapshot()
    {
        order(service, alice, 10, Side.SELL, 100, 5);
        final List<byte[]> snapshot = snapshot(service);
        assertThatThrownBy(() -> new OrderBookService().restore(new UnsafeBuffer(snapshot.get(1)), 0))
            .isInstanceOf(ClusterException.class).hasMessageContaining("0 orders, expected 1");
        new CancelOrderEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        assertThatThrownBy(() -> service.restore(buffer, 0)).hasMessageContaining("template 2");
    }

    @Test
    void shouldAnswerEachRequestOfALoadOnceAndKeepTheBookSmall()
    {
        final Map<Long, Integer> answers = new TreeMap<>();
        final int[] kinds = new int[3];
        send(service, alice, 0, 20_000);
        for (final byte[] message : cluster.egress.get(1L))
        {
            messages.decode(new UnsafeBuffer(message), 0, message.length, (request, kind) ->
            {
                kinds[kind]++;
                answers.merge(request, OrderMessages.FILLED == kind ? 0 : 1, Integer::sum);
            });
        }
        assertThat(answers).hasSize(20_000);
        assertThat(answers.values()).containsOnly(1);
        assertThat(kinds[OrderMessages.FILLED]).isGreaterThan(2_000);
        assertThat(kinds[OrderMessages.REJECTED]).isBetween(1_000, 9_000);
        assertThat(snapshot(service).size() - 1).isBetween(10, 100);
    }

    @Test
    void shouldGiveOtherIdsToAnotherRun()
    {
        service.onSessionMessage(alice, 0, buffer, 0, messages.encode(0, buffer, 0), null);
        service.onSessionMessage(bob, 0, buffer, 0, messages.encode(0, buffer, 0), null);
        assertThat(reasons(2)).containsExactly(Reason.DUPLICATE_ID);

        messages.init(1, Map.of("first", "1000", "depth", "2"));
        send(service, bob, 0, 1);
        send(service, bob, 5, 6);
        assertThat(kinds(2)).endsWith("0 accepted", "5 accepted");
        assertThatThrownBy(() -> messages.init(1, Map.of("first", "-1"))).hasMessageContaining("first, an id");
        assertThatThrownBy(() -> messages.init(1, Map.of("last", "1"))).hasMessageContaining("depth, from 1");
    }

    @Test
    void shouldNotAllocate()
    {
        final long[] sum = new long[1];
        final OrderBook book = new OrderBook(1_000, (orderId, sessionId, price, quantity, openQuantity) -> sum[0] += quantity);
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final MessageCodec.Replies replies = (request, kind) -> sum[0] += request;
        final NewOrderDecoder order = new NewOrderDecoder();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final UnsafeBuffer reply = new UnsafeBuffer(new byte[64]);
        new AcceptedEncoder().wrapAndApplyHeader(reply, 0, new MessageHeaderEncoder()).requestId(1);
        final int count = 20_000;
        long allocated = 0;
        for (int round = 0; round < 2; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < count; i += 2)
            {
                messages.encode(i, buffer, 0);
                order.wrapAndApplyHeader(buffer, 0, header);
                book.add(i, 1, Side.BUY.value() == order.sideRaw(), order.price(), order.quantity());
                book.cancel(i - 200);
                messages.decode(reply, 0, reply.capacity(), replies);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            book.cancelAll(1);
        }
        assertThat(sum[0]).isPositive();
        assertThat(allocated).isLessThan(count);
    }

    private void send(final OrderBookService to, final ClientSession session, final long begin, final long end)
    {
        for (long request = begin; request < end; request++)
        {
            final int length = messages.encode(request, buffer, OFFSET);
            assertThat(length).isBetween(1, messages.maxRequestLength());
            to.onSessionMessage(session, 0, buffer, OFFSET, length, null);
        }
    }

    private void order(
        final OrderBookService to,
        final ClientSession session,
        final long id,
        final Side side,
        final int price,
        final int quantity)
    {
        final NewOrderEncoder order = new NewOrderEncoder().wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderEncoder())
            .requestId(id).price(price).quantity(quantity).side(side);
        to.onSessionMessage(
            session, 0, buffer, OFFSET, MessageHeaderEncoder.ENCODED_LENGTH + order.encodedLength(), null);
    }

    private void cancel(final OrderBookService to, final ClientSession session, final long id, final long orderId)
    {
        final CancelOrderEncoder cancel = new CancelOrderEncoder()
            .wrapAndApplyHeader(buffer, OFFSET, new MessageHeaderEncoder()).requestId(id).orderId(orderId);
        to.onSessionMessage(
            session, 0, buffer, OFFSET, MessageHeaderEncoder.ENCODED_LENGTH + cancel.encodedLength(), null);
    }

    private List<String> kinds(final long sessionId)
    {
        final List<String> kinds = new ArrayList<>();
        for (final byte[] message : cluster.egress.get(sessionId))
        {
            messages.decode(new UnsafeBuffer(message), 0, message.length, (request, kind) ->
                kinds.add(request + " " + messages.replyKinds().get(kind)));
        }
        return kinds;
    }

    private List<Reason> reasons(final long sessionId)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        return cluster.egress.get(sessionId).stream().map(UnsafeBuffer::new)
            .filter((message) -> RejectedDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
            .map((message) -> new RejectedDecoder().wrapAndApplyHeader(message, 0, header).reason()).toList();
    }

    private static List<byte[]> snapshot(final OrderBookService service)
    {
        final List<byte[]> snapshot = new ArrayList<>();
        service.takeSnapshot((message, offset, length) ->
        {
            final byte[] copy = new byte[length];
            message.getBytes(offset, copy);
            snapshot.add(copy);
            return snapshot.size();
        });
        return snapshot;
    }

    private static void copySnapshot(final OrderBookService to, final OrderBookService from)
    {
        snapshot(from).forEach((message) -> to.restore(new UnsafeBuffer(message), 0));
    }
}
