package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.aeron.archive.client.AeronArchive;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldKnowItsOwnSegmentFiles() throws IOException
    {
        final Recording stream = new Recording(folder, 3, 0, AeronArchive.NULL_POSITION, 0, 256, 128, 1);
        for (final String name : new String[]{ "3-256.rec", "3-1024.rec", "3-512.rec", "13-257.rec", "3-x.rec", "3-258.rec.del" })
        {
            Files.createFile(folder.resolve(name));
        }

        assertThat(stream.segmentFile(256)).isEqualTo(folder.resolve("3-256.rec"));
        assertThat(stream.segmentBaseAbove(0)).isEqualTo(256);
        assertThat(stream.segmentBaseAbove(256)).isEqualTo(512);
        assertThat(stream.segmentBaseAbove(1024)).isEqualTo(-1);
    }
}
