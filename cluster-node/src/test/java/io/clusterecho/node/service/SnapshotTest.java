package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.Cluster;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.SnapshotBeginDecoder;
import io.clusterecho.schema.codecs.SnapshotEndDecoder;

class SnapshotTest
{
    private static final int BODY = MessageHeaderDecoder.ENCODED_LENGTH;

    private final Member member = Member.leader();
    private final FakeSession session = member.session(1);

    @BeforeEach
    void applySomeRequests()
    {
        member.echo(session, 30, 0);
        member.echo(session, -20, 0);
        member.echo(session, 10, 0);
        member.echo(session, -20, 4);
    }

    @Test
    void shouldRestoreTheStateThatWasWritten()
    {
        final Member restored = restore(member.snapshot());

        assertThat(restored.snapshot()).isEqualTo(member.snapshot());
        assertThat(restored.count(ServiceCounter.APPLIED)).isEqualTo(4);
        assertThat(restored.count(ServiceCounter.CLIENTS)).isEqualTo(3);
        assertThat(restored.service.table.byClientId.get(-20).lastSequence).isEqualTo(4);
        assertThat(restored.service.timer.deadline).isEqualTo(1_000_100);
        assertThat(restored.cluster.timerDeadlines).as("the consensus module has the timer in its own snapshot").isEmpty();
    }

    @Test
    void shouldContinueFromASnapshotLikeAMemberThatNeverStopped()
    {
        final Member restored = restore(member.snapshot());
        final FakeSession restoredSession = restored.session(1);
        for (final long clientId : new long[]{10, 40, 50, -20, 60})
        {
            member.echo(session, clientId, 1);
            restored.echo(restoredSession, clientId, 1);
        }
        member.fireTimer();
        restored.fireTimer();

        assertThat(restored.snapshot()).isEqualTo(member.snapshot());
        assertThat(restored.count(ServiceCounter.CLIENTS_EVICTED)).isEqualTo(4);
    }

    @Test
    void shouldHoldTheEmptyState()
    {
        final List<UnsafeBuffer> empty = Member.follower().snapshot();

        assertThat(empty).hasSize(2);
        assertThat(restore(empty).service.timer.deadline).isEqualTo(FlushTimer.NOT_SET);
    }

    @Test
    void shouldWriteClientsInAscendingOrder()
    {
        assertThat(member.snapshot().subList(1, 4).stream().map((message) -> message.getLong(BODY))).containsExactly(
            -20L, 10L, 30L);
    }

    @Test
    void shouldWaitWhileTheRecordingTakesNothing()
    {
        final List<Long> results = new ArrayList<>(List.of(Publication.BACK_PRESSURED, Publication.ADMIN_ACTION));
        final List<Integer> lengths = new ArrayList<>();
        member.service.takeSnapshot(
            (buffer, offset, length) ->
            {
                if (!results.isEmpty())
                {
                    return results.remove(0);
                }
                lengths.add(length);
                return 1;
            },
            Member.MAX_MESSAGE_BYTES);

        assertThat(lengths).hasSize(5);
        assertThat(member.cluster.idleCount).isEqualTo(2);
    }

    @Test
    void shouldCountTheTimeForWhichItWritesSnapshots()
    {
        final long beginNs = System.nanoTime();
        member.snapshot();
        final long firstNs = member.count(ServiceCounter.SNAPSHOT_TIME);
        member.snapshot();

        assertThat(firstNs).isPositive();
        assertThat(member.count(ServiceCounter.SNAPSHOT_TIME)).isBetween(firstNs + 1, System.nanoTime() - beginNs);
    }

    @Test
    void shouldFailWhenTheRecordingIsGone()
    {
        assertThatThrownBy(() -> member.service.takeSnapshot((buffer, offset, length) -> Publication.CLOSED, 512))
            .isInstanceOf(ClusterException.class).hasMessageContaining("CLOSED");
    }

    @Test
    void shouldReadAMessageOfTheSameVersionWithALongerBlock()
    {
        final List<UnsafeBuffer> messages = member.snapshot();
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[messages.get(1).capacity() + 8]);
        longer.putBytes(0, messages.get(1), 0, messages.get(1).capacity());
        longer.putShort(0, (short)(ClientStateDecoder.BLOCK_LENGTH + 8));
        messages.set(1, longer);

        assertThat(restore(messages).snapshot()).isEqualTo(member.snapshot());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedSnapshots")
    void shouldRefuseAMalformedSnapshot(final String failure, final Consumer<List<UnsafeBuffer>> damage)
    {
        final List<UnsafeBuffer> messages = member.snapshot();
        damage.accept(messages);

        assertThatThrownBy(() -> restore(messages))
            .isInstanceOf(ClusterException.class)
            .hasMessageContaining("cannot load the snapshot of the echo service")
            .hasMessageContaining(failure);
    }

    @Test
    void shouldRefuseASnapshotOfANewerVersionAndSayWhatCanReadIt()
    {
        final List<UnsafeBuffer> messages = member.snapshot();
        messages.forEach((message) -> message.putShort(6, (short)2));

        assertThatThrownBy(() -> restore(messages)).isInstanceOf(ClusterException.class).hasMessageEndingWith(
            "cannot load the snapshot of the echo service: schema version 2, this member reads 1 to 1: a newer version of the " +
            "member has written it, start that one");
    }

    @Test
    void shouldRefuseMoreClientsThanAreAllowed()
    {
        final SnapshotReader reader = new SnapshotReader(2, new StateTable(0));
        member.snapshot().forEach((message) -> reader.onFragment(message, 0, message.capacity(), null));

        assertThatThrownBy(reader::check).hasMessageContaining("contains 3 clients, this member is configured for at most 2");
    }

    private static Stream<Arguments> malformedSnapshots()
    {
        return Stream.of(
            malformed("shorter than its header", (messages) -> messages.set(0, new UnsafeBuffer(new byte[3]))),
            malformed("schema id 111", (messages) -> messages.get(0).putShort(4, (short)111)),
            malformed("schema version 2", (messages) -> messages.get(1).putShort(6, (short)2)),
            malformed("schema version 0", (messages) -> messages.get(1).putShort(6, (short)0)),
            malformed("is not part of a snapshot", (messages) -> messages.get(1).putShort(2, (short)1)),
            malformed("has a block of 40 bytes", (messages) -> messages.get(1).putShort(0, (short)40)),
            malformed("has a block of 10 bytes", (messages) -> messages.set(1, new UnsafeBuffer(messages.get(1), 0, 18))),
            malformed("before SnapshotBegin", (messages) -> messages.remove(0)),
            malformed("a second SnapshotBegin", (messages) -> messages.add(1, messages.get(0))),
            malformed("it ends before SnapshotEnd, after 3 clients", (messages) -> messages.remove(4)),
            malformed("it ends before SnapshotBegin", List::clear),
            malformed("after SnapshotEnd", (messages) -> messages.add(messages.get(1))),
            malformed("clientsChecksum", (messages) -> Collections.swap(messages, 1, 2)),
            malformed("announced 3 clients, 4 were read", (messages) -> messages.add(2, messages.get(1))),
            malformed("announced 3 clients, 2 were read", (messages) -> messages.remove(2)),
            malformed("announced 2 clients, 3 were read", (messages) -> messages.get(0).putLong(clientCountOffset(), 2)),
            malformed("clientCount=-1", (messages) -> messages.get(0).putLong(clientCountOffset(), -1)),
            malformed("SnapshotEnd has 9", (messages) -> messages.get(4).putLong(
                BODY + SnapshotEndDecoder.clientCountEncodingOffset(), 9)),
            malformed("clientsChecksum", (messages) -> messages.get(2).putLong(
                BODY + ClientStateDecoder.checksumEncodingOffset(), 9)),
            malformed("clientsChecksum", (messages) -> messages.get(2).putLong(
                BODY + ClientStateDecoder.lastSequenceEncodingOffset(), -1)));
    }

    private static Arguments malformed(final String failure, final Consumer<List<UnsafeBuffer>> damage)
    {
        return Arguments.of(failure, damage);
    }

    private static int clientCountOffset()
    {
        return BODY + SnapshotBeginDecoder.clientCountEncodingOffset();
    }

    private Member restore(final List<UnsafeBuffer> messages)
    {
        final Member restored = new Member(Cluster.Role.FOLLOWER);
        final SnapshotReader reader = new SnapshotReader(Member.MAX_CLIENTS, restored.service.stateTable);
        messages.forEach((message) -> reader.onFragment(message, 0, message.capacity(), null));
        reader.onEndOfSnapshot();
        restored.service.restore(reader);
        restored.cluster.logPosition = member.cluster.logPosition;
        restored.timestamp = member.timestamp;
        return restored;
    }
}
