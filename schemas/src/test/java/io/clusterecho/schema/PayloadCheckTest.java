package io.clusterecho.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayloadCheckTest
{
    private static final int MAPPED_LENGTH = 1 << 17;

    private final PayloadCheck payloadCheck = new PayloadCheck();

    @Test
    void shouldAgreeOnAndOffTheHeap()
    {
        final byte[] bytes = new byte[MAPPED_LENGTH];
        System.arraycopy("123456789".getBytes(StandardCharsets.US_ASCII), 0, bytes, 7, 9);
        final UnsafeBuffer onHeap = new UnsafeBuffer(bytes, 4, bytes.length - 4);
        final UnsafeBuffer offHeap = new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes.length, 8));
        offHeap.putBytes(0, bytes);

        // The check value of CRC-32C in the catalogues of such codes.
        assertThat(payloadCheck.compute(onHeap, 3, 9)).isEqualTo(0xE3069283);
        assertThat(payloadCheck.compute(offHeap, 7, 9)).isEqualTo(0xE3069283);
        assertThat(payloadCheck.compute(offHeap, 4, bytes.length - 4))
            .isEqualTo(payloadCheck.compute(onHeap, 0, bytes.length - 4));
        assertThat(payloadCheck.compute(offHeap, 7, 9)).isEqualTo(0xE3069283);
    }

    /** Pages of a mapping beyond the end of its file fault as those do that a full file system cannot allocate. */
    @Test
    void shouldThrowAndNotEndTheProcessWhereAPageIsMissing(@TempDir final Path folder) throws IOException
    {
        try (FileChannel file = FileChannel.open(
            folder.resolve("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, MAPPED_LENGTH);
            final UnsafeBuffer buffer = new UnsafeBuffer(mapped);
            file.truncate(MAPPED_LENGTH / 2);
            try
            {
                assertThat(catchThrowable(() ->
                {
                    payloadCheck.compute(buffer, MAPPED_LENGTH / 2 - 64, 512);
                    // The JVM may throw only when the thread next looks for such errors.
                    Thread.sleep(1);
                })).isInstanceOf(InternalError.class).hasMessageContaining("unsafe memory access");
            }
            finally
            {
                BufferUtil.free(mapped);
            }
        }
    }
}
