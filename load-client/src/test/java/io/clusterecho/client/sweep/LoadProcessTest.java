package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.SampleConfig;

import org.junit.jupiter.api.Test;

class LoadProcessTest
{
    private static final Path FOLDER = Path.of("run");

    @Test
    void shouldPassOnTheOptionsOfTheSweepThatTheLoadHas()
    {
        final RunConfig given = SampleConfig.of("cluster", FOLDER, "--connections=4", "--idle=backoff", "--core=any");
        assertThat(arguments(given, Map.of("in-flight", "2"))).containsSequence("--concurrency", "8", "--connections", "4")
            .containsSequence("--core", "any").containsSequence("--idle", "backoff").endsWith("--transport", "cluster");
    }

    @Test
    void shouldPreferWhatTheSweepFileSays()
    {
        final RunConfig given = SampleConfig.of("cluster", FOLDER, "--connections=4", "--idle=backoff");
        assertThat(arguments(given, Map.of("connections", "2", "idle", "spin")))
            .containsSequence("--concurrency", "2", "--connections", "2").containsSequence("--idle", "spin");
    }

    @Test
    void shouldEndAJvmWhoseHeapIsFull()
    {
        assertThat(LoadProcess.flags("auto")).containsExactly("-XX:+ExitOnOutOfMemoryError");
        assertThat(LoadProcess.flags("92m")).containsExactly("-XX:+ExitOnOutOfMemoryError", "-Xmx92m");
    }

    private static List<String> arguments(final RunConfig given, final Map<String, String> properties)
    {
        final Map<String, String> all = new TreeMap<>(properties);
        all.put("load", "ping-pong");
        final SweepPlan plan = SweepPlan.parse(all, "test");
        final Cell cell = plan.cells().get(0);
        return new LoadProcess(plan, cell, given, plan.warmUp(cell, true), List.of("--transport", "cluster"), FOLDER).arguments();
    }
}
