package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
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
    void shouldPutTheJarOfAnotherVersionOfAeronBeforeTheClassPath() throws IOException
    {
        final MemberLauncher launcher = new MemberLauncher(
            Files.createFile(dir.resolve("member.jar")), Files.createFile(dir.resolve("own.options")), List.of());
        final Path jar = Files.createFile(dir.resolve("aeron-all-1.50.1.jar"));
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put("echo.base.dir", dir.toString(), "test").put("echo.profile", "compact", "test")
            .put("echo.aeron.jars", dir.toString(), "test").put("echo.aeron.version", "1.50.1", "test");
        final String flag = "-Xbootclasspath/a:" + jar;
        assertThat(launcher.ofConfig(new NodeConfig(settings)).flags()).containsExactly(flag);

        // Classes of another Aeron are in another archive.
        final Path archive = Files.createFile(
            dir.resolve("member-aeron-all-1.50.1.jar-" + Runtime.version() + ".jsa"));
        Files.setLastModifiedTime(launcher.jar(), FileTime.fromMillis(0));
        assertThat(new ClassArchive(launcher.jar(), List.of()).flags()).isEmpty();
        assertThat(new ClassArchive(launcher.jar(), List.of(flag)).flags()).containsExactly("-XX:SharedArchiveFile=" + archive);

        final NodeConfig missing = new NodeConfig(settings.put("echo.aeron.version", "1.50.2", "test"));
        assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> launcher.ofConfig(missing))
            .withMessage("echo.aeron.version=1.50.2 is not allowed: a version that is here or that mvn finds; there is no " +
                dir.resolve("aeron-all-1.50.2.jar") + ": set echo.aeron.jars");
    }

    @Test
    void shouldSayWhyMavenDoesNotFindAVersion() throws IOException
    {
        final Path maven = Files.writeString(dir.resolve("mvn"), "#!/bin/sh\necho \"[WARNING] old\"\n" +
            "echo \"[ERROR] Could not find artifact $5 in central\"\necho \"[ERROR] [Help 1]\"\nexit 1\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();

        assertThat(MemberLauncher.fetch(maven.toString(), "1.50.2"))
            .hasValue("[ERROR] Could not find artifact -Dartifact=io.aeron:aeron-all:1.50.2 in central");

        Files.writeString(maven, "#!/bin/sh\nexit 3\n");
        assertThat(MemberLauncher.fetch(maven.toString(), "1.50.2")).hasValue("mvn ended, exit status 3");
        Files.writeString(maven, "#!/bin/sh\n");
        assertThat(MemberLauncher.fetch(maven.toString(), "1.50.2")).isEmpty();
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
