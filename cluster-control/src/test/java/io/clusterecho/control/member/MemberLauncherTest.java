package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberLauncherTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldAddTheFlagsOfAProfileThatHasSome() throws IOException
    {
        final MemberLauncher launcher = new MemberLauncher(
            Files.createFile(dir.resolve("member.jar")), Files.createFile(dir.resolve("own.options")));
        final Path ofProfile = Files.createFile(dir.resolve("own-dedicated.options"));

        assertThat(launcher.ofProfile("dedicated").flags()).containsExactly("@" + ofProfile);
        assertThat(launcher.ofProfile("compact").flags()).isEmpty();
    }

    @Test
    void shouldFindTheFlagsOfAProfileBesideAFileOfAnyName()
    {
        assertThat(MemberLauncher.optionsOf(Path.of("/x/node.options"), "shared")).isEqualTo(Path.of("/x/node-shared.options"));
        assertThat(MemberLauncher.optionsOf(Path.of("/x/flags"), "shared")).isEqualTo(Path.of("/x/flags-shared.options"));
    }
}
