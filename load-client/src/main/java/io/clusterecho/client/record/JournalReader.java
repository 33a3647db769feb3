package io.clusterecho.client.record;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.collections.LongLongConsumer;

/**
 * Reads the file of a {@link Journal}, even one that is being written or that ends within a record because its client was
 * killed. For one thread.
 */
public final class JournalReader
{
    private static final int BUFFER_LENGTH = Journal.RECORD_LENGTH << 13;
    private static final long OPEN = -1;

    /** Receives the records of a journal. */
    public interface Handler
    {
        /**
         * A run of messages was sent, each once more. A handler of replies alone does not need it.
         *
         * @param sessionId     low half of the id of their session in the cluster; 0 if there was none, or it was not recorded.
         * @param firstSequence of the first one, 0 or more.
         * @param count         of messages, 1 to {@link Journal#MAX_RUN_LENGTH}.
         */
        default void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
        {
        }

        /**
         * A reply was received.
         *
         * @param sequence      of the message, 0 or more.
         * @param check         of the reply, as an unsigned 32-bit value in an int.
         * @param receiveTimeNs of the reply on the client's clock.
         */
        void onReply(long clientId, long sequence, int check, int templateId, long receiveTimeNs);
    }

    /**
     * Summary of a journal.
     *
     * @param startMs       when it was created, in ms since the epoch.
     * @param endMs         when it was closed, in ms since the epoch; 0 or less if that is not known.
     * @param firstClientId client id of session 0 of the load; 0 if it is not known.
     * @param isClosed      whether it has its closing record: false for a client that is running or was killed.
     * @param droppedCount  dropped records: if more than 0, the journal is incomplete.
     */
    public record Summary(long startMs, long endMs, long firstClientId, boolean isClosed, long droppedCount)
    {
    }

    private final Path file;
    private final Handler handler;
    private final long[] clientIds = new long[Journal.MAX_CLIENTS];
    private int clientCount;
    private long droppedCount;
    private long endMs = OPEN;

    private JournalReader(final Path file, final Handler handler)
    {
        this.file = file;
        this.handler = handler;
    }

    public static Summary read(final Path file, final Handler handler)
    {
        return new JournalReader(file, handler).read();
    }

    /**
     * Read the first reply to each message, in receive order, from a journal that has its closing record and dropped nothing. For
     * any other it is unknown which messages were answered.
     *
     * @param stride        sessions of all clients: message n of the schedule belongs to session n mod stride.
     * @param firstClientId client id of session 0.
     * @param messageCount  of the schedule; replies to later messages are skipped.
     * @param handler       receives the index of each message, and the receive time of its first reply on the client's clock.
     */
    public static void readFirstReplies(
        final Path file,
        final int stride,
        final long firstClientId,
        final long messageCount,
        final LongLongConsumer handler)
    {
        final Ledger.MessageSet answered = new Ledger.MessageSet(messageCount);
        final Summary summary = read(file, (clientId, sequence, check, templateId, receiveTimeNs) ->
        {
            final long index = sequence * stride + clientId - firstClientId;
            if (index >= 0 && index < messageCount && answered.add(index))
            {
                handler.accept(index, receiveTimeNs);
            }
        });
        InvalidSettingException.throwIf(
            !summary.isClosed || summary.droppedCount > 0,
            "journal " + file + ": it is incomplete: " + (summary.isClosed ?
            summary.droppedCount + " records were dropped" : "it has no closing record"));
    }

    private Summary read()
    {
        final ByteBuffer buffer = ByteBuffer.allocate(Journal.HEADER_LENGTH).order(LITTLE_ENDIAN);
        try (InputStream input = new BufferedInputStream(Files.newInputStream(file), BUFFER_LENGTH))
        {
            final int headerLength = input.readNBytes(buffer.array(), 0, Journal.HEADER_LENGTH);
            if (headerLength < Journal.HEADER_LENGTH || buffer.getLong() != Journal.MAGIC)
            {
                throw invalid("it is not a journal");
            }
            final int version = buffer.getInt();
            if (version != Journal.VERSION || buffer.getInt() != Journal.RECORD_LENGTH)
            {
                throw invalid("its version is " + version + ", this program reads " + Journal.VERSION);
            }

            final long startMs = buffer.getLong();
            final long firstClientId = buffer.getLong();
            long position = Journal.HEADER_LENGTH;
            while (Journal.RECORD_LENGTH == input.readNBytes(buffer.array(), 0, Journal.RECORD_LENGTH))
            {
                onRecord(buffer, position);
                position += Journal.RECORD_LENGTH;
            }

            return new Summary(startMs, endMs, firstClientId, OPEN != endMs, droppedCount);
        }
        catch (final IOException ex)
        {
            throw invalid("it cannot be read (" + Cause.of(ex) + ")");
        }
    }

    private void onRecord(final ByteBuffer record, final long position)
    {
        if (OPEN != endMs)
        {
            throw invalid("a record follows the closing record at byte " + position);
        }

        final byte type = record.get(0);
        final int templateId = record.get(1) & 0xFF;
        final int clientIndex = record.getShort(2) & 0xFFFF;
        final int check = record.getInt(4);
        final long first = record.getLong(8);
        final long second = record.getLong(16);
        switch (type)
        {
            case Journal.CLIENT ->
            {
                checkRecord(clientIndex == clientCount, position);
                clientIds[clientCount++] = first;
            }
            case Journal.SENT ->
            {
                checkRecord(
                    clientIndex < clientCount && first >= 0 && second >= 1 && second <= Journal.MAX_RUN_LENGTH &&
                    first <= Long.MAX_VALUE - second, position);
                handler.onSent(clientIds[clientIndex], check, first, second);
            }
            case Journal.REPLY ->
            {
                checkRecord(clientIndex < clientCount && first >= 0, position);
                handler.onReply(clientIds[clientIndex], first, check, templateId, second);
            }
            case Journal.DROPPED -> droppedCount = second;
            case Journal.END -> endMs = first;
            default -> checkRecord(false, position);
        }
    }

    private void checkRecord(final boolean isAllowed, final long position)
    {
        if (!isAllowed)
        {
            throw invalid("it is damaged at byte " + position);
        }
    }

    private InvalidSettingException invalid(final String reason)
    {
        return new InvalidSettingException("journal " + file + ": " + reason);
    }
}
