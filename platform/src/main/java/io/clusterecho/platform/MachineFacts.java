package io.clusterecho.platform;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a result needs to say about the machine and the JVM that it was measured on. Reads files of {@code /proc} and
 * {@code /sys} only; what cannot be read is said so.
 */
public final class MachineFacts
{
    private static final String UNKNOWN = "could not be read";
    /** Asked once: it does not change while a process runs, and may take a moment. */
    private static final Map<String, String> CLOUD = CloudFacts.facts();

    private MachineFacts()
    {
    }

    /**
     * Facts of the host.
     *
     * @return name to value, in a fixed order.
     */
    public static Map<String, String> machine()
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("cpuModel", keyedLine(Path.of("/proc/cpuinfo"), "model name", ":").orElse(UNKNOWN));
        facts.put("cpuCount", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("governor", text(Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
        facts.put("memoryTotal", keyedLine(Path.of("/proc/meminfo"), "MemTotal", ":").orElse(UNKNOWN));
        facts.put("clockSource", text(Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource")));
        facts.put("transparentHugePages", text(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")));
        facts.put("hypervisor", isVirtual());
        facts.putAll(CLOUD);
        facts.put("loadAverage", text(Path.of("/proc/loadavg")));
        facts.put("rmemMax", text(Path.of("/proc/sys/net/core/rmem_max")));
        facts.put("wmemMax", text(Path.of("/proc/sys/net/core/wmem_max")));
        return facts;
    }

    /**
     * Facts of this JVM.
     *
     * @return name to value, in a fixed order.
     */
    public static Map<String, String> jvm()
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", System.getProperty("java.runtime.version"));
        facts.put("vendor", System.getProperty("java.vendor"));
        facts.put("name", System.getProperty("java.vm.name"));
        facts.put("maxHeapBytes", String.valueOf(Runtime.getRuntime().maxMemory()));
        facts.put(
            "collectors",
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName).collect(Collectors.joining(", ")));
        facts.put("arguments", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        return facts;
    }

    private static String isVirtual()
    {
        final boolean isVirtual = keyedLine(Path.of("/proc/cpuinfo"), "flags", ":")
            .map((flags) -> flags.contains("hypervisor")).orElse(false);
        return isVirtual ? "yes" : "none seen";
    }

    private static Optional<String> keyedLine(final Path file, final String key, final String separator)
    {
        try (var lines = Files.lines(file))
        {
            return lines.filter((line) -> line.startsWith(key))
                .map((line) -> line.substring(line.indexOf(separator) + 1).trim()).findFirst();
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.empty();
        }
    }

    private static String text(final Path file)
    {
        try
        {
            // By lines, since a sysctl file yields all of it to its first read and nothing to the next: Files.readString,
            // told that the length is 0, would begin with a read of one byte.
            return String.join(" ", Files.readAllLines(file)).trim();
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }
}
