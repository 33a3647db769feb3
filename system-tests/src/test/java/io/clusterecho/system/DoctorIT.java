package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("any-driver")
class DoctorIT
{
    private static final int UNUSABLE = 2;
    private static final int UNFIT = 4;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @Test
    void shouldCheckAndDescribeThisHost()
    {
        final CommandResult doctor = doctor("--json");
        final JsonNode report = doctor.json();
        assertThat(report.path("format").asText()).isEqualTo("cluster-echo-doctor/1");
        assertThat(doctor.exitCode()).as("%s", doctor).isEqualTo(report.path("fit").asBoolean() ? 0 : UNFIT);
        assertThat(report.path("plan").path("members").asInt()).isEqualTo(3);
        assertThat(report.path("checks").findValuesAsText("name")).containsExactlyInAnyOrder(
            "cores", "hyper-threads", "isolation", "governor", "numa", "clock source", "timer slack", "huge pages",
            "memory sampling", "swap", "write-back", "free memory", "interruptions", "memory", "cpu quota",
            "network", "tcp", "mtu", "shared memory", "disk", "file system", "disk speed", "ports");
        assertThat(List.of(level(report, "ports"), level(report, "mtu"))).containsOnly("ok");
        assertThat(report.path("machine").path("kernel").asText()).startsWith("#");
        assertThat(report.path("machine").path("clusterFileSystem").asText()).contains(" on ", " at /");
        cluster.assertNothingIsLeft();
    }

    @Tag("matrix-32")
    @Test
    void shouldRejectInvalidSettings()
    {
        final CommandResult doctor = doctor("--mtu", "1401");
        assertThat(doctor.exitCode()).as("%s", doctor).isEqualTo(UNUSABLE);
        assertThat(doctor.err()).contains("echo.mtu=1401").hasLineCount(1);
    }

    private CommandResult doctor(final String... options)
    {
        final List<String> arguments =
            new java.util.ArrayList<>(List.of("--members", "3", "--base-port", String.valueOf(cluster.basePort())));
        arguments.addAll(List.of(options));
        return cluster.command("doctor", arguments.toArray(String[]::new));
    }

    private static String level(final JsonNode report, final String name)
    {
        return StreamSupport.stream(report.path("checks").spliterator(), false)
            .filter((check) -> name.equals(check.path("name").asText())).findFirst().orElseThrow().path("level").asText();
    }
}
