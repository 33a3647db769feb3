package io.clusterecho.media.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.junit.jupiter.api.Test;

import io.clusterecho.settings.InvalidSettingException;

class DriverEnvironmentTest
{
    private static final DriverPlan PLAN = new DriverPlan("c", List.of("aeronmd"), 8, 16, 2, null, "", "");

    private final MediaDriver.Context ctx = new MediaDriver.Context()
        .aeronDirectoryName("/dev/shm/some-driver")
        .threadingMode(ThreadingMode.DEDICATED)
        .dirDeleteOnShutdown(true)
        .mtuLength(8192)
        .ipcMtuLength(4096)
        .initialWindowLength(1 << 20)
        .socketRcvbufLength(2 << 20)
        .socketSndbufLength(3 << 20)
        .publicationTermBufferLength(16 << 20)
        .ipcTermBufferLength(8 << 20)
        .termBufferSparseFile(true)
        .spiesSimulateConnection(true)
        .streamSessionLimit(77)
        .imageLivenessTimeoutNs(5_000_000_000L);

    @Test
    void shouldConfigureTheCDriverLikeTheJavaDriver()
    {
        assertThat(DriverEnvironment.of(ctx, PLAN, DriverIdle.SPIN, Map.of()))
            .containsEntry("AERON_DIR", "/dev/shm/some-driver")
            .containsEntry("AERON_DIR_DELETE_ON_SHUTDOWN", "true")
            .containsEntry("AERON_THREADING_MODE", "DEDICATED")
            .containsEntry("AERON_MTU_LENGTH", "8192")
            .containsEntry("AERON_IPC_MTU_LENGTH", "4096")
            .containsEntry("AERON_RCV_INITIAL_WINDOW_LENGTH", "1048576")
            .containsEntry("AERON_SOCKET_SO_RCVBUF", "2097152")
            .containsEntry("AERON_SOCKET_SO_SNDBUF", "3145728")
            .containsEntry("AERON_TERM_BUFFER_LENGTH", "16777216")
            .containsEntry("AERON_IPC_TERM_BUFFER_LENGTH", "8388608")
            .containsEntry("AERON_TERM_BUFFER_SPARSE_FILE", "true")
            .containsEntry("AERON_SPIES_SIMULATE_CONNECTION", "true")
            .containsEntry("AERON_DRIVER_STREAM_SESSION_LIMIT", "77")
            .containsEntry("AERON_IMAGE_LIVENESS_TIMEOUT", "5000000000ns")
            .containsEntry("AERON_DRIVER_TIMEOUT", "10000")
            .containsEntry("AERON_SENDER_IDLE_STRATEGY", "spin")
            .containsEntry("AERON_RECEIVER_IO_VECTOR_CAPACITY", "8")
            .containsEntry("AERON_SENDER_IO_VECTOR_CAPACITY", "16")
            .containsEntry("AERON_NETWORK_PUBLICATION_MAX_MESSAGES_PER_SEND", "2")
            .doesNotContainKey("AERON_SENDER_IDLE_STRATEGY_INIT_ARGS")
            .allSatisfy((name, value) -> assertThat(value).as(name).isNotEmpty().isNotEqualTo("-1ns"));
    }

    @Test
    void shouldGiveAnInvokedDriverAThread()
    {
        ctx.threadingMode(ThreadingMode.INVOKER);

        assertThat(DriverEnvironment.of(ctx, PLAN, new DriverIdle("sleep-ns", "1000ns"), Map.of()))
            .containsEntry("AERON_THREADING_MODE", "SHARED")
            .containsEntry("AERON_SHARED_IDLE_STRATEGY", "sleep-ns")
            .containsEntry("AERON_SHARED_IDLE_STRATEGY_INIT_ARGS", "1000ns");
    }

    @Test
    void shouldLeaveTheThreadToTheProcessAndAllocateTermsWithAnEmbeddedDriver()
    {
        final DriverPlan plan = new DriverPlan(
            "embedded", List.of(), 8, 16, 2, Path.of("/x/libembedded-driver.so"), "", "");
        final Map<String, String> idleKey = Map.of("aeron.shared.idle.strategy", "com.example.OwnIdleStrategy");

        assertThat(DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, idleKey))
            .containsEntry("AERON_THREADING_MODE", "INVOKER")
            .containsEntry("AERON_TERM_BUFFER_SPARSE_FILE", "false")
            .containsEntry("AERON_RECEIVER_IO_VECTOR_CAPACITY", "8")
            .doesNotContainKeys("AERON_SHARED_IDLE_STRATEGY", "AERON_DRIVER_DYNAMIC_LIBRARIES");
        assertThat(DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, Map.of("aeron.term.buffer.sparse.file", "true")))
            .containsEntry("AERON_TERM_BUFFER_SPARSE_FILE", "true");
        assertThatThrownBy(
            () -> DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, Map.of("aeron.threading.mode", "SHARED")))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("aeron.threading.mode=SHARED is not allowed: INVOKER with the embedded driver, which has no threads");
    }

    @Test
    void shouldGiveOurSocketsToTheDriverOfTheSameBuildUnlessAKeyNamesOthers()
    {
        final DriverPlan plan =
            new DriverPlan("c", List.of("/x/aeronmd"), 8, 16, 2, Path.of("/x/libembedded-driver.so"), "", "");
        final String bindings = "AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_MEDIA";

        assertThat(DriverEnvironment.of(ctx, PLAN, DriverIdle.YIELD, Map.of())).doesNotContainKey(bindings);
        assertThat(DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, Map.of()))
            .containsEntry("AERON_DRIVER_DYNAMIC_LIBRARIES", "/x/libembedded-driver.so")
            .containsEntry(bindings, "cluster_echo_sockets");
        assertThat(DriverEnvironment.of(
            ctx, plan, DriverIdle.YIELD, Map.of("aeron.udp.channel.transport.bindings.media", "default")))
            .containsEntry(bindings, "default");
    }

    @Test
    void shouldLetAeronKeysOverride()
    {
        final Map<String, String> keys = Map.of(
            "aeron.mtu.length", "2k",
            "aeron.socket.so_rcvbuf", "4m",
            "aeron.shared.idle.strategy", "yield",
            "aeron.conductor.idle.strategy", "spin",
            "aeron.max.resend", "32",
            "aeron.name.resolver.threshold", "3s",
            "aeron.cluster.id", "3",
            "aeron.archive.dir", "/x",
            "user.dir", "/y");

        assertThat(DriverEnvironment.of(ctx, PLAN, DriverIdle.backoff(1, 50, 1_000, 50_000), keys))
            .containsEntry("AERON_MTU_LENGTH", "2k")
            .containsEntry("AERON_SOCKET_SO_RCVBUF", "4m")
            .containsEntry("AERON_SHARED_IDLE_STRATEGY", "yield")
            .containsEntry("AERON_CONDUCTOR_IDLE_STRATEGY", "spin")
            .containsEntry("AERON_SENDER_IDLE_STRATEGY_INIT_ARGS", "1-50-1000-50000")
            .containsEntry("AERON_MAX_RESEND", "32")
            .containsEntry("AERON_DRIVER_NAME_RESOLVER_THRESHOLD", "3s")
            .doesNotContainKeys(
                "AERON_SHARED_IDLE_STRATEGY_INIT_ARGS", "AERON_CLUSTER_ID", "AERON_ARCHIVE_DIR", "USER_DIR");
    }

    @Test
    void shouldRejectKeysThatTheCDriverCannotApply()
    {
        for (final String[] key : new String[][]{
            { "aeron.threading.mode", "INVOKER" },
            { "aeron.shared.idle.strategy", "org.agrona.concurrent.SleepingMillisIdleStrategy" },
            { "aeron.unicast.flow.control.rrwm", "8" },
            { "aeron.unicast.FlowControl.supplier", "io.aeron.driver.MinMulticastFlowControlSupplier" } })
        {
            assertThatThrownBy(() -> DriverEnvironment.of(ctx, PLAN, DriverIdle.SPIN, Map.of(key[0], key[1])))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith(key[0] + "=" + key[1] + " is not allowed: ");
        }
    }
}
