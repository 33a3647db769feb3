package io.clusterecho.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.Profile;
import io.clusterecho.node.member.RoomNeeded;

class HostsDocTest
{
    private static final Path DOC = Path.of("../docs/HOSTS.md");
    private static final Path CONTAINERFILE = Path.of("../deploy/container/Containerfile");
    private static final Set<String> INSTRUCTIONS =
        Set.of("ARG", "FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "STOPSIGNAL", "ENTRYPOINT", "CMD", "ENV");

    @TempDir
    private Path root;

    /** If it fails, copy the expected rows into the table. */
    @Test
    void shouldTellTheSharedMemoryThatMembersTake() throws IOException
    {
        final StringBuilder rows = new StringBuilder();
        for (final String length : List.of("16m", "64m", "256m"))
        {
            rows.append("| `").append(length).append('`');
            for (final int members : new int[]{ 1, 3, 5 })
            {
                rows.append(" | ").append(RoomNeeded.text(need(members, length).sharedMemoryLength()));
            }
            rows.append(" | ").append(RoomNeeded.text(need(1, length).diskLength())).append(" |\n");
        }
        assertThat(DOC).content().contains(rows)
            .contains("each more takes " + RoomNeeded.text(need(1, "16m").sessionLength()));
    }

    @Test
    void shouldTellTheThreadsOfProfiles() throws IOException
    {
        for (final Profile profile : Profile.values())
        {
            final String name = profile.name().toLowerCase(java.util.Locale.ROOT);
            assertThat(DOC).content().contains("| " + name + " | " + profile.threadCount() + ", ");
        }
    }

    @Test
    void shouldMakeTheImageOfInstructionsAndFilesThatAreThere() throws IOException
    {
        final String text = Files.readString(CONTAINERFILE).replaceAll("(?m)^#.*\\R", "").replaceAll("\\\\\\R", " ");
        assertThat(text.lines().filter((line) -> !line.isBlank()).map((line) -> line.split(" ")[0])).isSubsetOf(INSTRUCTIONS)
            .startsWith("ARG", "FROM").contains("ENTRYPOINT");
        assertThat(Pattern.compile("/opt/cluster-echo/([a-z/.-]+)").matcher(text).results().map((match) -> match.group(1)))
            .containsOnly("config/jvm/node.options", "cluster-node.jar", "cluster-node.jsa");
        assertThat(Path.of("../config/jvm/node.options")).exists();
    }

    private RoomNeeded need(final int members, final String logTermLength)
    {
        final NodeConfig config =
            new RecordedHost(root).plan("compact", members, "echo.log.term.length", logTermLength).config();
        return new RoomNeeded(config);
    }
}
