package io.clusterecho.codec;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Checksum;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Messages that a property file describes, whose keys are in docs/YOUR-SERVICE.md: payloads, which are sent in order and after
 * the last from the first again, each with the number of its request in a field, and the field of replies that has it.
 * <p>
 * Does not change after {@link #init}: sessions and threads may share one. Allocates nothing for a message.
 */
public final class TemplateCodec implements MessageCodec
{
    private static final String FIELD = "(\\d{1,8}):(?:int(32|64)-([lb])e|ascii([1-9]|1[0-8]))";
    private static final String FIELD_ALLOWED =
        "OFFSET:TYPE, as in 8:int64-le; types are int32-le, int32-be, int64-le, int64-be, and ascii1 to ascii18";

    private final Path file;
    private final Map<String, String> given = new TreeMap<>();
    private final List<byte[]> payloads = new ArrayList<>();
    private final Field number;
    private final List<Kind> kinds = new ArrayList<>();
    private long first;

    /**
     * Read the property file and the payloads.
     *
     * @param digest of their bytes, in the order in which they are read.
     * @throws IllegalArgumentException with the file, the key or the payload, its value and what is allowed.
     */
    public TemplateCodec(final Path file, final Checksum digest)
    {
        this.file = file;
        Path source = file;
        try
        {
            final Properties properties = new Properties();
            properties.load(new ByteArrayInputStream(read(source, digest)));
            properties.forEach((key, value) -> given.put((String)key, ((String)value).strip()));
            number = new Field(value("request.number", "", FIELD, FIELD_ALLOWED));
            for (final String name : value("requests", "", ".+", "FILE or FILE,FILE").group().split(","))
            {
                source = file.resolveSibling(name.strip());
                readPayloads(source, read(source, digest));
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("a readable file " + source + " (" + ex.getClass().getSimpleName() + ")", ex);
        }
        if (payloads.isEmpty())
        {
            throw rejected(file + ": requests", given.get("requests"), "files with at least one payload");
        }

        final String names = value(
            "reply.kinds", "reply", "[a-zA-Z0-9-]+(,[a-zA-Z0-9-]+){0,7}",
            "1 to 8 names of letters, digits and dashes, separated by commas").group();
        for (final String name : names.split(","))
        {
            final String key = "reply." + name;
            final Matcher match = value(key + ".match", "0:", "(\\d{1,8}):((?:\\p{XDigit}{2})*)", "OFFSET:HEX, as in 2:0100");
            kinds.add(new Kind(
                name, Integer.parseInt(match.group(1)), HexFormat.of().parseHex(match.group(2)),
                new Field(value(
                    given.containsKey(key + ".number") ? key + ".number" : "reply.number", "", FIELD, FIELD_ALLOWED)),
                "true".equals(value(key + ".repeatable", "false", "true|false", "true or false").group())));
        }
        final String keys = "requests|request\\.number|reply\\.(number|kinds|(" + names.replace(',', '|') +
            ")\\.(match|number|repeatable))";
        given.keySet().stream().filter((key) -> !key.matches(keys)).forEach((key) ->
        {
            throw rejected(file + ": " + key, given.get(key), "the keys requests, request.number, reply.number, reply.kinds, " +
                "and for each KIND reply.KIND.match, reply.KIND.number and reply.KIND.repeatable");
        });
    }

    private Matcher value(final String key, final String defaultText, final String pattern, final String allowed)
    {
        final Matcher matcher = Pattern.compile(pattern).matcher(given.getOrDefault(key, defaultText));
        if (!matcher.matches())
        {
            throw rejected(file + ": " + key, given.getOrDefault(key, ""), allowed);
        }
        return matcher;
    }

    private static IllegalArgumentException rejected(final String key, final Object value, final String allowed)
    {
        return new IllegalArgumentException(key + "=" + value + ", allowed " + allowed);
    }

    private static byte[] read(final Path file, final Checksum digest) throws IOException
    {
        final byte[] content = Files.readAllBytes(file);
        digest.update(content);
        return content;
    }

    private void readPayloads(final Path source, final byte[] content)
    {
        if (source.toString().endsWith(".hex"))
        {
            int line = 0;
            for (final String text : new String(content, StandardCharsets.ISO_8859_1).lines().toList())
            {
                line++;
                if (!text.isBlank() && !text.startsWith("#"))
                {
                    final String place = source + " line " + line;
                    final String digits = text.replaceAll("\\s", "");
                    if (!digits.matches("(\\p{XDigit}{2})*"))
                    {
                        throw rejected(place, digits, "two hex digits a byte");
                    }
                    addPayload(place, HexFormat.of().parseHex(digits));
                }
            }
            return;
        }

        final ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining())
        {
            final String place = source + " byte " + bytes.position();
            final int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
            if (length < 0 || length > bytes.remaining())
            {
                throw rejected(place, length, "a length as int32-le, and as many bytes after it");
            }
            final byte[] payload = new byte[length];
            bytes.get(payload);
            addPayload(place, payload);
        }
    }

    private void addPayload(final String place, final byte[] payload)
    {
        if (payload.length < number.end())
        {
            throw rejected(
                place, payload.length + " bytes",
                "a payload with the field of request.number, which ends at " + number.end());
        }
        payloads.add(payload);
    }

    /** Takes {@code first}, which messages carry added to the number of a request. */
    @Override
    public void init(final long seed, final Map<String, String> settings)
    {
        final String text = settings.getOrDefault("first", "0");
        if (!text.matches("\\d{1,18}") || !Set.of("first").containsAll(settings.keySet()))
        {
            throw new IllegalArgumentException("first, of at most 18 digits: " + file + " has all other settings");
        }
        first = Long.parseLong(text);
    }

    @Override
    public int maxRequestLength()
    {
        return payloads.stream().mapToInt((payload) -> payload.length).max().orElseThrow();
    }

    @Override
    public List<String> replyKinds()
    {
        return kinds.stream().map(Kind::name).toList();
    }

    @Override
    public boolean isRepeatable(final int kind)
    {
        return kinds.get(kind).isRepeatable;
    }

    /** Throws an {@link IllegalStateException} for a number that its field has no room for. */
    @Override
    public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
    {
        final byte[] payload = payloads.get((int)(request % payloads.size()));
        buffer.putBytes(offset, payload);
        number.put(first + request, buffer, offset + number.offset);
        return payload.length;
    }

    @Override
    public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
    {
        for (int i = 0, count = kinds.size(); i < count; i++)
        {
            final Kind kind = kinds.get(i);
            if (kind.matches(buffer, offset, length))
            {
                if (kind.number.end() > length)
                {
                    throw new IllegalArgumentException("a reply that ends before its number");
                }
                replies.onReply(kind.number.of(buffer, offset + kind.number.offset) - first, i);
                return;
            }
        }
    }

    private record Kind(String name, int matchOffset, byte[] match, Field number, boolean isRepeatable)
    {
        boolean matches(final DirectBuffer buffer, final int offset, final int length)
        {
            boolean isEqual = matchOffset + match.length <= length;
            for (int i = 0; isEqual && i < match.length; i++)
            {
                isEqual = match[i] == buffer.getByte(offset + matchOffset + i);
            }
            return isEqual;
        }
    }

    /** A number within a message: decimal digits if it has no byte order, else an integer, unsigned if it has 32 bits. */
    private record Field(int offset, int length, ByteOrder order)
    {
        Field(final Matcher field)
        {
            this(
                Integer.parseInt(field.group(1)),
                null == field.group(4) ? Integer.parseInt(field.group(2)) / Byte.SIZE : Integer.parseInt(field.group(4)),
                null == field.group(3) ? null : "l".equals(field.group(3)) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        }

        int end()
        {
            return offset + length;
        }

        void put(final long value, final MutableDirectBuffer buffer, final int index)
        {
            long rest = 0;
            if (null == order)
            {
                rest = value;
                for (int i = index + length - 1; i >= index; i--)
                {
                    buffer.putByte(i, (byte)('0' + rest % 10));
                    rest /= 10;
                }
            }
            else if (Long.BYTES == length)
            {
                buffer.putLong(index, value, order);
            }
            else
            {
                buffer.putInt(index, (int)value, order);
                rest = value >>> Integer.SIZE;
            }
            if (0 != rest)
            {
                throw new IllegalStateException("request.number has no room for request " + value);
            }
        }

        long of(final DirectBuffer buffer, final int index)
        {
            return null == order ? buffer.parseNaturalLongAscii(index, length) :
                Long.BYTES == length ? buffer.getLong(index, order) : Integer.toUnsignedLong(buffer.getInt(index, order));
        }
    }
}
