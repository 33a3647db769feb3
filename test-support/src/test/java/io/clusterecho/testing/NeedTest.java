package io.clusterecho.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class NeedTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldSkipATestWithoutAnOptionalRequirement()
    {
        assertThatThrownBy(() -> Need.SSHD.check(false, "there is no sshd", ""))
            .isInstanceOf(TestAbortedException.class).hasMessage("needs sshd: there is no sshd");
        assertThatThrownBy(() -> Need.SSHD.check(false, "there is no sshd", "etcd,browser"))
            .isInstanceOf(TestAbortedException.class);
    }

    @Test
    void shouldFailATestWithoutAMandatoryRequirement()
    {
        assertThatThrownBy(() -> Need.SSHD.check(false, "there is no sshd", "etcd, sshd"))
            .isInstanceOf(AssertionError.class)
            .hasMessage("sshd is required by -Dtest.required=etcd, sshd, but there is no sshd");
    }

    @Test
    void shouldRunATestWhoseRequirementIsMet()
    {
        assertThatCode(() -> Need.SSHD.check(true, "there is no sshd", "")).doesNotThrowAnyException();
        assertThatCode(() -> Need.SSHD.check(true, "there is no sshd", "sshd")).doesNotThrowAnyException();
    }

    @Test
    void shouldRejectAnUnknownRequirement()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Need.SSHD.check(true, "there is no sshd", "shd"))
            .withMessageStartingWith("'shd' is not the name of a need; allowed are ansible-playbook, bash, ");
    }

    @Test
    void shouldFindTheFirstOfItsProgramsThatCanBeRun() throws IOException
    {
        final Path first = Files.createDirectory(dir.resolve("first"));
        final Path second = Files.createDirectory(dir.resolve("second"));
        final List<Path> folders = List.of(first, second);
        assertThat(Need.BROWSER.find(folders)).isEmpty();

        executable(first.resolve("google-chrome"));
        Files.createFile(first.resolve("chromium"));
        assertThat(Need.BROWSER.find(folders)).contains(first.resolve("google-chrome"));

        executable(second.resolve("chromium"));
        assertThat(Need.BROWSER.find(folders)).contains(second.resolve("chromium"));
    }

    @Test
    void shouldFindAJdkByItsReleaseAndNotByItsName() throws IOException
    {
        final Path folder = Files.createDirectory(dir.resolve("jvm"));
        assertThat(Need.jdk("21", List.of(), folder)).isEmpty();

        final Path jdk = jdk(folder.resolve("a-jdk"), "21.0.2");
        jdk(folder.resolve("jdk-21"), "17.0.21");
        Files.createDirectory(folder.resolve("only-a-folder"));
        assertThat(Need.jdk("21", List.of(folder.resolve("jdk-21")), folder)).contains(jdk);
        assertThat(Need.jdk("21", List.of(jdk(dir.resolve("own"), "21.0.1")), folder)).contains(dir.resolve("own"));
        assertThat(Need.jdk("25", List.of(jdk), dir.resolve("missing"))).isEmpty();
    }

    private static Path jdk(final Path home, final String version) throws IOException
    {
        Files.createDirectories(home.resolve("bin"));
        executable(home.resolve("bin/java"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void executable(final Path file) throws IOException
    {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }
}
