package io.clusterecho.client.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.codec.TemplateCodec;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.node.config.UserClasses;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of a service of the user.
 *
 * @param source          class or file; null for the messages of the echo.
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
    UserClasses classes,
    MessageCodec example,
    Integer meanLengthBytes)
{
    static final String MESSAGES = "--messages";
    static final String SET = "--messages-set";
    static final String CLASS_PATH = "--class-path";
    private static final int EXAMPLES = 1000;
    private static final int MAX_REPLY_KINDS = 8;

    public boolean isGiven()
    {
        return null != source;
    }

    /** The same with an example, which was checked. */
    public CodecConfig load(final long seed)
    {
        InvalidSettingException.throwIf(
            !isGiven() && (null != classPath || !assignments.isEmpty()), null != classPath ? CLASS_PATH : SET,
            null != classPath ? classPath : String.join(",", assignments), "given only with " + MESSAGES);
        if (!isGiven())
        {
            return this;
        }

        final CodecConfig found = DeclaredOption.with(this, Map.of("classes", new UserClasses(
            CLASS_PATH, null == classPath ? List.of() : Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList())));
        try
        {
            return DeclaredOption.with(found, found.examine(seed));
        }
        catch (final InvalidSettingException ex)
        {
            throw ex;
        }
        catch (final RuntimeException | LinkageError ex)
        {
            throw new InvalidSettingException(MESSAGES, source, "a class whose methods succeed (" + Cause.ofError(ex) + ")");
        }
    }

    private Map<String, ?> examine(final long seed)
    {
        final MessageCodec codec = newCodec(seed);
        final int maxLength = codec.maxRequestLength();
        check(
            maxLength >= 1 && maxLength <= Messages.MAX_LENGTH, "maxRequestLength=" + maxLength, "1 to " + Messages.MAX_LENGTH);
        final List<String> kinds = codec.replyKinds();
        check(
            !kinds.isEmpty() && kinds.size() <= MAX_REPLY_KINDS && new HashSet<>(kinds).size() == kinds.size() &&
            kinds.stream().allMatch((kind) -> kind.matches("[A-Za-z0-9-]+")), "replyKinds=" + kinds,
            "1 to " + MAX_REPLY_KINDS + " different names of letters, digits and dashes");
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[maxLength]);
        final int[] hashes = IntStream.range(0, EXAMPLES).map((i) -> encoded(codec, i, buffer).hashCode()).toArray();
        // Another session, another order, another buffer.
        final MessageCodec other = newCodec(seed);
        final UnsafeBuffer again = new UnsafeBuffer(new byte[maxLength]);
        again.setMemory(0, maxLength, (byte)-1);
        final Map<Integer, Integer> requests = new HashMap<>();
        final double meanLength = IntStream.range(0, EXAMPLES).map((i) -> EXAMPLES - 1 - i).map((request) ->
        {
            final UnsafeBuffer message = encoded(other, request, again);
            final String name = "encode(" + request + ")";
            check(hashes[request] == message.hashCode(), name, "the same bytes at any time, in any order and buffer");
            final Integer same = requests.put(message.hashCode(), request);
            check(null == same || !message.equals(encoded(codec, same, buffer)), name, "other bytes than encode(" + same + ")");
            return message.capacity();
        }).average().orElseThrow();
        return Map.of("example", codec, "meanLengthBytes", (int)Math.round(meanLength));
    }

    private UnsafeBuffer encoded(final MessageCodec codec, final int request, final UnsafeBuffer buffer)
    {
        final int length = codec.encode(request, buffer, 0);
        check(
            length >= 1 && length <= buffer.capacity(), "encode(" + request + ")=" + length,
            "1 to maxRequestLength=" + buffer.capacity());
        return new UnsafeBuffer(buffer, 0, length);
    }

    /** A codec that is ready to encode, once it was loaded. */
    public MessageCodec newCodec(final long seed)
    {
        final Map<String, String> settings = new TreeMap<>();
        for (final String assignment : assignments)
        {
            final String[] parts = assignment.split("=", 2);
            InvalidSettingException.throwIf(2 != parts.length, SET, assignment, "KEY=VALUE");
            settings.put(parts[0].strip(), parts[1].strip());
        }
        final MessageCodec codec = !Files.isRegularFile(Path.of(source)) ?
            classes.make(MESSAGES, source, MessageCodec.class) :
            InvalidSettingException.parsed(MESSAGES, source, null, (file) -> new TemplateCodec(Path.of(file)));
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
