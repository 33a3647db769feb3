package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class HealingTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldRefuseAMemberThatDoesNotExist()
    {
        assertThatThrownBy(() -> new Healing(cluster(), 3)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--member-id=3").hasMessageContaining("0 to 2");
        assertThatThrownBy(() -> new Healing(cluster(), -1)).isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void shouldNotTouchTheDataOfAMemberWhileTheOthersHaveNoLeader() throws IOException
    {
        final Path archive = Files.createDirectories(dir.resolve("member-1/archive"));
        final Path catalog = Files.createFile(archive.resolve("archive.catalog"));
        final Healing healing = new Healing(cluster(), 1);

        assertThatThrownBy(() -> healing.run("damaged-1", Deadline.in(0), (text) -> { })).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("the data of member 1 may be the only copy").hasMessageContaining("no leader")
            .hasMessageContaining("readable logs: member 0 none, member 1 none, member 2 none");
        assertThat(catalog).exists();
    }

    private Cluster cluster()
    {
        return Cluster.of(
            new Settings(NodeSettings.PREFIX, NodeSettings.ALL).put(NodeSettings.BASE_DIR.key(), dir.toString(), "test"), null,
            null);
    }
}
