package io.clusterecho.client.record;

import java.nio.file.Path;

import io.clusterecho.settings.InvalidSettingException;

/** Reads the first reply to each message from a journal, in receive order. For one thread. */
public final class FirstReplies implements JournalReader.Handler
{
    private final long stride;
    private final long firstClientId;
    private final long messageCount;
    private final Handler handler;
    private final MessageSet answered;

    /** Receives the replies. */
    @FunctionalInterface
    public interface Handler
    {
        /** A message of the schedule was answered for the first time, at a time on the client's clock. */
        void onFirstReply(long index, long receiveTimeNs);
    }

    private FirstReplies(
        final int stride, final long firstClientId, final long messageCount, final Handler handler)
    {
        this.stride = stride;
        this.firstClientId = firstClientId;
        this.messageCount = messageCount;
        this.handler = handler;
        answered = new MessageSet(messageCount);
    }

    /**
     * Read a journal that has its closing record and dropped nothing. For any other it is unknown which messages were answered.
     *
     * @param stride        sessions of all clients: message n of the schedule belongs to session n mod stride.
     * @param firstClientId client id of session 0.
     * @param messageCount  of the schedule; replies to later messages are skipped.
     */
    public static void readWhole(
        final Path journalFile,
        final int stride,
        final long firstClientId,
        final long messageCount,
        final Handler handler)
    {
        final JournalReader.Summary summary =
            JournalReader.read(journalFile, new FirstReplies(stride, firstClientId, messageCount, handler));
        if (!summary.isClosed() || summary.droppedCount() > 0)
        {
            throw new InvalidSettingException("journal " + journalFile + ": it is incomplete: " + (summary.isClosed() ?
                summary.droppedCount() + " records were dropped" : "it has no closing record"));
        }
    }

    @Override
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        final long index = sequence * stride + clientId - firstClientId;
        if (index >= 0 && index < messageCount && answered.add(index))
        {
            handler.onFirstReply(index, receiveTimeNs);
        }
    }
}
