package io.clusterecho.control.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.Compilers;

/** The JVM flags that members are started with, in order; none if a file cannot be read, which is then the problem, else null. */
record JvmFlags(List<String> flags, String problem)
{
    private static final String MAX_HEAP = "-Xmx";
    /** The JVM's own limit is a quarter of the memory; config/jvm/node.options allows a gigabyte. */
    private static final long DEFAULT_HEAP_LENGTH = 1L << 30;

    /** Parse files like {@code java @FILE} does. */
    static JvmFlags of(final Path... files)
    {
        final List<String> flags = new ArrayList<>();
        for (final Path file : files)
        {
            try
            {
                Files.readAllLines(file, StandardCharsets.UTF_8).stream().map((line) -> line.replaceFirst("#.*", ""))
                    .flatMap((line) -> Stream.of(line.trim().split("\\s+"))).filter((flag) -> !flag.isEmpty())
                    .forEach(flags::add);
            }
            catch (final IOException ex)
            {
                return new JvmFlags(List.of(), file + " cannot be read");
            }
        }

        return new JvmFlags(List.copyOf(flags), null);
    }

    /** Flags that the members of a plan are started with. */
    static JvmFlags of(final HostPlan plan)
    {
        final Path ofProfile = MemberLauncher.optionsOf(plan.jvmOptions(), plan.config().profile());
        final JvmFlags ofFiles = Files.isReadable(ofProfile) ? of(plan.jvmOptions(), ofProfile) : of(plan.jvmOptions());
        return plan.config().isFirstCompilerAlone() ? ofFiles.with(Compilers.FIRST_ALONE_FLAG) : ofFiles;
    }

    JvmFlags with(final String flag)
    {
        final List<String> all = new ArrayList<>(flags);
        all.add(flag);
        return new JvmFlags(List.copyOf(all), problem);
    }

    boolean has(final String flag)
    {
        return flags.contains(flag);
    }

    /** Maximum heap in bytes. */
    long maxHeapBytes()
    {
        return flags.stream().filter((flag) -> flag.startsWith(MAX_HEAP)).reduce((first, last) -> last)
            .map((flag) -> flag.substring(MAX_HEAP.length())).filter((text) -> text.matches("[0-9]+[kKmMgG]?"))
            .map((text) -> Quantity.parseSize(text.toLowerCase(java.util.Locale.ROOT))).orElse(DEFAULT_HEAP_LENGTH);
    }
}
