package io.clusterecho.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateCodecTest
{
    private static final int OFFSET = 3;
    private static final String TWO_KINDS = "requests=two.hex|request.number=1:int32-le|reply.kinds=accepted,filled|" +
        "reply.number=1:int32-le|reply.accepted.match=0:0a|reply.filled.match=0:0B|reply.filled.number=5:int64-be|" +
        "reply.filled.repeatable=true";

    @TempDir
    private Path folder;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final List<String> replies = new ArrayList<>();
    private final CRC32C digest = new CRC32C();

    @BeforeEach
    void writePayloads() throws IOException
    {
        Files.writeString(folder.resolve("two.hex"), "# new orders\na1 0000000000 b1\n\nA2ffffffffffffffffB2\n");
        Files.writeString(folder.resolve("one.hex"), "c10000000000c3");
        Files.writeString(folder.resolve("empty.hex"), "# none\n");
        Files.writeString(folder.resolve("odd.hex"), "a100000000b1\na1000\n");
        binary("two.bin", "06000000d100000000b105000000e100000000");
        binary("long.bin", "06000000d100000000b107000000e100000000");
        binary("cut.bin", "06000000d100000000b10700");
        binary("negative.bin", "ffffffffd100000000b10700");
    }

    private void binary(final String name, final String hex) throws IOException
    {
        Files.write(folder.resolve(name), HexFormat.of().parseHex(hex));
    }

    @ParameterizedTest
    @CsvSource({
        "1:int32-le,   258,                 a10201000000b1, a203010000ffffffffb2",
        "1:int32-be,   258,                 a10000010200b1, a200000103ffffffffb2",
        "0:int32-be,   4294967294,          fffffffe0000b1, ffffffffffffffffffb2",
        "0:ascii4,     42,                  303034320000b1, 30303433ffffffffffb2",
        "6:ascii1,     8,                   a1000000000038, a2ffffffffff39ffffb2" })
    void shouldSendPayloadsInOrderWithTheNumberOfTheRequest(
        final String field, final long request, final String first, final String second) throws IOException
    {
        final MessageCodec codec = codec("requests=two.hex|reply.number=0:int64-le|request.number=" + field);
        assertThat(codec.maxRequestLength()).isEqualTo(10);
        assertThat(encoded(codec, request)).isEqualTo(first);
        assertThat(encoded(codec, request + 1)).isEqualTo(second);
        assertThat(encoded(codec, request)).isEqualTo(first);
    }

    @Test
    void shouldSendThePayloadsOfAllFiles() throws IOException
    {
        final MessageCodec codec = codec("requests=two.bin, one.hex|reply.number=0:int64-le|request.number=1:int32-le");
        assertThat(List.of(encoded(codec, 3), encoded(codec, 4), encoded(codec, 5), encoded(codec, 6))).containsExactly(
            "d103000000b1", "e104000000", "c1050000000" + "0c3", "d106000000b1");
    }

    @ParameterizedTest
    @CsvSource({ "int64-le, 0807060504030201", "int64-be, 0102030405060708", "ascii18, 303732363233383539333435313838373434" })
    void shouldCarryLongNumbersBothWays(final String type, final String expected) throws IOException
    {
        Files.writeString(folder.resolve("long.hex"), "00".repeat(18));
        final MessageCodec codec = codec("requests=long.hex|request.number=0:" + type + "|reply.number=1:" + type);
        final long number = type.startsWith("ascii") ? 72_623_859_345_188_744L : 0x0102_0304_0506_0708L;
        assertThat(encoded(codec, number)).startsWith(expected);
        decode(codec, "ff" + expected);
        assertThat(replies).containsExactly(number + " of kind 0");
    }

    @Test
    void shouldRefuseANumberThatItsFieldHasNoRoomFor() throws IOException
    {
        final MessageCodec ascii = codec("requests=two.hex|reply.number=0:int64-le|request.number=0:ascii2");
        assertThat(encoded(ascii, 99)).startsWith("3939");
        assertThatThrownBy(() -> encoded(ascii, 100))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("no room for request 100");
        final MessageCodec binary = codec("requests=two.hex|reply.number=0:int64-le|request.number=0:int32-le");
        assertThatThrownBy(() -> encoded(binary, 1L << 32)).hasMessageContaining("request 4294967296");
    }

    @Test
    void shouldFindTheKindOfAReplyByItsBytes() throws IOException
    {
        final MessageCodec codec = codec(TWO_KINDS);
        assertThat(codec.replyKinds()).containsExactly("accepted", "filled");
        assertThat(codec.isRepeatable(0)).isFalse();
        assertThat(codec.isRepeatable(1)).isTrue();
        decode(codec, "0a07000000");
        decode(codec, "0b00000000000000000000" + "0008");
        decode(codec, "0c");
        decode(codec, "");
        decode(codec, "0affffffff");
        assertThat(replies).containsExactly("7 of kind 0", "8 of kind 1", "4294967295 of kind 0");
    }

    @Test
    void shouldTakeTheFirstKindThatMatches() throws IOException
    {
        final MessageCodec codec = codec("requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|" +
            "reply.kinds=first,second,third|reply.first.match=4:0102|reply.second.match=4:01");
        decode(codec, "010000000102");
        decode(codec, "0200000001");
        decode(codec, "03000000");
        assertThat(replies).containsExactly("1 of kind 0", "2 of kind 1", "3 of kind 2");
    }

    @Test
    void shouldReportAReplyWithoutANumberAsDamaged() throws IOException
    {
        assertThatThrownBy(() -> decode(codec(TWO_KINDS), "0a070000")).isInstanceOf(IllegalArgumentException.class);
        final MessageCodec ascii = codec("requests=two.hex|request.number=1:int32-le|reply.number=0:ascii3");
        assertThatThrownBy(() -> decode(ascii, "30303a")).isInstanceOf(RuntimeException.class);
        assertThat(replies).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        "request.number=1:int32-le|reply.number=0:int32-le                        ! sample: requests=, allowed FILE",
        "requests=none.hex|request.number=1:int32-le|reply.number=0:int32-le      ! none.hex (NoSuchFile",
        "requests=empty.hex|request.number=1:int32-le|reply.number=0:int32-le     ! sample: requests=empty.hex, allowed",
        "requests=odd.hex|request.number=1:int32-le|reply.number=0:int32-le       ! odd.hex line 2=a1000, allowed two hex",
        "requests=two.hex|request.number=4:int32-le|reply.number=0:int32-le       ! two.hex line 2=7 bytes, allowed ",
        "requests=long.bin|request.number=1:int32-le|reply.number=0:int32-le      ! long.bin byte 10=7, allowed a length",
        "requests=cut.bin|request.number=1:int32-le|reply.number=0:int32-le       ! cut.bin byte 10=-1, allowed a length",
        "requests=negative.bin|request.number=1:int32-le|reply.number=0:int32-le  ! negative.bin byte 0=-1, allowed",
        "requests=two.hex|reply.number=0:int32-le                                 ! sample: request.number=, allowed OFFS",
        "requests=two.hex|request.number=1:int16-le|reply.number=0:int32-le       ! request.number=1:int16-le, allowed",
        "requests=two.hex|request.number=1:ascii19|reply.number=0:int32-le        ! request.number=1:ascii19, allowed",
        "requests=two.hex|request.number=-1:ascii1|reply.number=0:int32-le        ! request.number=-1:ascii1, allowed",
        "requests=two.hex|request.number=1:int32-le                               ! sample: reply.number=, allowed OFFSET",
        "requests=two.hex|request.number=1:int32-le|reply.number=int32-le         ! reply.number=int32-le, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.reply.number=1          ! reply.reply.number=1, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|reply.kinds=a,,b ! reply.kinds=a,,b, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|reply.reply.match=1 ! match=1, allowed OFFSET",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|reply.reply.match=1:0 ! match=1:0, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|reply.reply.repeatable=yes ! repeatable=yes, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|reply.filled.match=1:00 ! filled.match=1:00, allowed",
        "requests=two.hex|request.number=1:int32-le|reply.number=0:int32-le|request.seed=1 ! sample: request.seed=1, allowed" })
    void shouldNameTheFileTheKeyTheValueAndWhatIsAllowed(final String text, final String message)
    {
        assertThatThrownBy(() -> codec(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message.strip());
    }

    @Test
    void shouldAddItsFilesToADigest() throws IOException
    {
        final String text = "requests=two.bin, one.hex|request.number=1:int32-le|reply.number=0:int32-le";
        codec(text);
        final CRC32C expected = new CRC32C();
        expected.update(text.replace('|', '\n').getBytes(StandardCharsets.ISO_8859_1));
        expected.update(Files.readAllBytes(folder.resolve("two.bin")));
        expected.update(Files.readAllBytes(folder.resolve("one.hex")));
        assertThat(digest.getValue()).isEqualTo(expected.getValue());
    }

    /** A service that keeps the numbers of its requests would know those of another run. */
    @Test
    void shouldAddTheFirstNumberInMessages() throws IOException
    {
        final MessageCodec codec = codec(TWO_KINDS);
        codec.init(1, Map.of("first", "258"));
        assertThat(encoded(codec, 0)).isEqualTo("a10201000000b1");
        assertThat(encoded(codec, 1)).isEqualTo("a203010000ffffffffb2");
        decode(codec, "0a03010000");
        decode(codec, "0a01000000");
        assertThat(replies).containsExactly("1 of kind 0", "-257 of kind 0");
        assertThatThrownBy(() -> encoded(codec, (1L << 32) - 258)).hasMessageContaining("no room for request 4294967296");
        codec.init(1, Map.of());
        assertThat(encoded(codec, 0)).isEqualTo("a10000000000b1");
    }

    @ParameterizedTest
    @CsvSource({ "symbol, A", "first, -1", "first, 1234567890123456789" })
    void shouldRefuseOtherSettings(final String key, final String value) throws IOException
    {
        final MessageCodec codec = codec(TWO_KINDS);
        assertThatThrownBy(() -> codec.init(1, Map.of(key, value))).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("first, of at most 18 digits").hasMessageContaining("sample");
    }

    @Test
    void shouldNotAllocate() throws IOException
    {
        final MessageCodec codec = codec(TWO_KINDS);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        final long[] sum = new long[1];
        final MessageCodec.Replies sink = (request, kind) -> sum[0] += request;
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final int count = 20_000;
        long allocated = 0;
        for (int round = 0; round < 2; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < count; i++)
            {
                codec.encode(i, message, 0);
                message.putByte(0, (byte)(0x0a + i % 3));
                codec.decode(message, 0, 16, sink);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(sum[0]).isPositive();
        assertThat(allocated).isLessThan(count);
    }

    private MessageCodec codec(final String text) throws IOException
    {
        return new TemplateCodec(Files.writeString(folder.resolve("sample"), text.strip().replace('|', '\n')), digest);
    }

    private String encoded(final MessageCodec codec, final long request)
    {
        final byte[] bytes = new byte[codec.encode(request, buffer, OFFSET)];
        buffer.getBytes(OFFSET, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void decode(final MessageCodec codec, final String hex)
    {
        final byte[] bytes = HexFormat.of().parseHex(hex);
        buffer.putBytes(OFFSET, bytes);
        codec.decode(buffer, OFFSET, bytes.length, (request, kind) -> replies.add(request + " of kind " + kind));
    }
}
