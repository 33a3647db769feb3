package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.failover.audit.AuditedClient.Fact;

import org.junit.jupiter.api.Test;

class AuditedClientTest
{
    /** Beyond the first page of messages. */
    private static final long LATE = 100_000;

    private final AuditedClient client = new AuditedClient(7);

    @Test
    void shouldVisitWhatWasSentInAscendingOrder()
    {
        client.onSent(LATE);
        client.onSent(0);
        client.onSent(LATE);
        client.onReply(LATE + 1, 1, true);
        final List<Long> sent = new ArrayList<>();
        client.forEachSent(sent::add);
        assertThat(sent).containsExactly(0L, LATE, LATE + 1);
        assertThat(client.sendCount(LATE)).isEqualTo(2);
        assertThat(client.sendCount(LATE + 1)).as("the send is not in the journal").isEqualTo(1);
    }

    @Test
    void shouldKeepTheCountsOfAMessageWhenAReplyComes()
    {
        client.onSent(5);
        client.onCopy(5);
        client.onCopy(5);
        assertThat(client.onReply(5, -3, true)).isFalse();
        assertThat(client.onReply(5, 4, false)).isFalse();
        assertThat(client.check(5)).isEqualTo(4);
        assertThat(client.sendCount(5)).isEqualTo(1);
        assertThat(client.copyCount(5)).isEqualTo(2);
        assertThat(client.onReply(5, 4, true)).as("applied twice").isTrue();
    }

    @Test
    void shouldKeepWhatASnapshotHas()
    {
        client.hasJournal = true;
        for (int i = 0; i < 4; i++)
        {
            client.onApplied(i);
        }
        client.checksum = 99;
        client.keep(1);
        assertThat(List.of(client.is(1, Fact.APPLIED), client.is(2, Fact.APPLIED), client.is(3, Fact.APPLIED)))
            .containsExactly(true, false, false);
        assertThat(client.lastSequence).isEqualTo(1);
        assertThat(client.appliedCount).isEqualTo(4);
        assertThat(client.checksum).isEqualTo(99);

        client.keep(AuditedClient.NO_SEQUENCE);
        assertThat(client.is(0, Fact.APPLIED)).isFalse();
        assertThat(client.appliedCount).isZero();
        assertThat(client.checksum).isZero();
    }

    @Test
    void shouldRememberTheFirstPositionOfWhatWasTooEarly()
    {
        client.onTooEarly(3, 640);
        client.onTooEarly(2, 320);
        client.onTooEarly(3, 960);
        assertThat(client.tooEarlyPositions.get(3)).isEqualTo(640);
        assertThat(client.firstTooEarlyPosition()).isEqualTo(320);
        client.onApplied(2);
        assertThat(client.firstTooEarlyPosition()).isEqualTo(640);
    }

    @Test
    void shouldVisitTheFirstMessageOfAPageOnce()
    {
        final int pageLength = 4096;
        client.onSent(pageLength);
        client.onSent(0);
        final List<Long> sent = new ArrayList<>();
        client.forEachSent(sent::add);
        assertThat(sent).containsExactly(0L, (long)pageLength);
    }

    @Test
    void shouldCountUpTo255()
    {
        for (int i = 0; i < 300; i++)
        {
            client.onSent(1);
        }
        assertThat(client.sendCount(1)).isEqualTo(255);
        assertThat(client.copyCount(1)).isZero();
    }

    @Test
    void shouldRememberABoundedNumberOfWhatWasTooEarly()
    {
        for (int i = 0; i < 100_001; i++)
        {
            client.onTooEarly(i, 64L * i);
        }
        assertThat(client.tooEarlyPositions).hasSize(100_000);
    }
}
