package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestEncoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogEntryTest
{
    private static final int SESSION_OFFSET =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderEncoder.clusterSessionIdEncodingOffset();
    private static final int TIMESTAMP_OFFSET =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderEncoder.timestampEncodingOffset();

    private static final int OFFSET = 16;
    private static final long POSITION = 4096;

    private LogEntry entry;

    @Test
    void shouldDecodeAMessage()
    {
        wrap(Entries.message(5, EchoRequestEncoder.TEMPLATE_ID, 77, 8));

        assertKind(EntryKind.SESSION_MESSAGE);
        assertThat(entry.offset()).isEqualTo(OFFSET + Entries.SESSION_HEADER_LENGTH);
        assertThat(entry.length()).isEqualTo(Entries.MESSAGE_LENGTH);
        assertThat(EchoMessage.clientId(entry.buffer(), entry.offset())).isEqualTo(77);
        assertThat(EchoMessage.sequence(entry.buffer(), entry.offset())).isEqualTo(8);
    }

    @Test
    void shouldDecodeEntriesThatAreNotMessages()
    {
        wrap(Entries.open(5));
        assertKind(EntryKind.SESSION_OPEN);
        wrap(Entries.close(5));
        assertKind(EntryKind.SESSION_CLOSE);
        wrap(Entries.timer(5));
        assertKind(EntryKind.TIMER);
        assertThat(entry.statedPosition()).isEqualTo(-1);
        wrap(Entries.action(5, POSITION));
        assertKind(EntryKind.CLUSTER_ACTION);
        assertThat(entry.statedPosition()).isEqualTo(entry.position());
        assertThat(entry.statedStartPosition()).isEqualTo(-1);
        assertThat(entry.leaderMemberId()).isEqualTo(-1);
        wrap(Entries.newTerm(5, 2, POSITION));
        assertKind(EntryKind.NEW_TERM);
        assertThat(entry.leaderMemberId()).isEqualTo(2);
        assertThat(entry.statedPosition()).isEqualTo(entry.position());
        assertThat(entry.statedStartPosition()).isEqualTo(POSITION);
    }

    @Test
    void shouldKeepNothingOfAnEarlierEntry()
    {
        wrap(Entries.newTerm(5, 2, POSITION));
        wrap(new byte[]{ 1, 2, 3 });

        assertOther();
        assertThat(entry.leaderMemberId()).isEqualTo(-1);
        assertThat(entry.statedPosition()).isEqualTo(-1);
        assertThat(entry.statedStartPosition()).isEqualTo(-1);
    }

    @Test
    void shouldNotDecodeWhatIsTooShort()
    {
        for (final byte[] bytes : new byte[][]{
            Entries.message(5, EchoRequestEncoder.TEMPLATE_ID, 77, 8), Entries.close(5), Entries.timer(5),
            Entries.action(5, POSITION), Entries.newTerm(5, 2, POSITION) })
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            final int blockLength = buffer.getShort(0);
            wrap(Arrays.copyOf(bytes, MessageHeaderEncoder.ENCODED_LENGTH + blockLength - 1));
            assertOther();
            buffer.putShort(0, (short)8);
            wrap(bytes);
            assertOther();
        }
        wrap(Arrays.copyOf(Entries.open(5), MessageHeaderEncoder.ENCODED_LENGTH));
        assertOther();
    }

    @Test
    void shouldDecodeAnActionOfAnEarlierVersionThatHadNoFlags()
    {
        final byte[] bytes = Entries.action(5, POSITION);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putShort(0, (short)(buffer.getShort(0) - Integer.BYTES));

        wrap(bytes);

        assertKind(EntryKind.CLUSTER_ACTION);
    }

    @Test
    void shouldNotDecodeAnotherSchemaOrTemplate()
    {
        final byte[] bytes = Entries.timer(5);
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putShort(4, (short)(buffer.getShort(4) + 1));
        wrap(bytes);
        assertOther();

        buffer.putShort(4, (short)(buffer.getShort(4) - 1));
        buffer.putShort(2, (short)9999);
        wrap(bytes);
        assertOther();
    }

    private void assertKind(final EntryKind kind)
    {
        assertThat(entry.kind()).isEqualTo(kind);
        assertThat(entry.termId()).isEqualTo(5);
        assertThat(entry.timestamp()).isEqualTo(EntryKind.NEW_TERM == kind ? Entries.TIMESTAMP : -1);
        assertThat(entry.startPosition()).isEqualTo(POSITION);
    }

    private void assertOther()
    {
        assertThat(entry.kind()).isEqualTo(EntryKind.OTHER);
        assertThat(entry.termId()).isEqualTo(LogEntry.NO_TERM);
        assertThat(entry.timestamp()).isEqualTo(-1);
    }

    private void wrap(final byte[] bytes)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OFFSET + bytes.length]);
        buffer.putBytes(OFFSET, bytes);
        entry = LogEntry.decode(buffer, OFFSET, bytes.length, POSITION, POSITION + Entries.room(bytes));
        assertThat(entry.position()).isEqualTo(POSITION + Entries.room(bytes));
    }

    /** A clock of the cluster in ms, us or ns. */
    @ParameterizedTest
    @CsvSource({
        "1234, 1234", "100000000000000, 100000000000000", "100000000000001, 100000000000", "100000000000000000, 100000000000000",
        "1800000000000000999, 1800000000000" })
    void shouldTakeATimeForOneInMilliseconds(final long timestamp, final long timeMs)
    {
        assertThat(withField(TIMESTAMP_OFFSET, timestamp).timeMs()).isEqualTo(timeMs);
    }

    @Test
    void shouldNotTakeASessionWithoutAnIdForOneOfALoad()
    {
        final AuditedClients clients = AuditedClients.read(List.of(), null, new AuditFindings());
        clients.onSent(1, 0, 0, 1);
        clients.onSent(1, 5, 0, 1);
        clients.isComplete = false;
        assertThat(clients.isOfLoad(withField(SESSION_OFFSET, 5))).isTrue();
        assertThat(clients.isOfLoad(withField(SESSION_OFFSET, 0))).isFalse();
        assertThat(clients.request(withField(SESSION_OFFSET, 0))).isEqualTo(RequestIndex.NONE);
    }

    private static LogEntry withField(final int offset, final long value)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(Entries.message(1, EchoRequestEncoder.TEMPLATE_ID, 7, 0));
        buffer.putLong(offset, value, ByteOrder.LITTLE_ENDIAN);
        return LogEntry.decode(buffer, 0, buffer.capacity(), 0, 128);
    }
}
