package io.clusterecho.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest
{
    private static final Setting<Integer> COUNT = Setting.ofInt("echo.count", "3", 1, 9, "How many.");
    private static final Setting<Long> WAIT = Setting.ofDuration("echo.wait", "1s", "How long.");

    @TempDir
    private Path folder;

    @Test
    void shouldPreferLaterSources() throws IOException
    {
        final Path first = file("first", "echo.count=4\necho.wait=2s\n");
        final Path second = file("second", "echo.count=5\n");
        final Properties properties = new Properties();
        properties.setProperty("echo.count", "6");
        final Settings settings = newSettings();

        assertThat(settings.value(COUNT)).isEqualTo(3);
        settings.putFiles(List.of(first, second));
        assertThat(settings.value(COUNT)).isEqualTo(5);
        assertThat(settings.value(WAIT)).isEqualTo(2_000_000_000L);
        settings.putSystemProperties(properties);
        assertThat(settings.value(COUNT)).isEqualTo(6);
        settings.put("echo.count", "7", "command line");
        assertThat(settings.value(COUNT)).isEqualTo(7);
    }

    @Test
    void shouldIgnoreBlanksAtTheEndOfALine() throws IOException
    {
        final Settings settings = newSettings();
        settings.putFiles(List.of(file("blanks", "echo.count=4 \t\necho.wait = 2s  \n")));
        assertThat(settings.value(COUNT)).isEqualTo(4);
        assertThat(settings.value(WAIT)).isEqualTo(2_000_000_000L);
    }

    @Test
    void shouldNameKeyValueAndWhatIsAllowed()
    {
        assertThatThrownBy(() -> newSettings().put("echo.count", "12", "test").value(COUNT))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.count=12").hasMessageContaining("a whole number from 1 to 9");
    }

    @Test
    void shouldRefuseAnUnknownKeyAndSayWhereItStands() throws IOException
    {
        final Path bad = file("bad", "echo.cuont=4\n");
        assertThatThrownBy(() -> newSettings().putFiles(List.of(bad)))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.cuont=4").hasMessageContaining(bad.toString()).hasMessageContaining("echo.count");
    }

    @Test
    void shouldRefuseAFileThatIsMissingOrMalformed() throws IOException
    {
        final Path missing = folder.resolve("none");
        assertThatThrownBy(() -> newSettings().putFiles(List.of(missing))).hasMessageContaining(missing.toString());
        final Path malformed = file("malformed", "echo.count=\\u00zz\n");
        assertThatThrownBy(() -> newSettings().putFiles(List.of(malformed))).hasMessageContaining(malformed.toString());
        assertThatThrownBy(() -> newSettings().putFiles(List.of(missing))).hasMessage("property file=" + missing +
            " is not allowed: a readable file of key=value lines in UTF-8 (no such file or folder)");
        final Path latin = Files.write(folder.resolve("latin"), new byte[]{ 'a', '=', (byte)0xE9, '\n' });
        assertThatThrownBy(() -> newSettings().putFiles(List.of(latin)))
            .hasMessageContaining(latin.toString()).hasMessageContaining("(it has bytes that are not UTF-8)");
    }

    @Test
    void shouldReadAFileWithAByteOrderMark() throws IOException
    {
        assertThat(newSettings().putFiles(List.of(file("marked", "\uFEFFecho.count=4\n"))).value(COUNT)).isEqualTo(4);
    }

    @Test
    void shouldRefuseAKeyThatAFileHasTwice() throws IOException
    {
        final Path twice = file("twice", "echo.count=4\necho.wait=2s\necho.count=5\n");
        assertThatThrownBy(() -> newSettings().putFiles(List.of(twice))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.count=4 and 5").hasMessageContaining(twice.toString());
    }

    @Test
    void shouldHandOnKeysOfAeron() throws IOException
    {
        final Settings settings = newSettings().putFiles(List.of(file("aeron", "aeron.mtu.length=4096\n")));
        assertThat(settings.foreignProperties()).containsEntry("aeron.mtu.length", "4096");
    }

    private Path file(final String name, final String content) throws IOException
    {
        return Files.writeString(folder.resolve(name), content);
    }

    private static Settings newSettings()
    {
        return new Settings("echo.", List.of(COUNT, WAIT));
    }
}
