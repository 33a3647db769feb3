package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.media.link.LinkFile.Side;

/** One side of a driver's filter, with frames that are only numbers. */
@Timeout(60)
class LinkSideTest
{
    private static final int COUNT = 20_000;
    private static final int SLOTS = 1 << 14;
    private static final int BYTES = SLOTS << 6;
    private static final long MS = 1_000_000L;
    private static final Impairment RECEIVED = Impairment.of(Direction.RECEIVE);
    private static final InetSocketAddress MEMBER_0 = new InetSocketAddress("127.0.0.2", 40_000);
    private static final InetSocketAddress MEMBER_2 = new InetSocketAddress("127.0.0.4", 40_000);
    private static final InetSocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 40_000);

    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[32]);
    private final List<Integer> received = new ArrayList<>();
    private LinkFile file;
    private LinkSide side;

    @TempDir
    private Path dir;

    @BeforeEach
    void open() throws IOException
    {
        file = LinkFile.create(dir);
        side = newSide();
    }

    @Test
    void shouldReceiveAllAtOnceWhileNothingIsImpaired()
    {
        side.onDutyCycle();
        receive(100, CLIENT);

        assertThat(received).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(side.isHolding()).isFalse();
        assertThat(side.isUnsent(CLIENT)).isFalse();
        assertThat(side.isUnheard(CLIENT)).isFalse();
    }

    @Test
    void shouldLoseItsShareOfFrames() throws IOException
    {
        for (final int percent : new int[]{ 1, 10, 30 })
        {
            received.clear();
            impair(RECEIVED.with(Effect.LOSS_PPM, percent * 10_000).seeded(percent));
            receive(COUNT, CLIENT);

            final int lost = COUNT - received.size();
            assertThat(lost).isBetween(COUNT * percent * 8 / 1_000, COUNT * percent * 12 / 1_000);
        }
    }

    @Test
    void shouldLoseTheSameFramesBySeed() throws IOException
    {
        final List<List<Integer>> runs = new ArrayList<>();
        for (final int seed : new int[]{ 5, 5, 6 })
        {
            received.clear();
            impair(RECEIVED.with(Effect.LOSS_PPM, 100_000).seeded(seed));
            receive(1_000, CLIENT);
            runs.add(List.copyOf(received));
        }

        assertThat(runs.get(1)).isEqualTo(runs.get(0));
        assertThat(runs.get(2)).isNotEqualTo(runs.get(0));
    }

    @Test
    void shouldLoseItsShareOfFramesToSend() throws IOException
    {
        impair(Impairment.of(Direction.SEND).with(Effect.LOSS_PPM, 100_000).seeded(1));
        final long unsentCount = IntStream.range(0, COUNT).filter((i) -> side.isUnsent(CLIENT)).count();
        receive(100, CLIENT);

        assertThat(unsentCount).isBetween(COUNT * 8L / 100, COUNT * 12L / 100);
        assertThat(received).hasSize(100);
    }

    @Test
    void shouldHoldEachFrameForItsDelayAndKeepTheOrder() throws IOException
    {
        impair(RECEIVED.with(Effect.DELAY_NS, 20 * MS));
        final long beginNs = System.nanoTime();
        receive(100, CLIENT);
        assertThat(received).isEmpty();
        assertThat(side.isHolding()).isTrue();

        awaitAll();
        assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(20 * MS);
        assertThat(received).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void shouldDelayByUpToTheJitter() throws IOException
    {
        impair(RECEIVED.with(Effect.JITTER_NS, 40 * MS).seeded(3));
        final long beginNs = System.nanoTime();
        receive(50, CLIENT);
        awaitAll();

        assertThat(System.nanoTime() - beginNs).isGreaterThan(20 * MS);
        assertThat(received).isEqualTo(IntStream.range(0, 50).boxed().toList());
    }

    @Test
    void shouldReceiveItsShareOfFramesTwice() throws IOException
    {
        impair(RECEIVED.with(Effect.DUPLICATE_PPM, 100_000).seeded(1));
        receive(COUNT, CLIENT);
        awaitAll();

        final int doubled = received.size() - COUNT;
        assertThat(doubled).isBetween(COUNT * 8 / 100, COUNT * 12 / 100);
        assertThat(new HashSet<>(received)).hasSize(COUNT);
    }

    @Test
    void shouldLetLaterFramesOvertakeItsShare() throws IOException
    {
        impair(RECEIVED.with(Effect.REORDER_PPM, 100_000).seeded(1));
        receive(1_000, CLIENT);
        final int inOrder = received.size();
        assertThat(received).isSorted();
        assertThat(1_000 - inOrder).isBetween(50, 150);

        awaitAll();
        assertThat(received).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(received.subList(inOrder, 1_000)).isSorted();
        assertThat(received.get(inOrder)).isLessThan(received.get(inOrder - 1));
    }

    @Test
    void shouldImpairOneMemberAlone() throws IOException
    {
        impair(Impairment.ofMember(2).cut());
        receive(10, MEMBER_0);
        receive(10, CLIENT);
        assertThat(received).hasSize(20);
        receive(10, MEMBER_2);

        assertThat(received).hasSize(20);
        assertThat(side.isUnheard(MEMBER_2)).isTrue();
        assertThat(side.isUnheard(MEMBER_0)).isFalse();
        assertThat(side.isUnsent(MEMBER_2)).isFalse();
    }

    @Test
    void shouldImpairClientsAloneInBothDirections() throws IOException
    {
        impair(Impairment.ofClients(Direction.BOTH).cut());
        receive(10, CLIENT);
        assertThat(received).isEmpty();
        receive(10, MEMBER_0);

        assertThat(received).hasSize(10);
        assertThat(side.isUnsent(CLIENT)).isTrue();
        assertThat(side.isUnsent(MEMBER_0)).isFalse();
        assertThat(side.isUnsent(null)).as("a frame for several members").isFalse();
    }

    @Test
    void shouldTakeAllForClientsOnlyIfMembersHaveAddressesOfTheirOwn()
    {
        assertThat(LinkFilter.distinctAddresses(List.of("127.0.0.2", "127.0.0.3", "127.0.0.4"))).hasSize(3);
        assertThat(LinkFilter.distinctAddresses(List.of("127.0.0.2", "127.0.0.3", "127.0.0.3"))).isEmpty();
        assertThat(LinkFilter.distinctAddresses(List.of("127.0.0.1", "127.0.0.2", "127.0.0.3"))).isEmpty();
        assertThat(LinkFilter.distinctAddresses(List.of("no host.invalid"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldReceiveAllAgainWhenTheImpairmentEnds(final Effect effect) throws IOException
    {
        impair(RECEIVED.with(effect, 500_000));
        receive(1_000, CLIENT);
        impair(Impairment.NONE);
        awaitAll();
        received.clear();
        receive(1_000, CLIENT);

        assertThat(received).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
        assertThat(side.isHolding()).isFalse();
        assertThat(side.isUnsent(CLIENT)).isFalse();
    }

    @Test
    void shouldLoseAFrameWithoutSpace() throws IOException
    {
        impair(RECEIVED.with(Effect.DELAY_NS, 20 * MS));
        receive(SLOTS + 10, CLIENT);
        awaitAll();

        assertThat(received).isEqualTo(IntStream.range(0, SLOTS).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAllocateNothingForAFrame(final Effect effect) throws IOException
    {
        impair(RECEIVED.with(effect, 10_000));
        turnOver();
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long id = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(id);
        final long beforeBytes = threads.getThreadAllocatedBytes(id);
        turnOver();
        assertThat(threads.getThreadAllocatedBytes(id) - beforeBytes).isLessThan(10_000);
    }

    @Test
    void shouldRefuseWhatItCannotDo()
    {
        assertThatThrownBy(() -> RECEIVED.with(Effect.LOSS_PPM, 1_000_001)).hasMessageContaining("LOSS_PPM=1000001")
            .hasMessageContaining("0 to");
        assertThatThrownBy(() -> RECEIVED.with(Effect.DELAY_NS, -1)).hasMessageContaining("DELAY_NS=-1");
        assertThatThrownBy(() -> Impairment.of(Direction.BOTH).with(Effect.DELAY_NS, 1)).hasMessageContaining("only be lost");
        assertThatThrownBy(() -> new Impairment(Impairment.Scope.MEMBER, 1, Direction.SEND, Effect.LOSS_PPM, 0, 0))
            .hasMessageContaining("where they are received");
    }

    private LinkSide newSide()
    {
        final List<InetAddress> members = LinkFilter.distinctAddresses(List.of("127.0.0.2", "127.0.0.3", "127.0.0.4"));
        return new LinkSide(file, Side.RECEIVER, members, SLOTS, BYTES, null);
    }

    private void impair(final Impairment impairment) throws IOException
    {
        LinkFile.open(dir).impair(impairment);
        side.onDutyCycle();
        assertThat(file.taken(Side.RECEIVER)).isEqualTo(file.request());
    }

    private void receive(final int count, final InetSocketAddress source)
    {
        for (int i = 0; i < count; i++)
        {
            frame.putInt(0, i);
            if (!side.isTaken(this::onDue, frame, frame.capacity(), source, 0))
            {
                onDue(frame, frame.capacity(), source, 0);
            }
        }
    }

    private void awaitAll()
    {
        while (side.isHolding())
        {
            side.onDutyCycle();
        }
    }

    private void turnOver()
    {
        final DelayLine.Receiver receiver = this::ignore;
        for (int i = 0; i < 50_000; i++)
        {
            side.isTaken(receiver, frame, frame.capacity(), MEMBER_0, 0);
            side.onDutyCycle();
        }
    }

    private void onDue(
        final UnsafeBuffer due, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        received.add(due.getInt(0));
    }

    private void ignore(
        final UnsafeBuffer due, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        assert lengthBytes > 0;
    }
}
