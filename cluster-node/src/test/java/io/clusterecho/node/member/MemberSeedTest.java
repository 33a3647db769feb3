package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.aeron.cluster.RecordingLog;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberSeedTest
{
    private static final int MODULE = -1;
    private static final MemberSeed SEED = new MemberSeed(
        "127.0.0.1:20004", 7, 4096, List.of(new MemberSeed.Term(0, 0, 10), new MemberSeed.Term(2, 1024, 20)),
        List.of(new MemberSeed.Part(0, 11, 2, 1024, 30), new MemberSeed.Part(MODULE, 12, 2, 1024, 30)));

    @TempDir
    private Path dir;

    @BeforeEach
    void makeFolder() throws IOException
    {
        Files.createDirectory(dir.resolve(MemberFolder.CLUSTER_DIR));
    }

    @Test
    void shouldTakeTheSnapshotAndTheTermsUpToItFromARecordingLog()
    {
        try (RecordingLog log = new RecordingLog(dir.resolve(MemberFolder.CLUSTER_DIR).toFile(), true))
        {
            log.appendTerm(7, 0, 0, 10);
            log.appendSnapshot(8, 0, 0, 512, 15, 0);
            log.appendSnapshot(9, 0, 0, 512, 15, MODULE);
            log.appendTerm(7, 2, 1024, 20);
            log.appendSnapshot(11, 2, 1024, 4096, 30, 0);
            log.appendSnapshot(12, 2, 1024, 4096, 30, MODULE);
            log.appendTerm(7, 3, 8192, 40);
        }

        assertThat(MemberSeed.of(dir, "127.0.0.1:20004", 4096)).isEqualTo(SEED);
    }

    @Test
    void shouldBeReadAsWrittenAndBeGoneOnceDeleted() throws IOException
    {
        assertThat(MemberSeed.isIn(dir)).isFalse();
        final Path member = dir.resolve("member-2");
        SEED.write(member);

        assertThat(MemberSeed.isIn(member)).isTrue();
        assertThat(MemberSeed.read(member)).isEqualTo(SEED);
        MemberSeed.delete(member);
        assertThat(MemberSeed.isIn(member)).isFalse();
    }

    @Test
    void shouldRefuseADamagedFile() throws IOException
    {
        SEED.write(dir);
        final Path file = dir.resolve("seed.json");
        final String text = Files.readString(file);
        for (final String damaged : List.of(
            "", "null", text.replace("\"logPosition\":4096,", ""),
            text.replace("\"logPosition\":4096", "\"logPosition\":-1"),
            text.replace("\"id\":2", "\"id\":\"x\""), text.replace("\"id\":0", "\"id\":-1"),
            text.replace("\"serviceId\":-1", "\"serviceId\":-2"),
            text.replace("\"logRecordingId\":7", "\"logRecordingId\":-7"), text.replace("archiveEndpoint", "other"),
            text.replace("\"parts\":[", "\"parts\":[null,"), text.replaceFirst("\\{\"id\".*?}", "null"), text + "}"))
        {
            assertThat(damaged).isNotEqualTo(text);
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> MemberSeed.read(dir)).isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("seed.json is damaged").hasMessageContaining("for a new cluster, stop --delete-data");
        }
    }
}
