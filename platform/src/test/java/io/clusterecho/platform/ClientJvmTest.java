package io.clusterecho.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.process.JavaCommand;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientJvmTest
{
    private static final List<String> RECORDED = List.of("-Xmx2g", "-XX:+UseSerialGC");

    @Test
    void shouldReadFlagsBetweenComments() throws IOException
    {
        assertThat(ClientJvm.flags("# -Xint\n\n -Xmx2g  -Xms1g # why\n-XX:+UseSerialGC")).containsExactly(
            "-Xmx2g", "-Xms1g", "-XX:+UseSerialGC");
        assertThat(ClientJvm.flags(Files.readString(Path.of("../config/jvm/client.options"))))
            .contains("-XX:+UseSerialGC").allMatch((flag) -> flag.startsWith("-X"));
    }

    @Test
    void shouldFindNoDifferenceWhereAllFlagsAreGiven()
    {
        assertThat(ClientJvm.difference(RECORDED, RECORDED)).isEmpty();
        assertThat(ClientJvm.difference(
            RECORDED, List.of("-Dname=value", "-XX:+UseSerialGC", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-Xmx2g")))
            .isEmpty();
    }

    @Test
    void shouldNameFlagsThatAreMissingOrAdded()
    {
        assertThat(ClientJvm.difference(RECORDED, List.of())).isEqualTo(
            "other settings than config/jvm/client.options (missing: -Xmx2g -XX:+UseSerialGC)");
        assertThat(ClientJvm.difference(RECORDED, List.of("-Xmx2g", "-XX:+UseSerialGC", "-Xmx4g"))).isEqualTo(
            "other settings than config/jvm/client.options (added: -Xmx4g)");
        assertThat(ClientJvm.difference(RECORDED, List.of("-Xmx2g", "-XX:+UseZGC"))).isEqualTo(
            "other settings than config/jvm/client.options (missing: -XX:+UseSerialGC; added: -XX:+UseZGC)");
    }

    @Test
    void shouldCompareThisJvmWithTheFlagsInTheJar()
    {
        // Tests run without them.
        assertThat(ClientJvm.facts().get("settings")).isEqualTo(ClientJvm.difference()).contains("missing: ")
            .contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(ClientJvm.facts()).containsAllEntriesOf(MachineFacts.jvm());
    }

    @Test
    void shouldFindNoDifferenceInAJvmThatReadsThem() throws IOException
    {
        final Process process = new ProcessBuilder(JavaCommand.ofClass(
            PrintSettings.class.getName(), List.of("@../config/jvm/client.options"), List.of()))
            .redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualToIgnoringNewLines("those of config/jvm/client.options");
    }

    static final class PrintSettings
    {
        private PrintSettings()
        {
        }

        public static void main(final String[] args)
        {
            System.out.println(ClientJvm.facts().get("settings"));
        }
    }
}
