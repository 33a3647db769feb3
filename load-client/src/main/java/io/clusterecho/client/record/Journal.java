package io.clusterecho.client.record;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.settings.Io;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.BitUtil;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * What a client sent and which replies it received, in a file that an audit compares with the cluster's log. One file per run,
 * newly created and only appended to.
 * <p>
 * The thread that sends and receives calls {@link #onSent} and {@link #onReply}: they copy a few words into a preallocated ring
 * and neither block nor allocate. A thread of the journal writes the file, at least every {@link #FLUSH_INTERVAL_MS} ms.
 * Records that do not fit into the ring are counted, and the count is written, so that an audit reports an incomplete journal.
 * Another thread may {@link #close()} it after the first one has ended. If the disk fails, the file ends but not the run: see
 * {@link #problems()}.
 * <p>
 * A journal without its closing record belongs to a client that is running or was killed, or the disk failed. The records of
 * the last {@link #FLUSH_INTERVAL_MS} ms, or since the disk failed, may be missing.
 * <p>
 * Layout, version 1, little endian: a header of 32 bytes, then records of 24 bytes each. What earlier builds did not know is 0.
 * <pre>
 *   header   0        8         12              16                24                     32
 *            +========+=========+===============+=================+======================+
 *            | magic  | version | record length | start, epoch ms | client id, session 0 |
 *            +========+=========+===============+=================+======================+
 *
 *   record   0      1          2              4       8                16               24
 *            +======+==========+==============+=======+================+================+
 *            | type | template | client index | check | first value    | second value   |
 *            +======+==========+==============+=======+================+================+
 *   CLIENT   declares the client index            client id         -
 *   SENT     a run of messages, each sent once    first sequence    count of messages
 *   REPLY    template and check of the reply      sequence          receive time in ns
 *   DROPPED                                       -                 dropped records, in all
 *   END      the journal is complete                 end, epoch ms     -
 * </pre>
 * A message that was sent once and answered once takes 24 bytes and its share of a SENT record, whose check is the low half of
 * the id of the cluster's session that all its messages were sent in.
 * <p>
 * Of messages of another service than the echo, a REPLY is the first one of its kind to a request: the template is the index of
 * the kind, and the check is 0.
 */
public final class Journal implements IntervalListener
{
    /** Longest delay in ms before a record is written. */
    public static final long FLUSH_INTERVAL_MS = 100;

    /** Default length in bytes of the ring between the two threads: about 400,000 records. */
    public static final int DEFAULT_RING_LENGTH = 16 << 20;

    static final long MAGIC = 0x4c414e52554f4a45L;
    static final int VERSION = 1;
    static final int HEADER_LENGTH = 32;
    static final int RECORD_LENGTH = 24;
    static final int MAX_CLIENTS = 1 << 16;
    /** Messages of a SENT record: what one damaged record can make a reader allocate is bounded. */
    static final int MAX_RUN_LENGTH = 1 << 24;

    static final byte CLIENT = 1;
    static final byte SENT = 2;
    static final byte REPLY = 3;
    static final byte DROPPED = 4;
    static final byte END = 5;

    private static final int MESSAGE_LENGTH = 32;
    private static final int CLIENT_ID_OFFSET = 0;
    private static final int SEQUENCE_OFFSET = 8;
    private static final int TIME_OFFSET = 16;
    private static final int CHECK_OFFSET = 24;
    private static final int TEMPLATE_OFFSET = 28;
    private static final int BUFFER_LENGTH = 1 << 18;
    private static final int READ_LIMIT = 4096;
    /** A hundred wake-ups a second at most: the thread shares its core with those that carry messages where cores are few. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final RingBuffer ring;
    private final EvidenceFile evidence;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH).order(LITTLE_ENDIAN);
    private final Long2ObjectHashMap<Client> clients = new Long2ObjectHashMap<>();
    private final MessageHandler handler = this::onMessage;
    private final Thread writer;
    private volatile boolean isClosing;
    private volatile long droppedCount;
    private volatile Throwable failure;

    /** Create a journal on the file system, with a ring of {@link #DEFAULT_RING_LENGTH}; the file must not exist. */
    public Journal(final Path file, final long firstClientId)
    {
        this(file, firstClientId, DEFAULT_RING_LENGTH, Disk.FILE_SYSTEM);
    }

    /**
     * Create a journal.
     *
     * @param file          to create; it must not exist.
     * @param firstClientId client id of session 0 of the load.
     * @param ringLength    in bytes between the two threads, from 1024; rounded up to a power of two.
     * @throws UncheckedIOException if the file cannot be created.
     */
    public Journal(final Path file, final long firstClientId, final int ringLength, final Disk disk)
    {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(1024, ringLength));
        ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
        Io.run("cannot create the journal " + file, () -> Files.createFile(file));
        final ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(LITTLE_ENDIAN)
            .putLong(MAGIC)
            .putInt(VERSION)
            .putInt(RECORD_LENGTH)
            .putLong(System.currentTimeMillis())
            .putLong(firstClientId);
        evidence = new EvidenceFile(disk, file, file.getFileName().toString(), header.array());

        writer = new Thread(this::write, "journal-writer");
        writer.setDaemon(true);
        writer.start();
    }

    /** A message was handed to the transport, for the first time or again, in this session. For the sending thread only. */
    public void onSent(final long clientId, final long sequence, final long sessionId)
    {
        add(SENT, clientId, sequence, 0, (int)sessionId, 0);
    }

    /**
     * A reply was received, the first or a further one. For the sending thread only.
     *
     * @param sequence      of the message, from 0.
     * @param check         of the reply, as an unsigned 32-bit value in an int.
     * @param templateId    of the reply: whether the message was applied now or before.
     * @param receiveTimeNs of the reply on the client's clock.
     */
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        add(REPLY, clientId, sequence, receiveTimeNs, check, templateId);
    }

    /** Its own thread writes the records. */
    @Override
    public void onInterval(final RunInterval interval)
    {
    }

    /** Records that did not fit into the ring. Any thread. */
    public long droppedCount()
    {
        return droppedCount;
    }

    @Override
    public List<String> problems()
    {
        final List<String> problems = new ArrayList<>(evidence.problems());
        final long count = droppedCount;
        if (count > 0)
        {
            problems.add(String.format(Locale.ROOT, "%s is incomplete: %,d records were dropped", evidence.name(), count));
        }
        final Throwable ex = failure;
        if (null != ex)
        {
            problems.add(evidence.name() + " is incomplete: " + ex);
        }

        return problems;
    }

    /**
     * Write the remaining records and the closing record, after the last one was added. Failures are in {@link #problems()}.
     * Interrupts do not cut it short.
     */
    @Override
    public void close()
    {
        isClosing = true;
        LockSupport.unpark(writer);
        Uninterrupted.join(writer);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void add(
        final byte type, final long clientId, final long sequence, final long timeNs, final int check, final int templateId)
    {
        final int index = ring.tryClaim(type, MESSAGE_LENGTH);
        if (index < 0)
        {
            // Only one thread writes it.
            droppedCount = droppedCount + 1;
            return;
        }

        ring.buffer().putLong(index + CLIENT_ID_OFFSET, clientId);
        ring.buffer().putLong(index + SEQUENCE_OFFSET, sequence);
        ring.buffer().putLong(index + TIME_OFFSET, timeNs);
        ring.buffer().putInt(index + CHECK_OFFSET, check);
        ring.buffer().putInt(index + TEMPLATE_OFFSET, templateId);
        ring.commit(index);
    }

    private void write()
    {
        try (evidence)
        {
            final long intervalNs = TimeUnit.MILLISECONDS.toNanos(FLUSH_INTERVAL_MS) - IDLE_NS;
            long flushTimeNs = System.nanoTime();
            long writtenDroppedCount = 0;
            boolean isLast;
            do
            {
                // In this order: nothing is added once the journal is closing. A read that returns 0 may only have skipped the
                // padding at the end of the ring, so the ring's positions show whether it is empty.
                isLast = isClosing && 0 == ring.size();
                final int count = ring.read(handler, READ_LIMIT);
                final long nowNs = System.nanoTime();
                if (isLast || nowNs - flushTimeNs >= intervalNs)
                {
                    writtenDroppedCount = endInterval(writtenDroppedCount);
                    flushTimeNs = nowNs;
                }
                if (0 == count && !isLast)
                {
                    LockSupport.parkNanos(this, IDLE_NS);
                }
            }
            while (!isLast);

            put(END, 0, 0, 0, System.currentTimeMillis(), 0);
            flush();
        }
        catch (final Throwable ex)
        {
            // From now on the ring fills up, and records that do not fit are counted.
            failure = ex;
        }
    }

    private long endInterval(final long writtenDroppedCount)
    {
        for (final Client client : clients.values())
        {
            putSent(client);
        }

        final long count = droppedCount;
        if (count != writtenDroppedCount)
        {
            put(DROPPED, 0, 0, 0, 0, count);
        }
        flush();
        return count;
    }

    private void onMessage(
        final int type, final org.agrona.MutableDirectBuffer source, final int offset, final int length)
    {
        final Client client = client(source.getLong(offset + CLIENT_ID_OFFSET));
        final long sequence = source.getLong(offset + SEQUENCE_OFFSET);
        final int check = source.getInt(offset + CHECK_OFFSET);
        if (SENT == type)
        {
            if (sequence != client.firstSent + client.sentCount || MAX_RUN_LENGTH == client.sentCount ||
                check != client.sessionId)
            {
                putSent(client);
                client.firstSent = sequence;
                client.sessionId = check;
            }
            client.sentCount++;
        }
        else
        {
            put(
                REPLY, source.getInt(offset + TEMPLATE_OFFSET), client.index, check, sequence,
                source.getLong(offset + TIME_OFFSET));
        }
    }

    private Client client(final long clientId)
    {
        Client client = clients.get(clientId);
        if (null == client)
        {
            if (MAX_CLIENTS == clients.size())
            {
                throw new IllegalStateException("more than " + MAX_CLIENTS + " clients in one journal");
            }
            put(CLIENT, 0, clients.size(), 0, clientId, 0);
            client = new Client(clients.size());
            clients.put(clientId, client);
        }
        return client;
    }

    private void putSent(final Client client)
    {
        if (client.sentCount > 0)
        {
            put(SENT, 0, client.index, client.sessionId, client.firstSent, client.sentCount);
            client.firstSent += client.sentCount;
            client.sentCount = 0;
        }
    }

    private void put(
        final byte type, final int templateId, final int clientIndex, final int check, final long first, final long second)
    {
        if (buffer.remaining() < RECORD_LENGTH)
        {
            flush();
        }
        buffer.put(type).put((byte)templateId).putShort((short)clientIndex).putInt(check).putLong(first).putLong(second);
    }

    private void flush()
    {
        evidence.append(buffer.array(), buffer.position(), RECORD_LENGTH);
        buffer.clear();
    }

    private static final class Client
    {
        private final int index;
        private int sessionId;
        private long firstSent;
        private long sentCount;

        private Client(final int index)
        {
            this.index = index;
        }
    }
}
