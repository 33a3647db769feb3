package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ScheduleOptionsTest
{
    private static final String KIND = " --kind orders:400:64";

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    private int execute(final String arguments)
    {
        return LoadClient.execute(("run --transport memory --idle sleep --warm-up 100ms --duration 500ms --json --output " +
            folder + " " + arguments.strip()).split(" "));
    }

    @Test
    void shouldRejectKindsWithTheRateOfAFile() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("load.properties"), "rate=2k\nsize=288\n");
        assertThat(execute("--config " + file + KIND)).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=2k is not allowed: not given with --kind: each kind has its own");
    }

    @Test
    void shouldRejectKindsAndARateFromOnePlace() throws IOException
    {
        assertThat(execute("--rate 2k" + KIND)).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=2k is not allowed: not given with --kind: each kind has its own");

        streams.clear();
        final Path file = Files.writeString(folder.resolve("both.properties"), "rate=2k\nkind=orders:400:64\n");
        assertThat(execute("--config " + file)).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=2k is not allowed: not given with --kind: each kind has its own");
    }

    @Test
    void shouldRejectATypedRateWithKindsOfAFile() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("kinds.properties"), "kind=orders:400:64\n");
        assertThat(execute("--config " + file + " --rate 3k")).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=3k is not allowed: not given with --kind");

        streams.clear();
        assertThat(execute("--config " + file)).isIn(0, 4);
        assertThat(streams.err()).doesNotContain("replaces");
    }
}
