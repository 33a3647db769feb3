package io.clusterecho.client.run;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of a service of the user.
 *
 * @param source          class or file; null for the messages of the echo.
 * @param example         a codec that no session uses, once it was loaded.
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
        text = "Jars and folders that contain the class of --messages, as in a class path. Default: none.")
    String classPath,
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
    CodecConfig load(final long seed)
    {
        InvalidSettingException.throwIf(
            !isGiven() && (null != classPath || !assignments.isEmpty()), null != classPath ? CLASS_PATH : SET,
            null != classPath ? classPath : String.join(",", assignments), "given only with " + MESSAGES);
        return isGiven() ? called(() -> DeclaredOption.with(this, examine(newCodec(seed)))) : this;
    }

    private Map<String, ?> examine(final MessageCodec codec)
    {
        final int maxLength = codec.maxRequestLength();
        check(maxLength >= 1 && maxLength <= MixConfig.MAX_LENGTH, "maxRequestLength=" + maxLength, "1 to " + MixConfig.MAX_LENGTH);
        final List<String> kinds = codec.replyKinds();
        check(
            !kinds.isEmpty() && kinds.size() <= MAX_REPLY_KINDS && new HashSet<>(kinds).size() == kinds.size() &&
            kinds.stream().allMatch((kind) -> kind.matches("[A-Za-z0-9-]+")), "replyKinds=" + kinds,
            "1 to " + MAX_REPLY_KINDS + " different names of letters, digits and dashes");
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[maxLength]);
        final double meanLength = IntStream.range(0, EXAMPLES).map((request) ->
        {
            final int length = codec.encode(request, buffer, 0);
            check(length >= 1 && length <= maxLength, "encode(" + request + ")=" + length, "1 to maxRequestLength=" + maxLength);
            return length;
        }).average().orElseThrow();
        return Map.of("example", codec, "meanLengthBytes", (int)Math.round(meanLength));
    }

    /** A codec that is ready to encode, of the class of the example if there is one. */
    public MessageCodec newCodec(final long seed)
    {
        final Map<String, String> settings = new TreeMap<>();
        for (final String assignment : assignments)
        {
            final String[] parts = assignment.split("=", 2);
            InvalidSettingException.throwIf(2 != parts.length, SET, assignment, "KEY=VALUE");
            settings.put(parts[0].strip(), parts[1].strip());
        }
        final MessageCodec codec = called(() ->
            (MessageCodec)(null == example ? type() : example.getClass()).getConstructor().newInstance());
        return called(() -> InvalidSettingException.parsed(SET, String.join(",", assignments), null, (text) ->
        {
            codec.init(seed, settings);
            return codec;
        }));
    }

    /** Messages of a load at a rate in messages per second. */
    EncodedMessages messages(final double ratePerSecond, final long seed)
    {
        return new EncodedMessages(() -> newCodec(seed), example, meanLengthBytes, ratePerSecond);
    }

    private Class<?> type() throws ClassNotFoundException, MalformedURLException
    {
        final List<URL> urls = new ArrayList<>();
        for (final String path : null == classPath ? new String[0] : classPath.split(File.pathSeparator))
        {
            InvalidSettingException.throwIf(!Files.exists(Path.of(path)), CLASS_PATH, path, "a jar or folder that exists");
            urls.add(Path.of(path).toUri().toURL());
        }
        final Class<?> type = Class.forName(
            source, true, new URLClassLoader(urls.toArray(new URL[0]), MessageCodec.class.getClassLoader()));
        InvalidSettingException.throwIf(
            !MessageCodec.class.isAssignableFrom(type), MESSAGES, source, "a class that implements " + MessageCodec.class.getName());
        return type;
    }

    /** Call code of the user. */
    private <T> T called(final Callable<T> code)
    {
        try
        {
            return code.call();
        }
        catch (final InvalidSettingException ex)
        {
            throw ex;
        }
        catch (final ClassNotFoundException ex)
        {
            throw new InvalidSettingException(MESSAGES, source, "a class on the class path, to which " + CLASS_PATH + " adds");
        }
        catch (final NoSuchMethodException | IllegalAccessException | InstantiationException ex)
        {
            throw new InvalidSettingException(MESSAGES, source, "a public class with a public constructor without parameters");
        }
        catch (final Exception | LinkageError ex)
        {
            throw new InvalidSettingException(MESSAGES, source, "a class that does not fail: " +
                (ex instanceof InvocationTargetException ? ex.getCause() : ex));
        }
    }

    private void check(final boolean isAllowed, final String value, final String allowed)
    {
        InvalidSettingException.throwIf(!isAllowed, MESSAGES, source, value + " is not allowed but " + allowed);
    }
}
