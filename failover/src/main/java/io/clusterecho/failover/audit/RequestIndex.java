package io.clusterecho.failover.audit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.run.CodecConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2LongHashMap;

/**
 * The requests of a load for a service other than the echo: encodes again those that were sent, and finds which of them a message
 * in a log is, by a hash of its bytes. Takes at most {@link #BYTES_PER_REQUEST} bytes of heap a request. Not thread-safe.
 */
public final class RequestIndex
{
    /** Of messages of a service of which nothing is known. */
    public static final RequestIndex UNKNOWN = new RequestIndex(null, 0);

    static final long NONE = -1;

    private static final float LOAD_FACTOR = Hashing.DEFAULT_LOAD_FACTOR;
    /** A key and a value of 8 bytes each, in a table whose length is a power of two and that is full up to the load factor. */
    private static final long BYTES_PER_REQUEST = 64;

    private final MessageCodec codec;
    private final int sessionCount;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final CRC32 ofFirstHalf = new CRC32();
    private final CRC32C ofSecondHalf = new CRC32C();
    private byte[] bytes = new byte[0];
    private Long2LongHashMap numbers = new Long2LongHashMap(NONE);
    private long firstClientId;

    /** Of a codec after its {@code init}; request n is message n / sessionCount of session n mod sessionCount. */
    RequestIndex(final MessageCodec codec, final int sessionCount)
    {
        this.codec = codec;
        this.sessionCount = sessionCount;
    }

    /** Of the run in whose result folder the first journal is; null if there is none or it had the messages of the echo. */
    static RequestIndex of(final List<Path> journals)
    {
        final Path folder = journals.isEmpty() ? null : journals.get(0).toAbsolutePath().getParent();
        if (null == folder || !Files.exists(folder.resolve(DocumentKind.RUN.fileName())))
        {
            return null;
        }
        final JsonNode options = RunDocument.read(folder).path("configuration");
        final String messages = options.path("messages").asText();
        InvalidSettingException.throwIf(
            !messages.isEmpty() && !options.has(Target.FOLDER), "--journal", journals.get(0), "a journal of this build");
        final String assignments = options.path("messages-set").asText();
        final String classPath = options.path("class-path").asText(null);
        // Relative paths are those of the folder in which the run was started.
        final Path base = Path.of(options.path(Target.FOLDER).asText());
        return messages.isEmpty() ? null : of(options.path("seed").asLong(), options.path("connections").asInt(), new CodecConfig(
            Files.isRegularFile(base.resolve(messages)) ? base.resolve(messages).toString() : messages,
            assignments.isEmpty() ? List.of() : List.of(assignments.split(Target.NEXT_SETTING)),
            null == classPath ? null : Stream.of(classPath.split(File.pathSeparator)).map((path) -> base.resolve(path).toString())
            .collect(Collectors.joining(File.pathSeparator)), options.path("messages-digest").asText(null), null, null, null));
    }

    /** An index of no requests yet, of a load with so many sessions; null if that has the messages of the echo. */
    public static RequestIndex of(final long seed, final int sessionCount, final CodecConfig codec)
    {
        return codec.isGiven() ? new RequestIndex(codec.load(seed).newCodec(seed), sessionCount) : null;
    }

    /** Check that the heap has room for so many requests. */
    public static void checkMemory(final long count)
    {
        final long neededBytes = BYTES_PER_REQUEST * count;
        final long availableBytes = Runtime.getRuntime().maxMemory() / 2;
        InvalidSettingException.throwIf(
            neededBytes > availableBytes, "the audit of " + count + " requests needs up to " + neededBytes +
            " bytes of heap, half of it has " + availableBytes + ": give this command more, as in java -Xmx" +
            ((2 * neededBytes >> 30) + 1) + "g -jar load-client.jar");
    }

    /** @throws InvalidSettingException if two requests have the same bytes, or there are too many for the heap. */
    void add(final AuditedClients clients, final long clientIdOfFirstSession)
    {
        checkMemory(clients.attemptCount);
        numbers = new Long2LongHashMap((int)(clients.attemptCount / LOAD_FACTOR) + 8, LOAD_FACTOR, NONE);
        firstClientId = clientIdOfFirstSession;
        for (final AuditedClient client : clients.all())
        {
            final long session = client.clientId - firstClientId;
            InvalidSettingException.throwIf(
                session < 0 || session >= sessionCount, "the journals are not of one run of " + sessionCount +
                " sessions: give those of one run");
            client.forEachSent((sequence) -> add(sequence * sessionCount + session));
        }
    }

    private void add(final long number)
    {
        final long other = numbers.put(hash(buffer, 0, codec.encode(number, buffer, 0)), number);
        if (NONE != other)
        {
            throw new InvalidSettingException(
                "--messages", codec.getClass().getName(),
                "a class whose requests all differ: requests " + other + " and " + number + " have the same bytes");
        }
    }

    /** Number of the request that a message is, or {@link #NONE}. */
    long find(final DirectBuffer message, final int offset, final int length)
    {
        return numbers.get(hash(message, offset, length));
    }

    long clientId(final long number)
    {
        return firstClientId + number % sessionCount;
    }

    long sequence(final long number)
    {
        return number / sessionCount;
    }

    /** Two checksums of 32 bits: messages that differ only within 8 bytes in a row never have the same. */
    private long hash(final DirectBuffer message, final int offset, final int length)
    {
        bytes = bytes.length < length ? new byte[length] : bytes;
        message.getBytes(offset, bytes, 0, length);
        ofFirstHalf.reset();
        ofFirstHalf.update(bytes, 0, length);
        ofSecondHalf.reset();
        ofSecondHalf.update(bytes, 0, length);
        return ofFirstHalf.getValue() << Integer.SIZE | ofSecondHalf.getValue();
    }
}
