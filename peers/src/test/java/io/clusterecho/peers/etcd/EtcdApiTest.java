package io.clusterecho.peers.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;

import org.junit.jupiter.api.Test;

/**
 * The bytes on the wire, held against a reading and writing of the same by Protobuf itself.
 */
class EtcdApiTest
{
    private static final ByteString KEY = ByteString.copyFromUtf8("cluster-echo");

    @Test
    void shouldPutAMessageAndThenReadTheSameKey() throws IOException
    {
        final ByteString message = ByteString.copyFrom(new byte[300]);
        final UnknownFieldSet transaction =
            UnknownFieldSet.parseFrom(EtcdApi.PUT_AND_GET.streamRequest(message.toByteArray()));

        final ByteString put = message(field(2, message(field(1, KEY), field(2, message))));
        final ByteString range = message(field(1, message(field(1, KEY))));
        assertThat(transaction.asMap()).containsOnlyKeys(2);
        assertThat(transaction.getField(2).getLengthDelimitedList()).containsExactly(put, range);
    }

    @Test
    void shouldTakeTheValueThatTheRangeReadAndSkipTheRest()
    {
        final ByteString value = ByteString.copyFromUtf8("what the store holds");
        final ByteString header = message(number(1, 77), number(2, 78), number(3, 5));
        final ByteString keyValue = message(field(1, KEY), number(2, 1), number(3, 9), number(4, 8), field(5, value));
        final ByteString reply = message(
            field(1, header), number(2, 1), field(3, message(field(2, message(field(1, header))))),
            field(3, message(field(1, message(field(1, header), field(2, keyValue), number(4, 1))))));

        assertThat(EtcdApi.PUT_AND_GET.parseResponse(stream(reply))).isEqualTo(value.toByteArray());
        assertThat(EtcdApi.PUT_AND_GET.parseResponse(stream(message(field(1, header))))).isNull();
        assertThatThrownBy(() -> EtcdApi.PUT_AND_GET.parseResponse(stream(reply.substring(0, reply.size() - 3))))
            .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void shouldKnowTheLeader()
    {
        final ByteString status = message(
            field(1, message(number(1, 77), number(2, -5L))), field(2, ByteString.copyFromUtf8("3.6.16")), number(3, 20_480),
            number(4, -5L), number(5, 11));
        assertThat(EtcdApi.STATUS.parseResponse(stream(status))).isEqualTo(new EtcdApi.Status(-5, -5, "3.6.16"));
        assertThat(new EtcdApi.Status(-5, -5, "").isOfLeader()).isTrue();
        assertThat(new EtcdApi.Status(-5, 4, "").isOfLeader()).isFalse();
        assertThat(new EtcdApi.Status(0, 0, "").isOfLeader()).isFalse();
    }

    private static ByteArrayInputStream stream(final ByteString bytes)
    {
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    private static UnknownFieldSet field(final int number, final ByteString value)
    {
        return UnknownFieldSet.newBuilder().addField(number, Field.newBuilder().addLengthDelimited(value).build()).build();
    }

    private static UnknownFieldSet number(final int number, final long value)
    {
        return UnknownFieldSet.newBuilder().addField(number, Field.newBuilder().addVarint(value).build()).build();
    }

    private static ByteString message(final UnknownFieldSet... fields)
    {
        final UnknownFieldSet.Builder all = UnknownFieldSet.newBuilder();
        for (final UnknownFieldSet one : fields)
        {
            all.mergeFrom(one);
        }
        return all.build().toByteString();
    }
}
