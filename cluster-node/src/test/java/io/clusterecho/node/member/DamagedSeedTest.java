package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

class DamagedSeedTest
{
    private static final int COUNT = 2_000;

    @TempDir
    private Path dir;

    @Test
    void shouldReadOrRefuseEverySeed() throws IOException
    {
        new MemberSeed(
            "127.0.0.1:20004", 7, 4096, List.of(new MemberSeed.Term(0, 0, 10), new MemberSeed.Term(2, 1024, 20)),
            List.of(new MemberSeed.Part(0, 11, 2, 1024, 30), new MemberSeed.Part(-1, 12, 2, 1024, 30))).write(dir);
        final Path file = dir.resolve("seed.json");
        final byte[] sample = Files.readAllBytes(file);

        final long refused = Fuzz.run("seed", COUNT, List.of(sample), List.of(InvalidSettingException.class), (input) ->
        {
            Files.write(file, input);
            final MemberSeed seed = MemberSeed.read(dir);
            assertThat(seed.logPosition()).isNotNegative();
            assertThat(seed.parts()).allSatisfy((part) -> assertThat(part.recordingId()).isNotNegative());
        });

        assertThat(refused).isPositive();
    }
}
