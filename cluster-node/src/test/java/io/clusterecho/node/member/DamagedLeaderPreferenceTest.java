package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is in the request that a member is to lead: an election is not prevented by it.
 */
class DamagedLeaderPreferenceTest
{
    private static final int COUNT = 2_000;
    private static final long NOW_MS = 1_795_000_000_000L;

    @TempDir
    private Path dir;

    @Test
    void shouldPreferAMemberOrNone() throws IOException
    {
        new LeaderPreference(2, NOW_MS + 30_000).write(dir);
        final Path file;
        try (var files = Files.list(dir))
        {
            file = files.findFirst().orElseThrow();
        }
        final byte[] sample = Files.readAllBytes(file);
        assertThat(new String(sample, StandardCharsets.UTF_8)).contains("member.id");
        assertThat(LeaderPreference.read(dir, NOW_MS)).isEqualTo(2);
        final int[] count = new int[1];

        Fuzz.run("lead", COUNT, List.of(sample), List.of(), (input) ->
        {
            Files.write(file, input);
            count[0] += LeaderPreference.NONE == LeaderPreference.read(dir, NOW_MS) ? 1 : 0;
        });

        assertThat(count[0]).as("without a preference").isBetween(1, COUNT - 1);
    }
}
