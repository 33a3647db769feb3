package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NominationDelayTest
{
    private static final long NOW_MS = 1_000_000;
    private static final int DRAWS = 1_000;

    @TempDir
    private Path dir;

    @Test
    void shouldBeRandomWithoutAPreferredMember()
    {
        assertThat(shares(0, LeaderPreference.NONE)).allMatch((share) -> share >= 0 && share < 1)
            .anyMatch((share) -> share < 0.1).anyMatch((share) -> share > 0.9);
    }

    @Test
    void shouldHaveThePreferredMemberNominateItselfBeforeAnyOther()
    {
        assertThat(shares(1, 1)).containsOnly(0.0);
        assertThat(shares(0, 1)).allMatch((share) -> share >= 0.5 && share < 1).anyMatch((share) -> share > 0.9);
    }

    @Test
    void shouldFollowARequestRatherThanTheSetting()
    {
        new LeaderPreference(2, NOW_MS + 1).write(dir);

        assertThat(shares(2, 1)).containsOnly(0.0);
        assertThat(shares(1, 1)).allMatch((share) -> share >= 0.5);
    }

    @Test
    void shouldForgetARequestAtItsEndOrWhenItIsCleared()
    {
        new LeaderPreference(2, NOW_MS).write(dir);
        assertThat(shares(1, 1)).containsOnly(0.0);

        new LeaderPreference(2, NOW_MS + 1).write(dir);
        LeaderPreference.clear(dir);
        assertThat(shares(1, 1)).containsOnly(0.0);
        LeaderPreference.clear(dir);
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void shouldIgnoreARequestThatIsDamaged() throws IOException
    {
        for (final String text : List.of("", "member.id=2\n", "until.ms=x\nmember.id=2", "until.ms=9999999\nmember.id=two"))
        {
            Files.writeString(dir.resolve("preferred-leader.properties"), text);
            assertThat(shares(1, 1)).as(text).containsOnly(0.0);
        }
    }

    private List<Double> shares(final int memberId, final int preferredId)
    {
        final NominationDelay delay = new NominationDelay(memberId, preferredId, dir, () -> NOW_MS);
        return DoubleStream.generate(delay::nextDouble).limit(DRAWS).boxed().toList();
    }
}
