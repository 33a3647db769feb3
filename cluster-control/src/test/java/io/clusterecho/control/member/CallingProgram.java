package io.clusterecho.control.member;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/** A process that makes system calls as a member does. Reads a word per line, and writes a line for each. */
final class CallingProgram
{
    /** Enough for both compilers. */
    private static final int HOT_COUNT = 200_000;

    private CallingProgram()
    {
    }

    /** @param args folder of a member, and another folder. */
    public static void main(final String[] args) throws IOException
    {
        try (FileChannel inside = open(args[0]); FileChannel outside = open(args[1]))
        {
            final MappedByteBuffer mapped = inside.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            System.out.println("ready");
            final BufferedReader words = new BufferedReader(new InputStreamReader(System.in));
            for (String word = words.readLine(); null != word; word = words.readLine())
            {
                final long beginNs = System.nanoTime();
                final String result = resultOf(word, inside, outside, mapped);
                System.out.println(result + " after " + (System.nanoTime() - beginNs) / 1_000_000 + " ms");
            }
        }
    }

    private static FileChannel open(final String folder) throws IOException
    {
        return FileChannel.open(
            Path.of(folder, "data"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static String resultOf(
        final String word, final FileChannel inside, final FileChannel outside, final MappedByteBuffer mapped)
    {
        try
        {
            switch (word)
            {
                case "write":
                    return "wrote " + inside.write(ByteBuffer.allocate(8));

                case "write-at":
                    return "wrote " + inside.write(ByteBuffer.allocate(8), 0);

                case "write-two":
                    return "wrote " + inside.write(new ByteBuffer[]{ ByteBuffer.allocate(4), ByteBuffer.allocate(4) });

                case "write-outside":
                    return "wrote " + outside.write(ByteBuffer.allocate(8));

                case "sync-data":
                    inside.force(false);
                    return "synced";

                case "sync-all":
                    inside.force(true);
                    return "synced";

                case "sync-map":
                    mapped.force();
                    return "synced";

                case "sync-outside":
                    outside.force(true);
                    return "synced";

                case "clock":
                    return "clock " + clocks();

                default:
                    return "unknown word " + word;
            }
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return "failed, " + ex.getMessage() + ",";
        }
    }

    /** The extremes of the wall clock's distance to the clock that no fault changes, by each way to read it, in ms. */
    private static String clocks()
    {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < HOT_COUNT; i++)
        {
            final long distance = System.currentTimeMillis() - System.nanoTime() / 1_000_000;
            least = Math.min(least, distance);
            most = Math.max(most, distance);
        }
        final long ofInstant = Instant.now().toEpochMilli() - System.nanoTime() / 1_000_000;
        return Math.min(least, ofInstant) + " " + Math.max(most, ofInstant);
    }
}
