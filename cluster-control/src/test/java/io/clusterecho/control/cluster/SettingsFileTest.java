package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;

class SettingsFileTest
{
    private static final Path FILE = Path.of("../config/cluster.properties");
    private static final int WIDTH = 118;

    /** With {@code -Dtest.update=true} it writes the file. */
    @Test
    void shouldListEverySettingWithItsDefaultInTheSettingsFile() throws IOException
    {
        final StringBuilder expected = new StringBuilder();
        expected.append("# Settings of a cluster: scripts/start-cluster.sh config/cluster.properties\n");
        expected.append("# Every key with its default, commented out. Aeron's own aeron.* keys may be added.\n");
        for (final Setting<?> setting : NodeSettings.ALL)
        {
            expected.append('\n');
            comment(expected, setting.doc());
            comment(expected, "Allowed: " + setting.allowed() + ".");
            expected.append('#').append(setting.key()).append('=').append(setting.defaultText()).append('\n');
        }

        check(FILE, expected.toString());
    }

    /** With {@code -Dtest.update=true} it writes the file. */
    @Test
    void shouldDescribeEverySettingInTheDocs() throws IOException
    {
        final StringBuilder expected = new StringBuilder();
        expected.append("# Settings of a member\n\n");
        expected.append("What each setting of a member does, its default, and what is allowed.\n");
        expected.append("Sources in this order, later ones win: defaults, property files in argument order, `-D`, options.\n");
        expected.append("An unknown key is an error. Aeron's own `aeron.*` keys pass through and override the values\n");
        expected.append("derived from these. Options of the load client: `bin/load-client --help`.\n\n");
        expected.append("| key | default | allowed | meaning |\n|---|---|---|---|\n");
        for (final Setting<?> setting : NodeSettings.ALL)
        {
            final String value = setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`";
            expected.append("| `").append(setting.key()).append("` | ").append(value).append(" | ")
                .append(setting.allowed()).append(" | ").append(setting.doc()).append(" |\n");
        }

        check(Path.of("../docs/configuration.md"), expected.toString());
    }

    private static void check(final Path file, final String expected) throws IOException
    {
        if (Boolean.getBoolean("test.update"))
        {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).isEqualTo(expected);
    }

    private static void comment(final StringBuilder out, final String text)
    {
        int column = 0;
        for (final String word : text.split(" "))
        {
            if (0 == column || column + 1 + word.length() > WIDTH)
            {
                out.append(0 == column ? "# " : "\n# ").append(word);
                column = 2 + word.length();
            }
            else
            {
                out.append(' ').append(word);
                column += 1 + word.length();
            }
        }
        out.append('\n');
    }
}
