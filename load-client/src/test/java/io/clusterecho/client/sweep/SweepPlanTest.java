package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.clusterecho.host.Processors;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SweepPlanTest
{
    @Test
    void shouldCrossEveryValueWithEveryOther()
    {
        final SweepPlan plan = plan("fsync", "0,1,2", "mtu", "1408,8k", "size", "32,288,1344", "rate", "1k,5k");
        final List<Cell> cells = plan.cells();
        assertThat(cells).hasSize(3 * 2 * 3 * 2);
        assertThat(new HashSet<>(cells.stream().map(Cell::values).toList())).hasSameSizeAs(cells);
        assertThat(cells).extracting(Cell::number).containsExactlyElementsOf(
            Stream.iterate(1, (number) -> number + 1).limit(cells.size()).toList());
        assertThat(plan.varied()).containsExactly(Dimension.FSYNC, Dimension.MTU, Dimension.SIZE, Dimension.RATE);
        assertThat(cells).allMatch((cell) -> "3".equals(cell.value(Dimension.MEMBERS)));
    }

    @Test
    void shouldStartAClusterOnceForAllCellsThatItServes()
    {
        final SweepPlan plan = plan("fsync", "0,1", "size", "32,288", "members", "1,3", "rate", "1k,2k");
        assertThat(plan.groups()).hasSize(4);
        assertThat(plan.groups().values()).allSatisfy((cells) ->
        {
            assertThat(cells).hasSize(4);
            assertThat(cells).extracting(Cell::system).containsOnly(cells.get(0).system());
        });
        assertThat(plan.groups().values().stream().flatMap(List::stream).toList()).isEqualTo(plan.cells());
    }

    @Test
    void shouldGiveEachDriverAClusterOfItsOwn()
    {
        final SweepPlan plan = plan("driver", "java, c", "size", "32,288");
        assertThat(plan.varied()).containsExactly(Dimension.DRIVER, Dimension.SIZE);
        assertThat(plan.groups().keySet()).extracting((cluster) -> cluster.get(Dimension.DRIVER)).containsExactly("java", "c");
        assertThat(plan.cells()).allMatch((cell) -> "4".equals(cell.value(Dimension.MESSAGES_PER_SEND)));
    }

    @Test
    void shouldGiveTheClientADriverOfItsOwn()
    {
        final SweepPlan plan = plan("driver", "java,c", "client-driver", "java,c");
        assertThat(plan.cells()).extracting((cell) -> cell.value(Dimension.DRIVER)).containsExactly("java", "java", "c", "c");
        assertThat(plan.groups().keySet()).extracting((values) -> Dimension.ofClient(values).get(Dimension.DRIVER))
            .containsExactly("java", "c", "java", "c");
        assertThat(plan("driver", "c").cells()).extracting((cell) -> Dimension.ofClient(cell.values()).get(Dimension.DRIVER))
            .containsExactly("c");
        assertThatThrownBy(() -> plan("client-driver", "rust"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("client-driver=rust is not allowed: same");
    }

    @Test
    void shouldTakeOneCellFromAnEmptyFile()
    {
        final SweepPlan plan = plan();
        assertThat(plan.cells()).hasSize(1);
        assertThat(plan.repeats()).isEqualTo(3);
        assertThat(plan.cells().get(0).name(plan.varied())).isEqualTo("the only cell");
    }

    @Test
    void shouldBeTheSameWhenItIsReadBack()
    {
        final SweepPlan plan = plan(
            "fsync", " 0 , 2 ", "mtu", "8k", "rate", "1k,1.5k", "duration", "1500ms", "slo", "p99.9<5ms,lost==0",
            "scale", "25%", "echo.base.port", "33000", "aeron.socket.so_sndbuf", "2m", "snapshot-every",
            "none,1500ms,5000ms", "state-length", "8m", "backup", "no,yes", "churn", "0,1k", "fault", "none,kill", "away",
            "5000ms", "log-length", "5m", "before-fault", "purge", "term-length", "64m", "image-liveness", "2s");
        assertThat(SweepPlan.parse(plan.properties(), "test")).isEqualTo(plan);
        assertThat(plan.settings()).containsOnlyKeys("echo.base.port", "aeron.socket.so_sndbuf");
        assertThat(plan.values().get(Dimension.MTU)).containsExactly("8192");
        assertThat(plan.values().get(Dimension.SNAPSHOT_EVERY)).containsExactly("none", "1500ms", "5s");
        assertThat(plan.values().get(Dimension.CHURN)).containsExactly("0", "1000");
    }

    @Test
    void shouldLetTheClientSleepWhereCoresAreFewAndMessagesMany()
    {
        final String sleeping = Processors.areFew() ? "backoff" : "auto";
        assertThat(idles("backoff-if-few")).containsExactly(sleeping, sleeping);
        final SweepPlan plan = plan("idle", "backoff-if-few:8", "load", "ping-pong", "in-flight", "4,8");
        assertThat(plan.cells()).extracting((cell) -> cell.value(Dimension.IDLE)).containsExactly("auto", sleeping);
        assertThat(plan.twin(plan.cells().get(1), Dimension.IN_FLIGHT, "4")).isEqualTo(plan.cells().get(0).values());
        assertThat(SweepPlan.parse(plan.properties(), "test")).isEqualTo(plan);
    }

    private static List<String> idles(final String idle)
    {
        return plan("idle", idle, "load", "ping-pong", "in-flight", "4,8").cells().stream()
            .map((cell) -> cell.value(Dimension.IDLE)).toList();
    }

    @ParameterizedTest
    @CsvSource({ "10k,1,10000", "10k,0.1,1000", "33333,0.5,16700", "33333,1,33333", "1,0.001,1" })
    void shouldTellTheRateOfACell(final String rate, final double scale, final long expected)
    {
        assertThat(plan("rate", rate).cells().get(0).ratePerSecond(scale)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "fsync           | 3            | fsync=3        | 0 to 2",
        "fsync           | 0,0          | fsync=0,0      | each value once",
        "mtu             | 8k,8192      | mtu=8k,8192    | each value once",
        "mtu             | 1000         | mtu=1000       | multiple of 32",
        "state-length    | 12           | state-length=12 | multiple of 8",
        "backup          | true         | backup=true    | yes or no",
        "snapshot-every  | 5s,5000ms    | snapshot-every=5s,5000ms | each value once",
        "snapshot-every  | 0s           | snapshot-every=0s | as in 5s, or none",
        "snapshot-every  | often        | snapshot-every=often | as in 5s, or none",
        "fault           | Kill         | fault=Kill     | none, or a fault of failover",
        "away            | 0s           | away=0s        | a time above 0",
        "log-length      | long         | log-length=long | a number of bytes",
        "before-fault    | retain       | before-fault=retain | none, snapshot or purge",
        "term-length     | 5m           | term-length=5m | a power of two",
        "image-liveness  | never        | image-liveness=never | a time above 0",
        "aeron.image.liveness.timeout | 5s | aeron.image.liveness.timeout=5s | is image-liveness",
        "churn           | 1001         | churn=1001     | 0 to 1000",
        "churn           | often        | churn=often    | sessions per second",
        "size            | 31           | size=31        | from 32",
        "rate            | 0            | rate=0         | or max, the highest rate",
        "rate            | 50%          | rate=50%       | or max, the highest rate",
        "placement       | far away     | placement=far away | none, cluster",
        "members         | 0            | members=0      | 1 to 9",
        "driver          | rust         | driver=rust    | java, embedded, c or external",
        "send-vector     | 17           | send-vector=17 | 1 to 16",
        "profile         | fastest      | profile=fastest | compact",
        "repeats         | 0            | repeats=0      | from 1",
        "duration        | 10           | duration=10    | as in 500ms",
        "duration        | 0s           | duration=0ns   | more than 0",
        "slo             | q98<1ms      | slo=q98<1ms    | p99<1ms",
        "scale           | 0            | scale=0.0      | more than 0",
        "load            | calls        | load=calls     | not given with transport=cluster",
        "idle            | backoff-if-few:0 | idle=backoff-if-few:0 | backoff where cores are few",
        "transport       | carrier      | transport=carrier | cluster; with bin/peers also a system that it serves",
        "transport       | memory       | transport=memory | cluster; with bin/peers also a system that it serves",
        "peer.term.length | 8m          | peer.term.length=8m | not given with transport=cluster",
        "rate            | most         | rate=most      | or max, the highest rate",
        "sizes           | 32           | sizes=32       | known are transport, members",
        "echo.fsync      | 1            | echo.fsync=1   | is fsync",
        "echo.driver     | c            | echo.driver=c  | is driver",
        "echo.base.dir   | x            | echo.base.dir=x | the sweep sets it",
        "echo.nonsense   | 1            | echo.nonsense=1 | known are" })
    void shouldNameKeyValueAndWhatIsAllowed(
        final String key, final String value, final String named, final String allowed)
    {
        assertThatThrownBy(() -> plan(key, value)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(named).hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @MethodSource("readyPlans")
    void shouldReadEveryReadySweep(final Path file)
    {
        final SweepPlan plan = SweepPlan.parse(Settings.load(file), file.toString());
        assertThat(plan.cells()).hasSizeGreaterThan(1);
        assertThat(plan.repeats()).isGreaterThan(1);
    }

    private static List<Path> readyPlans() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("../config/matrix")))
        {
            // The others need the systems of bin/peers.
            return files.filter((file) -> !Settings.load(file).containsKey(Dimension.TRANSPORT.key())).toList();
        }
    }

    private static SweepPlan plan(final String... properties)
    {
        final Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < properties.length; i += 2)
        {
            map.put(properties[i], properties[i + 1]);
        }
        return SweepPlan.parse(map, "test");
    }
}
