package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.control.member.ControlFailure;

class RecordedClustersTest
{
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = { "--member-id 7", "--member-id=7" })
    void shouldNameAMemberWhoseFolderWasDeleted(final String option) throws IOException
    {
        final Path baseDir = dir.toRealPath().resolve("cluster-data");
        // Its settings were deleted; a shell that waits has the words of a member.
        final Process member = new ProcessBuilder(
            "bash", "-c", "read -r", "member", option.split("[ ]")[0], option.contains(" ") ? "7" : "--x",
            baseDir.resolve("settings.properties").toString()).start();
        try
        {
            assertThatThrownBy(() -> RecordedClusters.checkNoneRuns(baseDir)).isInstanceOf(ControlFailure.class)
                .hasMessageContaining("member 7 (pid " + member.pid() + ") of " + baseDir + " still runs")
                .hasMessageEndingWith("kill " + member.pid());
            assertThat(RecordedClusters.folders()).contains(baseDir);
            assertThatCode(() -> RecordedClusters.checkNoneRuns(dir)).doesNotThrowAnyException();
        }
        finally
        {
            member.destroyForcibly();
        }
    }

    @Test
    void shouldFindNoneInAFolderWithoutMembers()
    {
        assertThatCode(() -> RecordedClusters.checkNoneRuns(dir)).doesNotThrowAnyException();
    }
}
