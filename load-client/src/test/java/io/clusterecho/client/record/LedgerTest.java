package io.clusterecho.client.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LedgerTest
{
    @Test
    void shouldTellAFirstReplyFromAFurtherOne()
    {
        final Ledger ledger = new Ledger(200_000_000L, 16, 1);
        for (final long index : new long[]{ 0, 1, 63, 64, 67_108_863, 67_108_864, 199_999_999 })
        {
            assertThat(ledger.isAnswered(index)).isFalse();
            assertThat(ledger.onAnswered(index)).isTrue();
            assertThat(ledger.onAnswered(index)).isFalse();
            assertThat(ledger.isAnswered(index)).isTrue();
        }
        assertThat(ledger.isAnswered(2)).isFalse();
        assertThatThrownBy(() -> ledger.onAnswered(200_000_000L)).isInstanceOf(ArrayIndexOutOfBoundsException.class);
    }

    @Test
    void shouldSayThatASendTimeIsUnknownOnceANewerMessageTookItsPlace()
    {
        final Ledger ledger = new Ledger(100, 16, 1);
        ledger.onSent(3, 1_000, false);
        assertThat(ledger.sendTimeNs(3)).isEqualTo(1_000);
        assertThat(ledger.sendTimeNs(19)).isEqualTo(Ledger.UNKNOWN);
        ledger.onSent(19, 2_000, false);
        assertThat(ledger.sendTimeNs(3)).isEqualTo(Ledger.UNKNOWN);
        assertThat(ledger.sendTimeNs(19)).isEqualTo(2_000);
    }

    @Test
    void shouldKnowWhichMessagesTheTransportHeldUp()
    {
        final Ledger ledger = new Ledger(100, 16, 1);
        assertThat(ledger.isHeldUp(0)).isFalse();
        ledger.onSent(3, 1_000, true);
        ledger.onSent(4, 1_000, false);
        assertThat(ledger.isHeldUp(3)).isTrue();
        assertThat(ledger.isHeldUp(4)).isFalse();
        assertThat(ledger.isHeldUp(19)).isFalse();
        ledger.onSent(19, 2_000, true);
        assertThat(ledger.isHeldUp(3)).isFalse();
        assertThat(ledger.isHeldUp(19)).isTrue();
    }

    @Test
    void shouldNotKnowASendTimeBeforeAnythingWasSent()
    {
        assertThat(new Ledger(100, 16, 1).sendTimeNs(0)).isEqualTo(Ledger.UNKNOWN);
    }

    @Test
    void shouldTellAMessageAppliedOnceFromOneAppliedTwice()
    {
        final Ledger ledger = new Ledger(100, 16, 1);
        assertThat(ledger.onReply(0, 7)).isTrue();
        assertThat(ledger.isAnswered(7)).isFalse();
        assertThat(ledger.onReply(0, 7)).isFalse();
        assertThat(ledger.onReply(0, 8)).isTrue();
    }

    @Test
    void shouldHaveRoomForItsMessagesAndRoundTheNewestUp()
    {
        final Ledger ledger = new Ledger(100, 9, 1);
        assertThat(ledger.onAnswered(99)).isTrue();
        for (long index = 0; index < 17; index++)
        {
            ledger.onSent(index, 1_000 + index, false);
        }
        assertThat(ledger.sendTimeNs(1)).isEqualTo(1_001);
        assertThat(ledger.sendTimeNs(0)).isEqualTo(Ledger.UNKNOWN);
    }
}
