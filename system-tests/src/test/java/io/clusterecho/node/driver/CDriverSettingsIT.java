package io.clusterecho.media.driver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.system.EchoCluster;

/**
 * Checks that aeronmd applies our settings. It silently ignores unknown variables, so a misspelt one would be a lost setting.
 * The tests set values other than the defaults and read the configuration that the driver prints.
 */
@Tag("c-driver")
@Timeout(120)
class CDriverSettingsIT
{
    private static final DriverKeys KEYS = DriverKeys.below("echo.", "echo.aeron.dir");
    private static final DriverIdle BACKOFF = DriverIdle.backoff(3, 30, 2_000, 40_000);
    private static final String ARGUMENTS = "_INIT_ARGS";
    private static final List<String> IDLE_VARIABLES = List.of(
        "AERON_CONDUCTOR_IDLE_STRATEGY", "AERON_SENDER_IDLE_STRATEGY", "AERON_RECEIVER_IDLE_STRATEGY",
        "AERON_SHAREDNETWORK_IDLE_STRATEGY", "AERON_SHARED_IDLE_STRATEGY");
    /** Printed names that differ from the lower-case variable without AERON_. */
    private static final Map<String, String> PRINTED = Map.ofEntries(
        Map.entry("AERON_DIR", "aeron_dir"),
        Map.entry("AERON_DIR_DELETE_ON_START", "dirs_delete_on_start"),
        Map.entry("AERON_DIR_DELETE_ON_SHUTDOWN", "dirs_delete_on_shutdown"),
        Map.entry("AERON_DIR_WARN_IF_EXISTS", "warn_if_dirs_exists"),
        Map.entry("AERON_SOCKET_SO_RCVBUF", "socket_rcvbuf_length"),
        Map.entry("AERON_SOCKET_SO_SNDBUF", "socket_sndbuf_length"),
        Map.entry("AERON_RCV_INITIAL_WINDOW_LENGTH", "initial_window_length"),
        Map.entry("AERON_RCV_STATUS_MESSAGE_TIMEOUT", "status_message_timeout_ns"),
        Map.entry("AERON_DRIVER_STREAM_SESSION_LIMIT", "stream_session_limit"),
        Map.entry("AERON_DRIVER_TIMEOUT", "driver_timeout_ms"),
        Map.entry("AERON_DRIVER_ASYNC_EXECUTOR_ENABLED", "async_executor_enabled"),
        Map.entry("AERON_COUNTERS_FREE_TO_REUSE_TIMEOUT", "counter_free_to_reuse_ns"),
        Map.entry("AERON_SHAREDNETWORK_IDLE_STRATEGY_INIT_ARGS", "shared_network_idle_strategy_init_args"));
    /** Those that load our sockets, of which it prints the name. */
    private static final List<String> SOCKETS =
        List.of("AERON_DRIVER_DYNAMIC_LIBRARIES", "AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_MEDIA");
    /** Variables that it does not print; their effect is tested one by one. */
    private static final List<String> NOT_PRINTED = List.of("AERON_UNTETHERED_LINGER_TIMEOUT");
    private static final String PRINT = "AERON_PRINT_CONFIGURATION";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path tempDir;

    private final DriverPlan plan = plan();
    private final List<String> output = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldApplyEachSetting()
    {
        final SortedMap<String, String> variables = DriverEnvironment.of(unusual(), plan, BACKOFF, Map.of());
        final Map<String, String> configured = printed(variables);
        final Map<String, String> defaults = printed(Map.of("AERON_DIR", aeronDir()));
        variables.keySet().removeAll(IDLE_VARIABLES);
        variables.keySet().removeAll(NOT_PRINTED);
        assertThat(variables).containsKeys(SOCKETS.toArray(new String[0]));
        variables.keySet().removeAll(SOCKETS);
        assertThat(configured.get("udp_channel_transport_bindings.media")).startsWith("cluster_echo_sockets,");
        assertThat(variables).hasSizeGreaterThan(35);

        variables.forEach((name, value) ->
        {
            final String line = printedAs(name, value);
            assertThat(configured).as("printed lines, for %s", name).containsKey(line);
            if (name.endsWith(ARGUMENTS))
            {
                // After an address in the driver's memory.
                assertThat(configured.get(line)).as(name).matches("0x[0-9a-f]+" + value);
            }
            else
            {
                assertThat(configured.get(line)).as(name).isEqualTo(asPrinted(value));
            }
            if (!"AERON_DIR".equals(name))
            {
                assertThat(defaults.get(line)).as("what it prints for %s by default", name).isNotEqualTo(configured.get(line));
            }
        });
    }

    @Test
    void shouldApplyTheThreadsAndIdleStrategiesOfEachProfile()
    {
        final Map<ThreadingMode, DriverIdle> profiles = Map.of(
            ThreadingMode.SHARED, new DriverIdle("sleep-ns", "1000ns"), ThreadingMode.SHARED_NETWORK, BACKOFF,
            ThreadingMode.DEDICATED, DriverIdle.SPIN);
        profiles.forEach((threading, idle) ->
        {
            final Map<String, String> configured =
                printed(DriverEnvironment.of(unusual().threadingMode(threading), plan, idle, Map.of()));
            assertThat(configured).containsEntry("threading_mode", threading.name());
            assertThat(configured.get("sender_idle_strategy_init_args"))
                .endsWith(idle.arguments().isEmpty() ? "(nil)" : idle.arguments());
        });
    }

    /** The driver does not print the names of idle strategies, but rejects unknown ones. */
    @Test
    void shouldApplyTheIdleStrategyOfEachThreadAndKnowAllThatWeUse()
    {
        for (final String variable : IDLE_VARIABLES)
        {
            final Map<String, String> variables = DriverEnvironment.of(unusual(), plan, DriverIdle.YIELD, Map.of());
            assertThat(variables).containsKey(variable);
            variables.put(variable, "no-such-strategy");
            // Otherwise it reports that it cannot delete a folder that does not exist yet.
            variables.put("AERON_DIR_DELETE_ON_SHUTDOWN", "false");
            assertThatThrownBy(() -> printed(variables))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("no-such-strategy");
        }

        final List<String> names = List.of("noop", "spin", "yield", "sleep-ns", "backoff");
        final Map<String, String> keys = new HashMap<>();
        for (int i = 0; i < names.size(); i++)
        {
            keys.put(keyOf(IDLE_VARIABLES.get(i)), names.get(i));
        }
        final Map<String, String> variables = DriverEnvironment.of(unusual(), plan, DriverIdle.YIELD, keys);
        assertThat(IDLE_VARIABLES).extracting(variables::get).doesNotHaveDuplicates();
        assertThat(printed(variables)).containsKey("threading_mode");
    }

    @Test
    void shouldApplySettingsThatItDoesNotPrint()
    {
        for (final String variable : NOT_PRINTED)
        {
            final Map<String, String> variables = DriverEnvironment.of(unusual(), plan, DriverIdle.YIELD, Map.of());
            assertThat(variables).containsKey(variable);
            variables.put(variable, "never");
            printed(variables);
            assertThat(output).anySatisfy((line) -> assertThat(line).contains(variable + "=never is invalid"));
        }
    }

    /** Each key of the Java driver becomes a variable whose name is in the C driver's library, or is rejected. */
    @Test
    void shouldMapOrRejectEachKeyOfTheJavaDriver() throws IOException, IllegalAccessException
    {
        final String program =
            Files.readString(Path.of(plan.command().get(0)).resolveSibling("libaeron_driver.so"), ISO_8859_1);
        final TreeSet<String> refused = new TreeSet<>();
        final TreeSet<String> unknown = new TreeSet<>();
        final List<String> keys = keysOfTheJavaDriver();
        for (final String key : keys)
        {
            final SortedMap<String, String> without = DriverEnvironment.of(unusual(), plan, BACKOFF, Map.of());
            try
            {
                final SortedMap<String, String> with =
                    DriverEnvironment.of(unusual(), plan, BACKOFF, Map.of(key, key.endsWith("idle.strategy") ? "noop" : "17"));
                with.entrySet().removeAll(without.entrySet());
                assertThat(with).as("variable of %s", key).hasSize(1);
                with.keySet().removeIf((variable) -> program.contains("\0" + variable + "\0"));
                unknown.addAll(with.keySet());
            }
            catch (final InvalidSettingException ex)
            {
                assertThat(ex).hasMessageContaining("which has no such setting");
                refused.add(key);
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(keys).hasSizeGreaterThan(70);
        assertThat(refused).containsExactly(
            "aeron.ReceiveChannelEndpoint.supplier", "aeron.SendChannelEndpoint.supplier",
            "aeron.flow.control.sm.applicationSpecificFeedback", "aeron.multicast.flow.control.rrwm",
            "aeron.multicast.flow.control.strategy", "aeron.unicast.flow.control.rrwm",
            "aeron.unicast.flow.control.strategy", "aeron.use.windows.high.res.timer");
    }

    @Test
    void shouldApplySettingsOfAMember() throws IOException
    {
        cluster.with("echo.mtu", "4096").with("echo.profile", "shared").with("echo.driver", "c")
            .with("echo.driver.c.receive.vector", "7").with("echo.driver.c.send.vector", "6")
            .with("echo.driver.c.messages.per.send", "5").with("aeron.print.configuration", "true")
            .with("aeron.max.resend", "23");
        cluster.start();
        cluster.stop();

        assertThat(cluster.members().get(0).logFile()).content().contains(
            " mtu_length=4096", " ipc_mtu_length=4096", " threading_mode=SHARED\n", " receiver_io_vector_capacity=7",
            " sender_io_vector_capacity=6", " network_publication_max_messages_per_send=5", " max_resend=23",
            " spies_simulate_connection=1");
    }

    private MediaDriver.Context unusual()
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(aeronDir())
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .asyncExecutorEnabled(false)
            .warnIfDirectoryExists(true)
            .mtuLength(4096)
            .ipcMtuLength(2048)
            .socketRcvbufLength(100_000)
            .socketSndbufLength(90_000)
            .initialWindowLength(80_000)
            .publicationTermBufferLength(1 << 20)
            .ipcTermBufferLength(2 << 20)
            .termBufferSparseFile(false)
            .spiesSimulateConnection(true)
            .streamSessionLimit(77)
            .driverTimeoutMs(9_100)
            .timerIntervalNs(910_000_000L)
            .clientLivenessTimeoutNs(11_100_000_000L)
            .imageLivenessTimeoutNs(11_200_000_000L)
            .publicationConnectionTimeoutNs(5_300_000_000L)
            .publicationLingerTimeoutNs(5_400_000_000L)
            .publicationUnblockTimeoutNs(15_500_000_000L)
            .statusMessageTimeoutNs(160_000_000L)
            .untetheredWindowLimitTimeoutNs(5_700_000_000L)
            .untetheredLingerTimeoutNs(5_800_000_000L)
            .untetheredRestingTimeoutNs(10_900_000_000L)
            .counterFreeToReuseTimeoutNs(1_100_000_000L)
            .nakUnicastDelayNs(1_200)
            .nakMulticastMaxBackoffNs(13_000_000)
            .nakMulticastGroupSize(14)
            .retransmitUnicastDelayNs(1_500)
            .retransmitUnicastLingerNs(16_000_000);
    }

    /** Start a driver, stop it, and return the configuration that it printed, by name. */
    private Map<String, String> printed(final Map<String, String> variables)
    {
        output.clear();
        final Map<String, String> environment = new HashMap<>(variables);
        environment.put(PRINT, "true");
        new DriverLauncher(plan, BACKOFF, output::add, (end) -> { }).started(environment, Path.of(aeronDir())).close();

        final Map<String, String> printed = new TreeMap<>();
        synchronized (output)
        {
            for (final String line : output)
            {
                final int equals = line.indexOf('=');
                if (equals > 0)
                {
                    printed.put(line.substring(0, equals).trim(), line.substring(equals + 1).trim());
                }
            }
        }
        return printed;
    }

    private static String printedAs(final String variable, final String value)
    {
        final String name = variable.substring("AERON_".length()).toLowerCase(Locale.ROOT);
        return PRINTED.getOrDefault(variable, value.endsWith("ns") && !variable.endsWith(ARGUMENTS) ? name + "_ns" : name);
    }

    private static String asPrinted(final String value)
    {
        return switch (value)
        {
            case "true" -> "1";
            case "false" -> "0";
            default -> value.replaceFirst("ns$", "");
        };
    }

    private static String keyOf(final String variable)
    {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static List<String> keysOfTheJavaDriver() throws IllegalAccessException
    {
        final List<String> keys = new ArrayList<>();
        for (final Field field : Configuration.class.getFields())
        {
            if (field.getName().endsWith("_PROP_NAME"))
            {
                keys.add((String)field.get(null));
            }
        }
        return keys;
    }

    private static DriverPlan plan()
    {
        final Settings settings = new Settings("echo.", KEYS.all());
        settings.put("echo.driver", "c", "test");
        settings.put("echo.driver.c.receive.vector", "8", "test");
        settings.put("echo.driver.c.send.vector", "16", "test");
        settings.put("echo.driver.c.messages.per.send", "2", "test");
        return DriverPlan.of(settings, KEYS);
    }

    private String aeronDir()
    {
        return tempDir.resolve("driver").toString();
    }
}
