package io.clusterecho.media.driver;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Environment variables that configure the C driver like the context of a Java driver. Aeron's keys that the user set override
 * them, as in the Java driver.
 */
final class DriverEnvironment
{
    private static final String PREFIX = "aeron.";
    private static final List<String> OF_OTHERS = List.of("aeron.archive.", "aeron.cluster.");
    private static final List<String> IDLE_KEYS = List.of(
        "aeron.conductor.idle.strategy", "aeron.sender.idle.strategy", "aeron.receiver.idle.strategy",
        "aeron.sharednetwork.idle.strategy", "aeron.shared.idle.strategy");
    private static final String THREADING_KEY = "aeron.threading.mode";
    private static final String LIBRARIES = "AERON_DRIVER_DYNAMIC_LIBRARIES";
    /** Names the driver's functions for sockets; it crashes for an unknown name. */
    static final String BINDINGS = "AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_MEDIA";
    /** Makes our own functions for sockets stamp what they receive. */
    static final String STAMPS = "CLUSTER_ECHO_STAMP_ARRIVALS";
    private static final String ARGUMENTS = "_INIT_ARGS";
    /** Keys whose variable in C is not the key in upper case. */
    private static final Map<String, String> RENAMED =
        Map.of("aeron.name.resolver.threshold", "AERON_DRIVER_NAME_RESOLVER_THRESHOLD");
    /** Keys of the Java driver without a variable in C: the C driver would silently use its default. */
    private static final Set<String> OF_JAVA_ALONE = Set.of(
        "aeron.ReceiveChannelEndpoint.supplier", "aeron.SendChannelEndpoint.supplier",
        "aeron.flow.control.sm.applicationSpecificFeedback", "aeron.PreferredMulticastFlowControl.asf",
        "aeron.multicast.flow.control.rrwm", "aeron.multicast.flow.control.strategy",
        "aeron.unicast.flow.control.rrwm", "aeron.unicast.flow.control.strategy",
        "aeron.use.windows.high.res.timer");

    /**
     * The variables by name, sorted.
     *
     * @param ctx  of an equivalent Java driver, which is neither launched nor concluded.
     * @param idle strategy of all its threads, unless an Aeron key sets another; an embedded driver has none.
     * @throws InvalidSettingException for an Aeron key that the C driver cannot apply.
     */
    static SortedMap<String, String> of(
        final MediaDriver.Context ctx, final DriverPlan plan, final DriverIdle idle, final Map<String, String> properties)
    {
        final SortedMap<String, String> variables = new TreeMap<>();
        putContext(variables, ctx);
        variables.put("AERON_RECEIVER_IO_VECTOR_CAPACITY", String.valueOf(plan.receiveVector()));
        variables.put("AERON_SENDER_IO_VECTOR_CAPACITY", String.valueOf(plan.sendVector()));
        variables.put("AERON_NETWORK_PUBLICATION_MAX_MESSAGES_PER_SEND", String.valueOf(plan.messagesPerSend()));
        if (plan.isEmbedded())
        {
            // Terms are allocated at once: a page that cannot be allocated later would be a memory fault in native code, which
            // ends the process. The folder is deleted by its user: a driver that rejects a setting would report only that it
            // cannot delete it.
            variables.put("AERON_THREADING_MODE", ThreadingMode.INVOKER.name());
            variables.put("AERON_TERM_BUFFER_SPARSE_FILE", "false");
            variables.put("AERON_DIR_DELETE_ON_SHUTDOWN", "false");
        }
        else
        {
            putIdle(variables, idle);
            // A driver in a separate process needs at least one thread.
            variables.put(
                "AERON_THREADING_MODE",
                (ThreadingMode.INVOKER == ctx.threadingMode() ? ThreadingMode.SHARED : ctx.threadingMode()).name());
            putSockets(variables, plan);
        }
        properties.forEach((key, value) -> putGiven(variables, plan, key, value));
        return variables;
    }

    private static void putContext(final Map<String, String> variables, final MediaDriver.Context ctx)
    {
        variables.put("AERON_DIR", ctx.aeronDirectoryName());
        variables.put("AERON_DIR_DELETE_ON_START", String.valueOf(ctx.dirDeleteOnStart()));
        variables.put("AERON_DIR_DELETE_ON_SHUTDOWN", String.valueOf(ctx.dirDeleteOnShutdown()));
        variables.put("AERON_DIR_WARN_IF_EXISTS", String.valueOf(ctx.warnIfDirectoryExists()));

        variables.put("AERON_MTU_LENGTH", String.valueOf(ctx.mtuLength()));
        variables.put("AERON_IPC_MTU_LENGTH", String.valueOf(ctx.ipcMtuLength()));
        variables.put("AERON_SOCKET_SO_RCVBUF", String.valueOf(ctx.socketRcvbufLength()));
        variables.put("AERON_SOCKET_SO_SNDBUF", String.valueOf(ctx.socketSndbufLength()));
        variables.put("AERON_RCV_INITIAL_WINDOW_LENGTH", String.valueOf(ctx.initialWindowLength()));
        variables.put("AERON_TERM_BUFFER_LENGTH", String.valueOf(ctx.publicationTermBufferLength()));
        variables.put("AERON_IPC_TERM_BUFFER_LENGTH", String.valueOf(ctx.ipcTermBufferLength()));
        variables.put("AERON_TERM_BUFFER_SPARSE_FILE", String.valueOf(ctx.termBufferSparseFile()));
        variables.put("AERON_SPIES_SIMULATE_CONNECTION", String.valueOf(ctx.spiesSimulateConnection()));
        variables.put("AERON_DRIVER_STREAM_SESSION_LIMIT", String.valueOf(ctx.streamSessionLimit()));
        variables.put("AERON_DRIVER_ASYNC_EXECUTOR_ENABLED", String.valueOf(ctx.asyncExecutorEnabled()));

        variables.put("AERON_DRIVER_TIMEOUT", String.valueOf(ctx.driverTimeoutMs()));
        variables.put("AERON_TIMER_INTERVAL", ns(ctx.timerIntervalNs()));
        variables.put("AERON_CLIENT_LIVENESS_TIMEOUT", ns(ctx.clientLivenessTimeoutNs()));
        variables.put("AERON_IMAGE_LIVENESS_TIMEOUT", ns(ctx.imageLivenessTimeoutNs()));
        variables.put("AERON_PUBLICATION_CONNECTION_TIMEOUT", ns(ctx.publicationConnectionTimeoutNs()));
        variables.put("AERON_PUBLICATION_LINGER_TIMEOUT", ns(ctx.publicationLingerTimeoutNs()));
        variables.put("AERON_PUBLICATION_UNBLOCK_TIMEOUT", ns(ctx.publicationUnblockTimeoutNs()));
        variables.put("AERON_RCV_STATUS_MESSAGE_TIMEOUT", ns(ctx.statusMessageTimeoutNs()));
        variables.put("AERON_UNTETHERED_WINDOW_LIMIT_TIMEOUT", ns(ctx.untetheredWindowLimitTimeoutNs()));
        if (Aeron.NULL_VALUE != ctx.untetheredLingerTimeoutNs())
        {
            variables.put("AERON_UNTETHERED_LINGER_TIMEOUT", ns(ctx.untetheredLingerTimeoutNs()));
        }
        variables.put("AERON_UNTETHERED_RESTING_TIMEOUT", ns(ctx.untetheredRestingTimeoutNs()));
        variables.put("AERON_COUNTERS_FREE_TO_REUSE_TIMEOUT", ns(ctx.counterFreeToReuseTimeoutNs()));
        variables.put("AERON_NAK_UNICAST_DELAY", ns(ctx.nakUnicastDelayNs()));
        variables.put("AERON_NAK_MULTICAST_MAX_BACKOFF", ns(ctx.nakMulticastMaxBackoffNs()));
        variables.put("AERON_NAK_MULTICAST_GROUP_SIZE", String.valueOf(ctx.nakMulticastGroupSize()));
        variables.put("AERON_RETRANSMIT_UNICAST_DELAY", ns(ctx.retransmitUnicastDelayNs()));
        variables.put("AERON_RETRANSMIT_UNICAST_LINGER", ns(ctx.retransmitUnicastLingerNs()));
    }

    private static void putSockets(final Map<String, String> variables, final DriverPlan plan)
    {
        // The driver takes a list, with commas.
        if (null != plan.library() && !plan.library().toString().contains(",") &&
            null == System.getenv(LIBRARIES) && null == System.getenv(BINDINGS))
        {
            variables.put(LIBRARIES, plan.library().toString());
            variables.put(BINDINGS, "cluster_echo_sockets");
        }
    }

    private static void putIdle(final Map<String, String> variables, final DriverIdle idle)
    {
        for (final String key : IDLE_KEYS)
        {
            variables.put(nameOf(key), idle.name());
            if (!idle.arguments().isEmpty())
            {
                variables.put(nameOf(key) + ARGUMENTS, idle.arguments());
            }
        }
    }

    private static void putGiven(
        final Map<String, String> variables, final DriverPlan plan, final String key, final String value)
    {
        if (!key.startsWith(PREFIX) || OF_OTHERS.stream().anyMatch(key::startsWith) ||
            plan.isEmbedded() && IDLE_KEYS.contains(key))
        {
            return;
        }

        InvalidSettingException.throwIf(
            THREADING_KEY.equals(key) && plan.isEmbedded() != "INVOKER".equals(value), key, value,
            plan.isEmbedded() ? "INVOKER with the embedded driver, which has no threads" :
            "DEDICATED, SHARED_NETWORK or SHARED with a separate driver");
        InvalidSettingException.throwIf(
            OF_JAVA_ALONE.contains(key), key, value, "must not be set with the C driver, which has no such setting");
        InvalidSettingException.throwIf(
            value.matches("([a-z_0-9]+\\.)+[A-Z]\\w*"), key, value,
            "must not be set with the C driver, because it names a Java class");
        variables.put(nameOf(key), value);
        if (IDLE_KEYS.contains(key))
        {
            variables.remove(nameOf(key) + ARGUMENTS);
        }
    }

    private static String nameOf(final String key)
    {
        return RENAMED.getOrDefault(key, key.replace('.', '_').toUpperCase(Locale.ROOT));
    }

    private static String ns(final long timeNs)
    {
        return timeNs + "ns";
    }
}
