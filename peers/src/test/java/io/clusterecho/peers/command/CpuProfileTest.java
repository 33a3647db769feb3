package io.clusterecho.peers.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;

import io.clusterecho.peers.command.CpuProfile.Part;

import jdk.jfr.Recording;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuProfileTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldTakeThePartOfTheInnermostFrameThatHasOne()
    {
        assertThat(Part.of(List.of(
            "java.util.Arrays", "com.google.protobuf.CodedOutputStream", "io.clusterecho.peers.aeron.CallCodec",
            "io.clusterecho.peers.aeron.CallWorker"))).isEqualTo(Part.CODEC);
        assertThat(Part.of(List.of("org.agrona.concurrent.UnsafeBuffer", "io.aeron.Publication", "io.clusterecho.schema.Any")))
            .isEqualTo(Part.TRANSPORT);
        assertThat(Part.of(List.of("java.util.concurrent.locks.LockSupport", "io.grpc.internal.Any"))).isEqualTo(Part.QUEUE);
        assertThat(Part.of(List.of("io.grpc.internal.SerializingExecutor"))).isEqualTo(Part.QUEUE);
        assertThat(Part.of(List.of("sun.nio.ch.DatagramChannelImpl", "io.aeron.driver.Sender"))).isEqualTo(Part.TRANSPORT);
        assertThat(Part.of(List.of("java.lang.String"))).isEqualTo(Part.REST);
    }

    @Test
    void shouldFindTheCodecInARecordingOfIt() throws Exception
    {
        final Path file = folder.resolve("codec.jfr");
        try (Recording recording = new Recording())
        {
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.start();
            final byte[] bytes = new byte[300];
            long sum = 0;
            final long endNs = System.nanoTime() + 2_000_000_000L;
            while (System.nanoTime() - endNs < 0)
            {
                sum += BytesValue.parseFrom(
                    BytesValue.newBuilder().setValue(ByteString.copyFrom(bytes)).build().toByteArray()).getValue().size();
            }
            assertThat(sum).isPositive();
            recording.stop();
            recording.dump(file);
        }

        final CpuProfile profile = CpuProfile.read(file);
        assertThat(profile.sampleCount()).isPositive();
        assertThat(profile.share(Part.CODEC)).isGreaterThan(0.5);
        assertThat(profile.markdown()).contains("| codec |").contains("| transport |");
        assertThat(Peers.execute("profile", file.toString())).isZero();
    }

    @Test
    void shouldRejectAnotherFile() throws Exception
    {
        final Path file = Files.writeString(folder.resolve("no.jfr"), "text");
        assertThat(Peers.execute("profile", file.toString())).isEqualTo(2);
        assertThat(Peers.execute("profile", folder.resolve("none").toString())).isEqualTo(2);
    }
}
