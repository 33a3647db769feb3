package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

import io.clusterecho.node.config.Credentials;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCredentialsTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldPresentWhatMembersReadInTheSameFile() throws IOException
    {
        final Path file = file("echo:a secret: of words\n", "rw-------");
        assertThat(Credentials.supplier(Optional.of(Credentials.read("--credentials-file", file))).encodedCredentials())
            .isEqualTo(Credentials.read("echo.credentials.file", file).encodedCredentials())
            .isEqualTo("echo:a secret: of words".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseAFileThatOthersCanReadByTheNameOfTheOption() throws IOException
    {
        final Path file = file("echo:secret\n", "rw-r-----");
        assertThatThrownBy(() -> Credentials.read("--credentials-file", file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("--credentials-file=" + file + " (readable by others) is not allowed");
    }

    private Path file(final String text, final String permissions) throws IOException
    {
        final Path file = Files.writeString(dir.resolve("credentials"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
