package io.clusterecho.client.record;

import java.nio.file.Path;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Reads the first reply to each message from a journal, in the order in which they came. For one thread.
 */
public final class FirstReplies implements JournalReader.Handler
{
    private final long stride;
    private final long firstClientId;
    private final long messageCount;
    private final Handler handler;
    private final MessageSet answered;

    /**
     * Takes the replies.
     */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * A message was answered for the first time.
         *
         * @param index         of the message in the schedule.
         * @param receiveTimeNs of the reply on the client's clock.
         */
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
     * Read a journal that has its closing record and dropped nothing: of any other it is not known which messages were
     * answered.
     *
     * @param journalFile   to read.
     * @param stride        sessions of all clients: message n of the schedule belongs to session n mod stride.
     * @param firstClientId client id of session 0.
     * @param messageCount  of the schedule; replies to messages beyond it are left out.
     * @param handler       of the replies.
     * @throws InvalidSettingException if the file cannot be read, is damaged, or is not whole.
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
            throw new InvalidSettingException("journal " + journalFile + ": it is not whole: " + (summary.isClosed() ?
                summary.droppedCount() + " records found no room" : "it has no closing record"));
        }
    }

    @Override
    public void onSent(final long clientId, final long firstSequence, final long count)
    {
        // When a message was sent does not matter: its response time counts from when it was due.
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
