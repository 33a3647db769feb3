package io.clusterecho.peers.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.clusterecho.text.TextTable;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * How the execution samples of a recording of Flight Recorder divide over the parts of a messaging system. A sample belongs to
 * the part of its innermost frame that belongs to any; frames of the JDK and of buffers belong to their callers.
 */
final class CpuProfile
{
    private static final String JAVA_SAMPLE = "jdk.ExecutionSample";
    private static final String NATIVE_SAMPLE = "jdk.NativeMethodSample";
    /** Native methods in which a thread waits rather than works. */
    private static final Set<String> WAITS = Set.of(
        "epollWait", "epollWait0", "wait", "wait0", "poll", "poll0", "park", "sleep", "sleep0", "accept", "accept0", "select",
        "waitForProcessExit0", "waitForReferencePendingList");

    private final Map<Part, Long> javaCounts = new EnumMap<>(Part.class);
    private final Map<Part, Long> nativeCounts = new EnumMap<>(Part.class);

    /** A part, with the beginnings of the names of its classes; the first part that matches a name has it. */
    enum Part
    {
        /** Puts messages into bytes and back. */
        CODEC(List.of(
            "com.google.protobuf.", "io.clusterecho.schema.", "com.esotericsoftware.kryo.",
            "io.clusterecho.peers.aeron.Protobuf", "io.clusterecho.peers.aeron.CallCodec",
            "io.clusterecho.peers.aeron.Codec", "org.agrona.io.", "io.grpc.protobuf.")),
        /** Passes messages from thread to thread. */
        QUEUE(List.of(
            "org.agrona.concurrent.ringbuffer.", "java.util.concurrent.", "io.clusterecho.peers.ReplyQueue",
            "io.clusterecho.peers.aeron.CallWorker", "io.grpc.internal.Serializ")),
        /** Moves bytes between processes: the library, its sockets and its driver. */
        TRANSPORT(List.of(
            "io.aeron.", "io.grpc.", "io.netty.", "reactor.", "io.rsocket.", "com.esotericsoftware.kryonet.", "sun.nio.ch.",
            "java.net.", "org.apache.ratis.")),
        REST(List.of());

        private final List<String> prefixes;

        Part(final List<String> prefixes)
        {
            this.prefixes = prefixes;
        }

        static Part of(final List<String> classNames)
        {
            return classNames.stream()
                .flatMap((name) -> Arrays.stream(values()).filter((part) -> part.prefixes.stream().anyMatch(name::startsWith)))
                .findFirst().orElse(REST);
        }
    }

    /**
     * Read a recording.
     *
     * @throws IOException if it is not such a file.
     */
    static CpuProfile read(final Path file) throws IOException
    {
        final CpuProfile profile = new CpuProfile();
        try (RecordingFile recording = new RecordingFile(file))
        {
            while (recording.hasMoreEvents())
            {
                profile.add(recording.readEvent());
            }
        }

        return profile;
    }

    private void add(final RecordedEvent event)
    {
        final String type = event.getEventType().getName();
        final boolean isJava = JAVA_SAMPLE.equals(type);
        final List<RecordedFrame> frames = null == event.getStackTrace() ? List.of() : event.getStackTrace().getFrames();
        if (!frames.isEmpty() &&
            (isJava || NATIVE_SAMPLE.equals(type) && !WAITS.contains(frames.get(0).getMethod().getName())))
        {
            final Part part = Part.of(frames.stream().map((frame) -> frame.getMethod().getType().getName()).toList());
            (isJava ? javaCounts : nativeCounts).merge(part, 1L, Long::sum);
        }
    }

    /** Samples of threads that ran Java code. */
    long sampleCount()
    {
        return javaCounts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Share of a part in the samples of threads that ran Java code, from 0 to 1; 0 without samples. */
    double share(final Part part)
    {
        return 0 == sampleCount() ? 0 : (double)javaCounts.getOrDefault(part, 0L) / sampleCount();
    }

    /**
     * A table of all parts, in Markdown. Native samples are not in the shares, since Flight Recorder takes them at another rate.
     */
    String markdown()
    {
        final TextTable table = new TextTable().left("part").left("samples").left("share").left("native samples");
        for (final Part part : Part.values())
        {
            table.row(
                part.name().toLowerCase(Locale.ROOT), String.format(Locale.ROOT, "%,d", javaCounts.getOrDefault(part, 0L)),
                String.format(Locale.ROOT, "%.0f%%", 100 * share(part)),
                String.format(Locale.ROOT, "%,d", nativeCounts.getOrDefault(part, 0L)));
        }

        return table.markdown();
    }
}
