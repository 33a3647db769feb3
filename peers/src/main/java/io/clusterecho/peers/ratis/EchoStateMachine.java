package io.clusterecho.peers.ratis;

import java.util.concurrent.CompletableFuture;

import io.clusterecho.peers.server.Conversation;

import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Echoes the entries of the log. Ratis calls it on one thread. */
final class EchoStateMachine extends BaseStateMachine
{
    private final Conversation conversation = new Conversation();

    @Override
    public CompletableFuture<Message> applyTransaction(final TransactionContext transaction)
    {
        final LogEntryProto entry = transaction.getLogEntry();
        final byte[] reply = conversation.reply(entry.getStateMachineLogEntry().getLogData().toByteArray());
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        final ByteString content = UnsafeByteOperations.unsafeWrap(reply);
        return CompletableFuture.completedFuture(Message.valueOf(content));
    }
}
