package io.clusterecho.peers.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;

import com.esotericsoftware.kryo.io.Output;
import com.google.protobuf.CodedOutputStream;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.peers.Prices;
import io.clusterecho.schema.peers.MessageHeaderDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceStreamTest
{
    private static final int COUNT = 5;
    private static final long WRONG_SEQUENCE = 3;

    @ParameterizedTest
    @CsvSource({ "-1, 0", "0, 1", "8, 1", "12, 1", "16, 1", "20, 1", "24, 1" })
    void shouldCountAPriceWithAWrongFieldAsWrong(final int offsetInContent, final int expected)
    {
        final PriceStream.Figures outcome =
            new PriceStream(new Sender(offsetInContent), COUNT).run(NoOpIdleStrategy.INSTANCE).figures();
        assertThat(outcome.count()).isEqualTo(COUNT);
        assertThat(outcome.wrong()).isEqualTo(expected);
    }

    @Test
    void shouldStateTheRowsOfTheReports()
    {
        final Map<String, Long> times = new PriceStream(new Sender(-1), 1_000).run(NoOpIdleStrategy.INSTANCE).figures()
            .sinceRequestNs();
        assertThat(times.keySet()).containsExactly(
            "p0", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95", "p99", "p99.9", "p99.99", "max");
        assertThat(times.values().stream().filter(Objects::nonNull)).isSorted().hasSize(13);
        assertThat(times).as("one value beyond").containsEntry("p99.9", null);
    }

    @Test
    void shouldHaveALongOfEightBytesAsATimestampHas()
    {
        for (final long sequence : new long[]{ 0, 100_000_000 })
        {
            assertThat(CodedOutputStream.computeInt64SizeNoTag(Prices.timestampNs(sequence))).isEqualTo(8);
            assertThat(new Output(16).writeLong(Prices.timestampNs(sequence), false)).isEqualTo(8);
        }
    }

    /** Sends prices, one of them with a changed byte. */
    private static final class Sender implements Transport
    {
        private final UnsafeBuffer price = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
        private final int wrongOffset;
        private long count;
        private long sequence;

        Sender(final int wrongOffset)
        {
            this.wrongOffset = wrongOffset;
        }

        @Override
        public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
        {
            count = Prices.requested(message, offset, length);
            return SendResult.SENT;
        }

        @Override
        public int poll(final ResponseHandler responseHandler, final int limit)
        {
            if (sequence == count)
            {
                return 0;
            }

            new Prices.Writer().write(sequence, price, 0);
            if (WRONG_SEQUENCE == sequence && wrongOffset >= 0)
            {
                final int index = MessageHeaderDecoder.ENCODED_LENGTH + wrongOffset;
                price.putByte(index, (byte)(price.getByte(index) ^ 1));
            }
            sequence++;
            responseHandler.onResponse(price, 0, Prices.ENCODED_LENGTH, System.nanoTime());
            return 1;
        }

        @Override
        public void connect(final long timeoutNs)
        {
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            return SendResult.DISCONNECTED;
        }

        @Override
        public void close()
        {
        }
    }
}
