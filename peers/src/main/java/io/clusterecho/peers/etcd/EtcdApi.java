package io.clusterecho.peers.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.peers.etcd.api.KeyValue;
import io.clusterecho.peers.etcd.api.PutRequest;
import io.clusterecho.peers.etcd.api.RangeRequest;
import io.clusterecho.peers.etcd.api.RequestOp;
import io.clusterecho.peers.etcd.api.ResponseOp;
import io.clusterecho.peers.etcd.api.StatusResponse;
import io.clusterecho.peers.etcd.api.TxnRequest;
import io.clusterecho.peers.etcd.api.TxnResponse;

/** The requests and responses of an echo by etcd, see {@code etcd.proto}. */
final class EtcdApi
{
    private static final ByteString KEY = ByteString.copyFromUtf8("cluster-echo");
    private static final RequestOp GET =
        RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(KEY)).build();

    private EtcdApi()
    {
    }

    /** A transaction that puts a message and then reads it back. */
    static TxnRequest putAndGet(final byte[] message)
    {
        final PutRequest.Builder put =
            PutRequest.newBuilder().setKey(KEY).setValue(UnsafeByteOperations.unsafeWrap(message));
        return TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestPut(put)).addSuccess(GET).build();
    }

    /** A copy of the value that a transaction read; null if it read none. */
    static byte[] valueOf(final TxnResponse response)
    {
        for (final ResponseOp one : response.getResponsesList())
        {
            for (final KeyValue keyValue : one.getResponseRange().getKvsList())
            {
                return keyValue.getValue().toByteArray();
            }
        }

        return null;
    }

    /** Whether the member that answers is the leader. */
    static boolean isOfLeader(final StatusResponse status)
    {
        return 0 != status.getLeader() && status.getHeader().getMemberId() == status.getLeader();
    }
}
