package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberLauncherTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldAddTheFlagsOfAProfileThatHasSomeAndOfTheCompilers() throws IOException
    {
        final MemberLauncher launcher = new MemberLauncher(
            Files.createFile(dir.resolve("member.jar")), Files.createFile(dir.resolve("own.options")), List.of());
        final Path ofProfile = Files.createFile(dir.resolve("own-dedicated.options"));

        assertThat(launcher.ofConfig(config("echo.profile", "dedicated")).flags()).containsExactly("@" + ofProfile);
        assertThat(launcher.ofConfig(config("echo.profile", "compact")).flags()).isEmpty();
        assertThat(launcher.ofConfig(config("echo.compilers", "first")).flags()).containsExactly("-XX:TieredStopAtLevel=1");
    }

    @Test
    void shouldFindTheFlagsOfAProfileBesideAFileOfAnyName()
    {
        assertThat(MemberLauncher.optionsOf(Path.of("/x/node.options"), "shared")).isEqualTo(Path.of("/x/node-shared.options"));
        assertThat(MemberLauncher.optionsOf(Path.of("/x/flags"), "shared")).isEqualTo(Path.of("/x/flags-shared.options"));
    }

    private NodeConfig config(final String key, final String value)
    {
        return new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put("echo.base.dir", dir.toString(), "test").put("echo.profile", "compact", "test").put(key, value, "test"));
    }
}
