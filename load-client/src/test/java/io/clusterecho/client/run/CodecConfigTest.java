package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.clusterecho.client.load.OrderCodec;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecConfigTest
{
    private static final String ORDERS = "--messages=" + OrderCodec.class.getName();
    private static final String ENDPOINTS = "0=127.0.0.1:20000";

    @TempDir
    private Path folder;

    /** Its constructor takes an argument. */
    public static final class WithArgument extends OrderCodec
    {
        WithArgument(final int argument)
        {
            assertThat(argument).isZero();
        }
    }

    /** Its constructor fails. */
    public static final class Failing extends OrderCodec
    {
        private final String licence = licence();

        private static String licence()
        {
            throw new IllegalStateException("no licence");
        }
    }

    /** It has no longest request. */
    public static final class Endless extends OrderCodec
    {
        @Override
        public int maxRequestLength()
        {
            return Integer.MAX_VALUE;
        }
    }

    /** Its longest request is shorter than what it encodes. */
    public static final class TooShort extends OrderCodec
    {
        @Override
        public int maxRequestLength()
        {
            return Integer.BYTES;
        }
    }

    /** What it sends depends on more than the number of the request. */
    public abstract static class Changing extends OrderCodec
    {
        @Override
        public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            super.encode(request, buffer, offset);
            putRest(request, buffer, offset + Long.BYTES);
            return maxRequestLength();
        }

        abstract void putRest(long request, MutableDirectBuffer buffer, int offset);
    }

    /** The time of its encoding. */
    public static final class Timed extends Changing
    {
        @Override
        void putRest(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            buffer.putLong(offset, System.nanoTime());
        }
    }

    /** How many were encoded before it. */
    public static final class Counting extends Changing
    {
        private long count;

        @Override
        void putRest(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            buffer.putLong(offset, count++);
        }
    }

    /** What its buffer contained before. */
    public static final class Padded extends Changing
    {
        @Override
        void putRest(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            buffer.putInt(offset, 1);
        }
    }

    /** Its numbers begin again. */
    public static final class Repeating extends OrderCodec
    {
        @Override
        public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            return super.encode(request % 900, buffer, offset);
        }
    }

    @Test
    void shouldPlanTheMessagesOfAClass()
    {
        final RunConfig config = config(ORDERS, "--messages-set=extra=4", "--messages-set=kinds=accepted,filled", "--seed=7");
        final EncodedMessages messages = (EncodedMessages)config.load().plan(1_000_000_000L).messages();

        assertThat(messages.maxLengthBytes()).isEqualTo(16);
        assertThat(messages.replyKinds()).extracting("name").containsExactly("accepted", "filled");
        assertThat(messages.kinds().get(0).meanLengthBytes()).as("8 to 12 bytes").isEqualTo(10);
        assertThat(messages.newCodec()).isInstanceOf(OrderCodec.class).isNotSameAs(messages.newCodec());
        assertThat(config.load().maxLengthBytes()).isEqualTo(16);
        assertThat(config.options()).containsEntry("messages", OrderCodec.class.getName())
            .containsEntry("messages-set", "extra=4,kinds=accepted,filled").doesNotContainKeys("size", "class-path");
        assertThat(config.workerArguments(Map.of())).contains(ORDERS, "--messages-set=extra=4")
            .noneMatch((argument) -> argument.startsWith("--size"));
        assertThat(RunConfig.parse(config.workerArguments(Map.of())).load().maxLengthBytes()).isEqualTo(16);
        assertThat(config().options()).doesNotContainKeys("messages", "messages-set", "class-path");
        assertThat(config(ORDERS).options()).doesNotContainKey("messages-set");
        assertThat(configuration(ORDERS)).containsKey("started-in").doesNotContainKey("messages-set");
        assertThat(configuration(ORDERS, "--messages-set=extra=4", "--messages-set=kinds=a,b"))
            .containsEntry("messages-set", "extra=4\tkinds=a,b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--messages=com.acme.Orders | --messages=com.acme.Orders is not allowed: a public class on the class path",
        "--messages=java.lang.String | that implements io.clusterecho.codec.MessageCodec",
        "--messages=io.clusterecho.client.run.CodecConfigTest$WithArgument | and has a public constructor without parameters",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Failing | java.lang.IllegalStateException: no licence",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Endless | maxRequestLength=2147483647",
        "--messages=io.clusterecho.client.run.CodecConfigTest$TooShort | encoded into maxRequestLength bytes (",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Timed | encode(999), allowed the bytes that it gave first",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Counting | encode(999), allowed the bytes that it gave first",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Padded | encode(999), allowed the bytes that it gave first",
        "--messages=io.clusterecho.client.run.CodecConfigTest$Repeating | encode(99), allowed other bytes than encode(999)",
        "--messages=none.properties | --messages=none.properties is not allowed: a readable file",
        "--messages=orders/none.txt | --messages=orders/none.txt is not allowed: a readable file",
        "--messages-set=a=b | --messages-set=a=b is not allowed: given only with --messages",
        "--messages-digest=a1 | --messages-digest=a1 is not allowed: given only with --messages",
        "--class-path=. | --class-path=. is not allowed: given only with --messages" })
    void shouldRejectWhatIsNoCodec(final String argument, final String expected)
    {
        assertThatThrownBy(() -> config(argument)).isInstanceOf(InvalidSettingException.class).hasMessageContaining(expected);
        assertThatThrownBy(() -> config("--trace=none.csv", argument)).as("beside a trace too")
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(expected);
    }

    @Test
    void shouldReadTheMessagesOfAFileOnce() throws IOException
    {
        final CodecConfig codec = config(template("ascii4", "a10000")).load().codec();

        assertThat(codec.newCodec(1)).as("all sessions have it").isSameAs(codec.example());
        assertThatThrownBy(() -> config(template("ascii4", "a10000"), "--class-path=."))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--class-path=. is not allowed: given only with a class as --messages");
    }

    @Test
    void shouldRejectALoadWithARequestThatItsFieldHasNoRoomFor() throws IOException
    {
        final LoadConfig load = config(template("ascii4", "a10000"), "--rate=1000", "--warm-up=5s").load();
        load.checkMemory(5_000_000_000L);
        assertThatThrownBy(() -> load.checkMemory(5_001_000_000L)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("messages.properties is not allowed")
            .hasMessageContaining("no room for request 10000");
        load.checkMemory(5_000_000_000L, 50_000_000_000L);
        assertThatThrownBy(() -> load.checkMemory(1_000_000_000L, Long.MAX_VALUE / 2)).as("accounts of the longest")
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("half the heap");
    }

    @Test
    void shouldKnowItsMessagesByADigest() throws IOException
    {
        final String file = template("ascii4", "a10000");
        final String digest = config(file).load().codec().digest();
        assertThat(digest).matches("[0-9a-f]{1,8}");
        assertThat(config(file).options()).containsEntry("messages-digest", digest);
        assertThat(config(file).workerArguments(Map.of())).contains("--messages-digest=" + digest);
        assertThat(config(file, "--messages-digest=" + digest).load().codec().digest()).isEqualTo(digest);

        for (final String[] changed : new String[][]{ { "ascii4", "a20000" }, { "ascii4", "a1000000" }, { "ascii3", "a10000" } })
        {
            template(changed[0], changed[1]);
            assertThatThrownBy(() -> config(file, "--messages-digest=" + digest)).as("%s %s", changed[0], changed[1])
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("messages with the digest " + digest + "; these have ");
        }
        assertThatThrownBy(() -> config(ORDERS, "--messages-digest=" + digest)).hasMessageContainingAll(
            "messages with the digest " + digest + "; these have ", config(ORDERS).load().codec().digest());
        assertThat(config(ORDERS, "--messages-set=extra=4").load().codec().digest())
            .isNotEqualTo(config(ORDERS).load().codec().digest());
    }

    private String template(final String number, final String payload) throws IOException
    {
        Files.writeString(folder.resolve("requests.hex"), payload + "00".repeat(5));
        return "--messages=" + Files.writeString(
            folder.resolve("messages.properties"),
            "requests=requests.hex\nrequest.number=1:" + number + "\nreply.number=1:" + number);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--messages-set=extra | KEY=VALUE",
        "--messages-set=extra=x | --messages-set=extra=x is not allowed: extra, a number of bytes",
        "--messages-set=extra=9 | encode(9)=17",
        "--messages-set=extra=-8 | encode(0)=0",
        "--messages-set=kinds=a_b | replyKinds=[a_b]",
        "--messages-set=kinds=a,a | replyKinds=[a, a]",
        "--messages-set=kinds=1,2,3,4,5,6,7,8,9 | 1 to 8",
        "--class-path=/no/such.jar | --class-path=/no/such.jar is not allowed: jars and folders that exist",
        "--delivery=exactly-once | --delivery=exactly-once is not allowed: at-most-once with --messages" })
    void shouldRejectWhatACodecCannotHave(final String argument, final String expected)
    {
        assertThatThrownBy(() -> config(ORDERS, argument)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(expected);
    }

    @Test
    void shouldFindTheClassOnItsClassPath() throws IOException
    {
        final Path source = folder.resolve("Trade.java");
        Files.writeString(source, "public final class Trade extends io.clusterecho.client.load.OrderCodec { }");
        final String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler().run(
            null, null, null, "-cp", classPath, "-d", folder.toString(), source.toString())).isZero();

        final RunConfig config = config("--messages=Trade", "--class-path=" + folder);
        final ClassLoader before = Thread.currentThread().getContextClassLoader();
        try
        {
            final MessageCodec trade = config.load().codec().newCodec(1);
            assertThat(trade.getClass().getName()).isEqualTo("Trade");
            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(trade.getClass().getClassLoader());
        }
        finally
        {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(config.load().codec().newCodec(1).getClass()).as("one class in a run")
            .isSameAs(config.withRate(7).load().codec().newCodec(1).getClass());
        assertThat(config.options()).containsEntry("class-path", folder.toString());
    }

    @Test
    void shouldReplaceTheLengthsOfTheEcho()
    {
        assertThat(config(ORDERS).load().replaced()).containsExactlyInAnyOrder("--size", "--kind", "--trace");
        assertThat(config(ORDERS).load().replacement()).startsWith("--messages");
    }

    @Test
    void shouldSendToMembersThatRunTheServiceAndToNoOthers()
    {
        final Map<String, String> own = Map.of("echo.service.class", "com.acme.OrderBook");
        assertThat(target(own, ORDERS).resolved()).doesNotContainKey("--service");
        target(Map.of(), ORDERS);
        assertThatThrownBy(() -> config(ORDERS).load().codec().checkService("", null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("add --set echo.service.class=CLASS");
        Stream.of(
            rejected(Map.of("echo.fsync", "0"), "run the echo", ORDERS),
            rejected(own, "run com.acme.OrderBook, which does not know the messages of the echo: name yours"),
            rejected(own, "started with echo.stages=true", ORDERS, "--stages"),
            rejected(own, "--churn", ORDERS, "--churn=1"),
            rejected(own, "--receivers", ORDERS, "--receivers=1"),
            rejected(Map.of(), "without --service", ORDERS, "--service=plain"),
            rejected(Map.of(), "only with --transport cluster", ORDERS, "--transport=memory")).forEach(Runnable::run);
    }

    private Runnable rejected(final Map<String, String> settings, final String expected, final String... arguments)
    {
        return () -> assertThatThrownBy(() -> target(settings, arguments)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(expected);
    }

    private Target target(final Map<String, String> settings, final String... arguments)
    {
        return new Target(
            config(arguments), new AnsweringCluster(folder, ENDPOINTS, settings, false, Optional.empty()));
    }

    private Map<String, String> configuration(final String... arguments)
    {
        return target(Map.of(), arguments).describe(Instant.EPOCH, Optional.empty(), List.of(), 0, null, null, null)
            .configuration();
    }

    private static RunConfig config(final String... arguments)
    {
        return RunConfig.parse(List.of(arguments));
    }
}
