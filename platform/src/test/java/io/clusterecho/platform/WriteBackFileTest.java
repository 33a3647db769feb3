package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class WriteBackFileTest
{
    @Test
    void shouldNameAFileThatCannotBeOpened(@TempDir final Path dir)
    {
        final Path missing = dir.resolve("missing");
        assertThatThrownBy(() -> new WriteBackFile(missing))
            .isInstanceOf(NoSuchFileException.class).hasMessage(missing.toString());
        assertThatThrownBy(() -> new WriteBackFile(Path.of("/proc/self/mem/none"))).isInstanceOf(IOException.class)
            .hasMessageStartingWith("/proc/self/mem/none: ");
    }

    @Test
    void shouldNameAFileWhoseRangeIsInvalid(@TempDir final Path dir) throws IOException
    {
        final Path file = Files.write(dir.resolve("file"), new byte[10_000]);
        try (WriteBackFile writeBack = new WriteBackFile(file))
        {
            writeBack.begin(0, 10_000);
            assertThatThrownBy(() -> writeBack.begin(-1, 10)).isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("sync_file_range");
        }
    }
}
