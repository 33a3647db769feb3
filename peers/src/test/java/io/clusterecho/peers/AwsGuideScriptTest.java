package io.clusterecho.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.SweepExecution;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sweeps of the published guide, by the plan of their script: nothing is started. */
@Timeout(60)
class AwsGuideScriptTest
{
    private static final Path SCRIPT = Path.of("../scripts/aws-guide.sh");
    private static final int REFUSED = 2;

    @TempDir
    private Path folder;

    private Path inventory;

    private record Outcome(int exitCode, List<String> lines)
    {
    }

    @BeforeEach
    void writeInventory() throws IOException
    {
        final StringBuilder text = new StringBuilder("hosts=a,b,c\n");
        for (int member = 0; member < 3; member++)
        {
            final String host = "host." + "abc".charAt(member);
            text.append(host).append(".roles=member ").append(member).append(0 == member ? ", peer\n" : "\n")
                .append(host).append(".address=10.0.").append(member).append(".4\n");
        }
        inventory = Files.writeString(folder.resolve("hosts.properties"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = { "cluster", "partition" })
    void shouldMeasureHostsWhereTheyAreWithEachDriver(final String placement) throws Exception
    {
        final Outcome outcome = plan(
            "--inventory", inventory.toString(), "--placement", placement, "--drivers", "java,c", "--set", "echo.insecure=true");
        assertThat(outcome.exitCode()).isZero();
        // The guide measured Aeron alone in a cluster placement group only.
        final int transportCount = "cluster".equals(placement) ? 2 : 0;
        assertThat(outcome.lines()).hasSize(transportCount + 2);
        assertThat(outcome.lines().subList(0, transportCount))
            .allSatisfy((line) -> assertThat(line).contains(" placement=cluster").doesNotContain("echo.insecure"));
        for (final String line : outcome.lines().subList(transportCount, transportCount + 2))
        {
            assertThat(line).contains(" --set echo.insecure=true");
            final SweepPlan plan = planOf(line);
            assertThat(plan.values().get(Dimension.PLACEMENT)).containsExactly(placement);
            assertThat(plan.values().get(Dimension.DRIVER)).containsExactly("java", "c");
            // That of the guide's scripts, which one variable sets.
            assertThat(plan.values().get(Dimension.SEND_VECTOR)).containsExactly("2");
            check(line, new Inventory(inventory));
        }
        assertThat(outcome.lines().get(transportCount + 1))
            .contains("partition".equals(placement) ? "max-rate-partition " : "max-rate ");
    }

    @Test
    void shouldLeaveOutAeronAloneWhereNoHostIsForItsServer() throws Exception
    {
        Files.writeString(inventory, Files.readString(inventory).replace(", peer", ""));
        final Outcome outcome = plan("--inventory", inventory.toString(), "--placement", "cluster");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.lines()).hasSize(3);
        assertThat(outcome.lines().get(0)).contains("no host of " + inventory + " has the role peer");
        assertThat(outcome.lines().subList(1, 3)).noneMatch((line) -> line.contains("transport"));
    }

    @Test
    void shouldMeasureAllOfTheGuideOnThisMachine() throws Exception
    {
        final List<String> lines = plan("--drivers", "java,c", "--scale", "0.1").lines();
        assertThat(lines).hasSize(7).allSatisfy((line) -> assertThat(line).endsWith(" --scale 0.1"));
        for (final String line : lines)
        {
            final SweepPlan plan = planOf(line);
            assertThat(plan.values().get(Dimension.DRIVER).contains("c") && line.contains("max-rate-partition")).isFalse();
            check(line, null);
        }
        assertThat(plan().lines()).hasSize(5).noneMatch((line) -> line.contains("driver=c"));
        assertThat(plan("--drivers", "c").lines()).hasSize(4);
    }

    @Test
    void shouldRefuseHostsOfAnUnknownPlacement() throws Exception
    {
        assertRefused("--placement= is not allowed", "--inventory", inventory.toString());
        assertRefused("--placement=rack is not allowed", "--inventory", inventory.toString(), "--placement", "rack");
        assertRefused("--placement=cluster is not allowed: only given with --inventory", "--placement", "cluster");
        assertRefused("--drivers=dpdk is not allowed", "--drivers", "dpdk");
        assertRefused("--inventory=", "--inventory", folder.resolve("none").toString(), "--placement", "cluster");
    }

    /** Check the members of a sweep for each driver; any program is in place of the C driver, which is not started. */
    private void check(final String line, final Inventory hosts)
    {
        final Map<String, String> properties = properties(line);
        for (final String driver : planOf(line).values().get(Dimension.DRIVER))
        {
            properties.put("driver", driver);
            if ("c".equals(driver))
            {
                properties.put("echo.driver.command", "sh");
            }
            if (!properties.containsKey("transport"))
            {
                SweepExecution.check(SweepPlan.parse(properties, line), hosts, folder);
            }
        }
    }

    private static SweepPlan planOf(final String line)
    {
        return SweepPlan.parse(properties(line), line);
    }

    private static Map<String, String> properties(final String line)
    {
        final List<String> words = List.of(line.split(" "));
        assertThat(words.subList(0, 2)).containsExactly("bin/peers", "matrix");
        final Map<String, String> properties = new TreeMap<>(Settings.load(Path.of("..", words.get(2) + ".properties")));
        for (int i = 3; i < words.size() - 1; i++)
        {
            if ("--set".equals(words.get(i)))
            {
                final String[] assignment = words.get(i + 1).split("=", 2);
                properties.put(assignment[0], assignment[1]);
            }
        }
        return properties;
    }

    private static void assertRefused(final String message, final String... options) throws Exception
    {
        final Outcome outcome = plan(options);
        assertThat(outcome.exitCode()).isEqualTo(REFUSED);
        assertThat(outcome.lines()).singleElement().asString().contains(message);
    }

    private static Outcome plan(final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString(), "--plan"));
        command.addAll(List.of(options));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try
        {
            final List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
            return new Outcome(process.waitFor(), lines);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
