package io.clusterecho.client.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.codec.TemplateCodec;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.UserClasses;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of a service of the user.
 *
 * @param source          class or file; null for the messages of the echo.
 * @param digest          of its first requests, and of the file and its payloads; null for any, before it was loaded.
 * @param classes         of its class path; null before it was loaded, as what follows.
 * @param example         a codec that no session uses.
 * @param meanLengthBytes of its first requests.
 */
@OptionGroup("Messages of your service")
public record CodecConfig(
    @LoadOption(names = CodecConfig.MESSAGES, label = "CLASS|FILE",
        text = "Messages of your service instead of the echo's: a class that implements MessageCodec, or a file that " +
        "describes them; see docs/YOUR-SERVICE.md. Default: the echo's.")
    String source,
    @LoadOption(names = CodecConfig.SET, label = "KEY=VALUE", text = "Setting of the class of --messages; repeatable.")
    List<String> assignments,
    @LoadOption(names = CodecConfig.CLASS_PATH, label = "LIST",
        text = "Jars and folders that contain the class of --messages, separated by colons, without *. Default: none.")
    String classPath,
    @LoadOption(names = CodecConfig.DIGEST, label = "HEX",
        text = "Expected digest of the first requests of --messages, and of its file and payloads, as recorded in results. " +
        "Default: not checked.")
    String digest,
    UserClasses classes,
    MessageCodec example,
    Integer meanLengthBytes)
{
    static final String MESSAGES = "--messages";
    static final String SET = "--messages-set";
    static final String DIGEST = "--messages-digest";
    static final String CLASS_PATH = "--class-path";
    private static final int EXAMPLES = 1000;
    private static final int MAX_REPLY_KINDS = 8;

    public boolean isGiven()
    {
        return null != source;
    }

    /** Whether a file describes the messages: no name of a class has a slash. */
    private boolean isFile()
    {
        return isGiven() && (source.contains("/") || source.endsWith(".properties") || Files.isRegularFile(Path.of(source)));
    }

    /** The same with an example, which was checked. */
    public CodecConfig load(final long seed)
    {
        DeclaredOption.texts(this).forEach((name, texts) -> InvalidSettingException.throwIf(
            !isGiven() && !texts.isEmpty(), "--" + name, String.join(",", texts), "given only with " + MESSAGES));
        InvalidSettingException.throwIf(
            isFile() && null != classPath, CLASS_PATH, classPath, "given only with a class as " + MESSAGES);
        if (!isGiven() || null != example)
        {
            return this;
        }

        final CodecConfig found = DeclaredOption.with(this, Map.of("classes", new UserClasses(
            CLASS_PATH, null == classPath ? List.of() : Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList())));
        return checked(() ->
        {
            final Checksum made = new CRC32C();
            final MessageCodec codec = !isFile() ? found.newCodec(seed) : initialized(
                InvalidSettingException.parsed(MESSAGES, source, null, (text) -> new TemplateCodec(Path.of(text), made)), seed);
            return DeclaredOption.with(found, found.examine(codec, isFile() ? codec : found.newCodec(seed), made));
        });
    }

    private <T> T checked(final Supplier<T> calls)
    {
        try
        {
            return calls.get();
        }
        catch (final RuntimeException | LinkageError ex)
        {
            throw ex instanceof final InvalidSettingException invalid ? invalid : new InvalidSettingException(
                MESSAGES, source, "messages that can be encoded" +
                (IndexOutOfBoundsException.class == ex.getClass() ? " into maxRequestLength bytes (" : " (") +
                Cause.ofError(ex) + ")");
        }
    }

    /** @param made digest of the file and its payloads, if there is one; with the first requests it is that of the messages. */
    private Map<String, ?> examine(final MessageCodec codec, final MessageCodec other, final Checksum made)
    {
        final int maxLength = codec.maxRequestLength();
        check(
            maxLength >= 1 && maxLength <= Messages.MAX_LENGTH, "maxRequestLength=" + maxLength, "1 to " + Messages.MAX_LENGTH);
        final List<String> kinds = codec.replyKinds();
        check(
            !kinds.isEmpty() && kinds.size() <= MAX_REPLY_KINDS && new HashSet<>(kinds).size() == kinds.size() &&
            kinds.stream().allMatch((kind) -> kind.matches("[A-Za-z0-9-]+")), "replyKinds=" + kinds,
            "1 to " + MAX_REPLY_KINDS + " different names of letters, digits and dashes");
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[maxLength]);
        final int[] hashes = IntStream.range(0, EXAMPLES).map((request) ->
        {
            final UnsafeBuffer message = encoded(codec, request, buffer);
            made.update(buffer.byteArray(), 0, message.capacity());
            return message.hashCode();
        }).toArray();
        // Another session, another order, another buffer.
        final UnsafeBuffer again = new UnsafeBuffer(new byte[maxLength]);
        again.setMemory(0, maxLength, (byte)-1);
        final Map<Integer, Integer> requests = new HashMap<>();
        final double meanLength = IntStream.range(0, EXAMPLES).map((i) -> EXAMPLES - 1 - i).map((request) ->
        {
            final UnsafeBuffer message = encoded(other, request, again);
            final String name = "encode(" + request + ")";
            check(hashes[request] == message.hashCode(), name, "the bytes that it gave first, in any order and buffer");
            final Integer same = requests.put(message.hashCode(), request);
            check(null == same || !message.equals(encoded(codec, same, buffer)), name, "other bytes than encode(" + same + ")");
            return message.capacity();
        }).average().orElseThrow();
        final String text = Long.toHexString(made.getValue());
        InvalidSettingException.throwIf(
            null != digest && !digest.equals(text), MESSAGES, source,
            "messages with the digest " + digest + "; these have " + text);
        return Map.of("example", codec, "meanLengthBytes", (int)Math.round(meanLength), DIGEST, text);
    }

    private UnsafeBuffer encoded(final MessageCodec codec, final long request, final UnsafeBuffer buffer)
    {
        final int length = codec.encode(request, buffer, 0);
        check(
            length >= 1 && length <= buffer.capacity(), "encode(" + request + ")=" + length,
            "1 to maxRequestLength=" + buffer.capacity());
        return new UnsafeBuffer(buffer, 0, length);
    }

    /** Check the service of members, empty for the echo: those in a folder that run, or that a test starts if it is null. */
    public void checkService(final String service, final Path folder)
    {
        InvalidSettingException.throwIf(
            isGiven() && service.isEmpty(), MESSAGES, source,
            "given only with members that run your service, named by " + NodeSettings.SERVICE_CLASS.key() + "; those " +
            (null == folder ? "that this command starts would run the echo: add --set " + NodeSettings.SERVICE_CLASS.key() +
            "=CLASS --set " + NodeSettings.CLASS_PATH.key() + "=JARS, or the same lines to a sweep file" :
            "in " + folder + " run the echo"));
        InvalidSettingException.throwIf(
            !isGiven() && !service.isEmpty(), "the members " + (null == folder ? "to be started" : "in " + folder) +
            " run " + service + ", which does not know the messages of the echo: name yours with " + MESSAGES);
    }

    /** Check that the last of so many requests can be encoded, whose number is the highest. */
    void checkLast(final long requestCount)
    {
        if (isGiven() && requestCount > 0)
        {
            checked(() -> encoded(example, requestCount - 1, new UnsafeBuffer(new byte[example.maxRequestLength()])));
        }
    }

    /** A codec that is ready to encode, once it was loaded; one of a file does not change, and all sessions have it. */
    public MessageCodec newCodec(final long seed)
    {
        return example instanceof TemplateCodec ? example : initialized(classes.make(MESSAGES, source, MessageCodec.class), seed);
    }

    private MessageCodec initialized(final MessageCodec codec, final long seed)
    {
        final Map<String, String> settings = new TreeMap<>();
        for (final String assignment : assignments)
        {
            final String[] parts = assignment.split("=", 2);
            InvalidSettingException.throwIf(2 != parts.length, SET, assignment, "KEY=VALUE");
            settings.put(parts[0].strip(), parts[1].strip());
        }
        return InvalidSettingException.parsed(SET, String.join(",", assignments), null, (text) ->
        {
            codec.init(seed, settings);
            return codec;
        });
    }

    /** Messages of a load at a rate in messages per second. */
    EncodedMessages messages(final double ratePerSecond, final long seed)
    {
        return new EncodedMessages(() -> newCodec(seed), example, meanLengthBytes, ratePerSecond);
    }

    private void check(final boolean isAllowed, final String value, final String allowed)
    {
        InvalidSettingException.throwIf(!isAllowed, MESSAGES, source, value + ", allowed " + allowed);
    }
}
