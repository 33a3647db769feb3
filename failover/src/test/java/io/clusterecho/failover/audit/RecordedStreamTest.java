package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedStreamTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldKnowItsOwnSegmentFiles() throws IOException
    {
        final RecordedStream stream = new RecordedStream(folder, 3, 0, RecordedStream.STILL_OPEN, 0, 256, 128, 1);
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
