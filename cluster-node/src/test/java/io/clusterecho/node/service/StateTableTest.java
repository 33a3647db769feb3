package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.cluster.client.ClusterException;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.StateBlockDecoder;

class StateTableTest
{
    /** Two blocks of the 480 bytes that fit a message of {@link Member#MAX_MESSAGE_BYTES}, and a shorter one. */
    private static final int LENGTH = 1000;
    private static final int BODY = MessageHeaderDecoder.ENCODED_LENGTH;

    private final Member member = member(LENGTH);
    private final FakeSession session = member.session(1);

    @Test
    void shouldChangeOneWordWithEachAppliedRequestOnly()
    {
        final long empty = member.service.stateTable.checksum;
        member.echo(session, 10, 0);
        final long once = member.service.stateTable.checksum;
        member.echo(session, 10, 0);
        member.ordered(session, 10, 7);

        assertThat(once).isNotEqualTo(empty);
        assertThat(member.service.stateTable.checksum).as("repeated, too early").isEqualTo(once);
        assertThat(changedWords()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheChecksumOfAllWords()
    {
        echoSome();
        final long kept = member.service.stateTable.checksum;

        assertThat(member.service.stateTable.restored()).isEqualTo(kept);
    }

    @Test
    void shouldContinueFromASnapshotLikeAMemberThatNeverStopped()
    {
        echoSome();
        final Member restored = restore(member.snapshot(), LENGTH);
        member.echo(session, 10, 100);
        restored.echo(restored.session(1), 10, 100);

        assertThat(restored.snapshot()).isEqualTo(member.snapshot());
        assertThat(member.snapshot()).hasSize(2 + 1 + 3).allMatch(
            (message) -> message.capacity() <= Member.MAX_MESSAGE_BYTES);
    }

    @Test
    void shouldRefuseASnapshotOfAStateOfAnotherLength()
    {
        echoSome();

        assertThatThrownBy(() -> restore(member.snapshot(), 800))
            .isInstanceOf(ClusterException.class)
            .hasMessageContaining("a state of 1000 bytes, this member is configured with echo.state.length=800");
        assertThatThrownBy(() -> restore(Member.leader().snapshot(), 800))
            .hasMessageContaining("0 bytes of state, this member is configured with echo.state.length=800");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedSnapshots")
    void shouldRefuseAMalformedState(final String failure, final Consumer<List<UnsafeBuffer>> damage)
    {
        echoSome();
        final List<UnsafeBuffer> messages = member.snapshot();
        damage.accept(messages);

        assertThatThrownBy(() -> restore(messages, LENGTH))
            .isInstanceOf(ClusterException.class)
            .hasMessageContaining("cannot load the snapshot of the echo service")
            .hasMessageContaining(failure);
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, 7, (1L << 30) + 8})
    void shouldRefuseALengthThatATableCannotHave(final long length)
    {
        assertThat(StateTable.isAllowed(length)).isFalse();
    }

    private static Stream<Arguments> malformedSnapshots()
    {
        final int words = BODY + StateBlockDecoder.BLOCK_LENGTH;
        final int checksum = BODY + StateBlockDecoder.stateChecksumEncodingOffset();
        return Stream.of(
            malformed("offset 480, expected 0", (messages) -> messages.remove(2)),
            malformed("offset 960, expected 480", (messages) -> Collections.swap(messages, 3, 4)),
            malformed("it contains 960 bytes of state", (messages) -> messages.remove(4)),
            malformed("after 0 of 1 clients", (messages) -> messages.remove(1)),
            malformed("of 479 bytes at offset 480", (messages) -> shorten(messages, 3, 1)),
            malformed("offset 960, expected 952", (messages) -> shorten(messages, 3, 8)),
            malformed("computed", (messages) -> messages.get(3).putByte(words + 5, (byte)~messages.get(3).getByte(words + 5))),
            malformed("before that", (messages) -> messages.get(4).putLong(checksum, 9)),
            malformed("it ends before SnapshotEnd", (messages) -> messages.subList(4, 6).clear()));
    }

    private static void shorten(final List<UnsafeBuffer> messages, final int index, final int byBytes)
    {
        messages.set(index, new UnsafeBuffer(messages.get(index), 0, messages.get(index).capacity() - byBytes));
    }

    private static Arguments malformed(final String failure, final Consumer<List<UnsafeBuffer>> damage)
    {
        return Arguments.of(failure, damage);
    }

    private int changedWords()
    {
        final StateTable unchanged = new StateTable(LENGTH);
        int count = 0;
        for (int offset = 0; offset < LENGTH; offset += Long.BYTES)
        {
            count += unchanged.words.getLong(offset) == member.service.stateTable.words.getLong(offset) ? 0 : 1;
        }
        return count;
    }

    private void echoSome()
    {
        for (int sequence = 0; sequence < 50; sequence++)
        {
            member.echo(session, 10, sequence);
        }
    }

    private Member restore(final List<UnsafeBuffer> messages, final int length)
    {
        final Member restored = member(length);
        final SnapshotReader reader = new SnapshotReader(Member.MAX_CLIENTS, restored.service.stateTable);
        messages.forEach((message) -> reader.onFragment(message, 0, message.capacity(), null));
        reader.onEndOfSnapshot();
        restored.service.restore(reader);
        restored.cluster.logPosition = member.cluster.logPosition;
        restored.timestamp = member.timestamp;
        return restored;
    }

    private static Member member(final int length)
    {
        final Member member = Member.leader();
        member.service.stateTable = new StateTable(length);
        return member;
    }
}
