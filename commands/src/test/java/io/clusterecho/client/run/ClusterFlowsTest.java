package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.media.zone.Placement;
import io.clusterecho.settings.SettingKeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFlowsTest
{
    private static final int MB = 1 << 20;
    private static final Map<String, String> SETTINGS = Map.of(
        "echo.log.term.length", "1m", "echo.client.term.length", "4m", "aeron.rcv.initial.window.length", "2m");

    @TempDir
    private Path folder;

    @Test
    void shouldDeriveTermsOfTheIngressFromRateAndDistance() throws IOException
    {
        // 100k/s of 352 bytes over 30 ms and back.
        final ClusterFlows flows = flows("--rate=100k", SETTINGS, "30ms", "0ms");

        assertThat(flows.ingressTermLength()).isEqualTo(8 * MB);
        assertThat(flows.derived()).containsExactly(Map.entry("ingress-term-length", "8388608"));
        assertThat(flows("--rate=100k --connections=100", SETTINGS, "30ms", "0ms").derived()).isEmpty();
        assertThat(flows("--rate=100k", SETTINGS, "0ms", "30ms").derived()).isEmpty();
    }

    @Test
    void shouldNameTheStreamsThatAreHeldBack() throws IOException
    {
        assertThat(flows("--rate=100k", SETTINGS, "0ms", "0ms").warnings()).isEmpty();
        assertThat(flows("--rate=1k", SETTINGS, "10ms", "10ms").warnings()).isEmpty();
        assertThat(flows("--rate=100k", SETTINGS, "1ms", "10ms").warnings()).singleElement().asString()
            .startsWith("flow control limits the log").contains("704,000 bytes").contains("echo.log.term.length of 2097152")
            .doesNotContain("window.length of the members");
        assertThat(flows("--rate=100k", SETTINGS, "30ms", "0ms").warnings()).hasSize(2)
            .anySatisfy((warning) -> assertThat(warning).startsWith("flow control limits the ingress").contains("--connections"))
            .anySatisfy((warning) -> assertThat(warning).startsWith("flow control limits the egress")
                .contains("echo.client.term.length of 8388608"));
    }

    @Test
    void shouldSayNothingOfAClusterThatIsNotKnown() throws IOException
    {
        assertThat(flows("--rate=1M", Map.of(), "30ms", "30ms").warnings()).isEmpty();
        assertThat(new ClusterFlows(config("--rate=1M"), SETTINGS, 1408, Optional.empty()).warnings()).isEmpty();
    }

    private ClusterFlows flows(
        final String arguments, final Map<String, String> settings, final String toClients, final String toFollowers)
        throws IOException
    {
        final Path file = Files.writeString(folder.resolve("zones.properties"), """
            zones=outside,one,two,three
            client=outside
            member.0=one
            member.1=two
            member.2=three
            zone.outside.one.delay=%1$s
            zone.outside.two.delay=%1$s
            zone.outside.three.delay=%1$s
            zone.one.two.delay=%2$s
            zone.one.three.delay=%2$s
            zone.two.three.delay=%2$s
            """.formatted(toClients, toFollowers));
        return new ClusterFlows(config(arguments), settings, 1408, Placement.of(SettingKeys.PLACEMENT, file.toString(), 3));
    }

    private static RunConfig config(final String arguments)
    {
        return RunConfig.parse(List.of(arguments.split(" ")));
    }
}
