package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;

import io.clusterecho.peers.etcd.api.KVGrpc;
import io.clusterecho.peers.etcd.api.MaintenanceGrpc;
import io.clusterecho.peers.etcd.api.StatusResponse;

import io.grpc.StatusRuntimeException;

import org.junit.jupiter.api.Test;

/** Compares encoded fields by number, so that a wrong number in {@code etcd.proto} fails. */
class EtcdApiTest
{
    private static final ByteString KEY = ByteString.copyFromUtf8("cluster-echo");

    @Test
    void shouldNameTheCallsAsEtcdDoes()
    {
        assertThat(KVGrpc.getTxnMethod().getFullMethodName()).isEqualTo("etcdserverpb.KV/Txn");
        assertThat(MaintenanceGrpc.getStatusMethod().getFullMethodName()).isEqualTo("etcdserverpb.Maintenance/Status");
    }

    @Test
    void shouldPutAMessageAndThenReadTheSameKey() throws IOException
    {
        final byte[] message = new byte[300];
        Arrays.fill(message, (byte)7);
        final UnknownFieldSet transaction =
            UnknownFieldSet.parseFrom(KVGrpc.getTxnMethod().streamRequest(EtcdPeer.Session.putAndGet(message)));

        final ByteString put = message(field(2, message(field(1, KEY), field(2, ByteString.copyFrom(message)))));
        final ByteString range = message(field(1, message(field(1, KEY))));
        assertThat(transaction.asMap()).containsOnlyKeys(2);
        assertThat(transaction.getField(2).getLengthDelimitedList()).containsExactly(put, range);
    }

    @Test
    void shouldReturnTheValueOfTheRangeAndSkipTheRest()
    {
        final ByteString value = ByteString.copyFromUtf8("what the store holds");
        final ByteString header = message(number(1, 77), number(2, 78), number(3, 5));
        final ByteString keyValue = message(field(1, KEY), number(2, 1), number(3, 9), number(4, 8), field(5, value));
        final ByteString reply = message(
            field(1, header), number(2, 1), field(3, message(field(2, message(field(1, header))))),
            field(3, message(field(1, message(field(1, header), field(2, keyValue), number(4, 1))))));

        assertThat(valueOf(reply)).isEqualTo(value.toByteArray());
        assertThat(valueOf(message(field(1, header)))).isNull();
        assertThatThrownBy(() -> valueOf(reply.substring(0, reply.size() - 3))).isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void shouldKnowTheLeader()
    {
        final StatusResponse leader = status(-5, -5);
        assertThat(leader.getVersion()).isEqualTo("3.6.16");
        assertThat(leader.getLeader()).isEqualTo(-5);
        assertThat(EtcdPeer.isOfLeader(leader)).isTrue();
        assertThat(EtcdPeer.isOfLeader(status(-5, 4))).isFalse();
        assertThat(EtcdPeer.isOfLeader(status(0, 0))).isFalse();
    }

    private static byte[] valueOf(final ByteString reply)
    {
        return EtcdPeer.Session.valueOf(KVGrpc.getTxnMethod().parseResponse(reply.newInput()));
    }

    private static StatusResponse status(final long memberId, final long leaderId)
    {
        return MaintenanceGrpc.getStatusMethod().parseResponse(message(
            field(1, message(number(1, 77), number(2, memberId))), field(2, ByteString.copyFromUtf8("3.6.16")),
            number(3, 20_480), number(4, leaderId), number(5, 11)).newInput());
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
