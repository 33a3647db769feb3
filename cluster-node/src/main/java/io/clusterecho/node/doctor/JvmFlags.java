package io.clusterecho.node.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.settings.Quantity;

/**
 * The JVM flags that members are started with.
 *
 * @param flags   in their order; none if the file cannot be read.
 * @param problem why it cannot be read, or null.
 */
record JvmFlags(List<String> flags, String problem)
{
    private static final String MAX_HEAP = "-Xmx";
    /** What a JVM takes at most unless told: a quarter of the memory; a gigabyte is what our own file grants. */
    private static final long DEFAULT_HEAP_LENGTH = 1L << 30;

    /**
     * Those of a file as {@code java @FILE} reads it.
     */
    static JvmFlags of(final Path file)
    {
        try
        {
            return new JvmFlags(
                Files.readAllLines(file, StandardCharsets.UTF_8).stream().map((line) -> line.replaceFirst("#.*", ""))
                    .flatMap((line) -> List.of(line.trim().split("\\s+")).stream()).filter((flag) -> !flag.isEmpty()).toList(),
                null);
        }
        catch (final IOException ex)
        {
            return new JvmFlags(List.of(), file + " cannot be read");
        }
    }

    boolean has(final String flag)
    {
        return flags.contains(flag);
    }

    /**
     * Heap at most, in bytes.
     */
    long maxHeapBytes()
    {
        return flags.stream().filter((flag) -> flag.startsWith(MAX_HEAP)).reduce((first, last) -> last)
            .map((flag) -> flag.substring(MAX_HEAP.length())).filter((text) -> text.matches("[0-9]+[kKmMgG]?"))
            .map((text) -> Quantity.parseSize(text.toLowerCase(java.util.Locale.ROOT))).orElse(DEFAULT_HEAP_LENGTH);
    }
}
