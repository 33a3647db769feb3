package io.clusterecho.platform;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Mount;
import io.clusterecho.host.NetworkCard;
import io.clusterecho.host.Processors;

/**
 * Facts about the machine and the JVM of a measurement. Reads only files of {@code /proc} and {@code /sys} that any user may
 * read. Does not read environment variables, and removes secrets from command lines.
 */
public final class MachineFacts
{
    /** Facts that identify a machine; the others change from day to day. */
    private static final List<String> IDENTITY =
        List.of("os", "architecture", "cpuModel", "cpuCount", "governor", "clockSource", "hypervisor");
    private static final String UNKNOWN = "could not be read";
    private static final String NONE = "none";
    private static final long MB = 1 << 20;
    /** The only parameters kept of the kernel's command line: a boot loader may pass secrets to the first process there. */
    private static final List<String> KERNEL_PARAMETERS = List.of(
        "isolcpus", "nohz", "nohz_full", "rcu_nocbs", "irqaffinity", "idle", "intel_idle.max_cstate", "processor.max_cstate",
        "intel_pstate", "amd_pstate", "mitigations", "nosmt", "clocksource", "tsc", "transparent_hugepage", "skew_tick",
        "nosoftlockup", "nowatchdog", "mce", "numa_balancing", "preempt", "threadirqs");
    /** Read once: it does not change while a process runs, and may take a moment. */
    private static final Map<String, String> CLOUD =
        CloudFacts.facts(HostFiles.ofThisMachine(), CloudFacts.METADATA, CloudFacts.TIMEOUT);

    private final HostFiles files;
    private final Map<String, String> facts = new LinkedHashMap<>();

    private MachineFacts(final HostFiles files)
    {
        this.files = files;
    }

    /** Facts of this machine by name, in a fixed order. */
    public static Map<String, String> machine()
    {
        return machine(HostFiles.ofThisMachine(), CLOUD, null);
    }

    /** Facts of this machine, with the file system of a folder, by name in a fixed order. */
    public static Map<String, String> machine(final Path clusterDir)
    {
        return machine(HostFiles.ofThisMachine(), CLOUD, clusterDir);
    }

    /** Whether two results were measured on the same machine, with the same kernel, governor and clock. */
    public static boolean isSame(final Map<String, String> theirs, final Map<String, String> ours)
    {
        return IDENTITY.stream().allMatch((key) -> theirs.getOrDefault(key, "").equals(ours.get(key)));
    }

    /** Facts of a host and its cloud by name, in a fixed order; the folder of the cluster is null if unknown. */
    static Map<String, String> machine(final HostFiles files, final Map<String, String> cloud, final Path clusterDir)
    {
        final MachineFacts machine = new MachineFacts(files);
        machine.putSystem();
        machine.putProcessors();
        machine.putKernel();
        machine.putPlace(cloud, clusterDir);
        return machine.facts;
    }

    /** Facts of this JVM by name, in a fixed order. */
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
        facts.put(
            "arguments", String.join(" ", Redaction.of(ManagementFactory.getRuntimeMXBean().getInputArguments())));
        return facts;
    }

    private void putSystem()
    {
        putFile("hostName", "proc/sys/kernel/hostname");
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        putFile("kernel", "proc/sys/kernel/version");
        facts.put(
            "distribution",
            files.lines("etc/os-release").stream().filter((line) -> line.startsWith("PRETTY_NAME=")).findFirst()
                .map((line) -> line.substring("PRETTY_NAME=".length()).replace("\"", "")).orElse("unknown"));
        facts.put("architecture", System.getProperty("os.arch"));
    }

    private void putProcessors()
    {
        final Processors processors = Processors.of(files);
        // ARM processors have no name there, but numbers of vendor and part.
        final Optional<String> model = files.keyed("proc/cpuinfo", "model name")
            .or(() -> files.keyed("proc/cpuinfo", "CPU part").map((part) -> "part " + part));
        put("cpuModel", model.orElse(""));
        facts.put("cpuCount", String.valueOf(Runtime.getRuntime().availableProcessors()));
        put("cpusOnline", CpuList.format(processors.online()));
        final int socketCount = processors.socketCount();
        put("sockets", 0 == socketCount ? "" : String.valueOf(socketCount));
        facts.put("cores", String.valueOf(processors.coreCount()));
        facts.put("hyperThreads", processors.isThreaded() ? "yes" : NONE);
        put("numaNodes", processors.nodesText());
        put("governor", String.join(", ", processors.governors()));
        facts.put("isolatedCpus", orNone(CpuList.format(processors.isolated())));
        facts.put("ticklessCpus", orNone(CpuList.format(processors.tickless())));
    }

    private void putKernel()
    {
        put("kernelParameters", files.text("proc/cmdline").map((text) -> orNone(Stream.of(text.split("\\s+"))
            .filter((word) -> KERNEL_PARAMETERS.contains(word.replaceFirst("=.*", ""))).collect(Collectors.joining(" "))))
            .orElse(""));
        put("memoryTotal", files.keyed("proc/meminfo", "MemTotal").orElse(""));
        putFile("clockSource", "sys/devices/system/clocksource/clocksource0/current_clocksource");
        putFile("transparentHugePages", "sys/kernel/mm/transparent_hugepage/enabled");
        putFile("timerSlackNs", files.nameForThisThread("timerslack_ns"));
        putFile("loadAverage", "proc/loadavg");
        putFile("rmemMax", "proc/sys/net/core/rmem_max");
        putFile("wmemMax", "proc/sys/net/core/wmem_max");
    }

    private void putPlace(final Map<String, String> cloud, final Path clusterDir)
    {
        final boolean isVirtual =
            files.keyed("proc/cpuinfo", "flags").map((flags) -> flags.contains("hypervisor")).orElse(false);
        facts.put("hypervisor", isVirtual ? "yes" : "none seen");
        final String product = Stream.of("sys_vendor", "product_name")
            .flatMap((name) -> files.text("sys/class/dmi/id/" + name).stream()).collect(Collectors.joining(" "));
        put("product", product.isEmpty() ? files.text("sys/hypervisor/type").orElse("") : product);
        facts.putAll(cloud);
        put("network", NetworkCard.all(files).stream().map(NetworkCard::text).collect(Collectors.joining("; ")));
        put("sharedMemory", Mount.of(files, Path.of("/dev/shm")).map(Mount::text).orElse(""));
        if (null != clusterDir)
        {
            // A missing folder may be one of another host.
            put("clusterFileSystem", Optional.of(clusterDir).filter(Files::isDirectory)
                .flatMap((dir) -> Mount.of(files, dir)).map(Mount::text).orElse(""));
        }
        final ContainerLimits limits = ContainerLimits.of(files);
        put("cpusAllowed", limits.cpusAllowed().orElse(""));
        facts.put("cpuLimit", limits.cpuCount().map((count) -> String.format(Locale.ROOT, "%.2f", count)).orElse(NONE));
        facts.put("memoryLimit", limits.memoryBytes().map((length) -> length / MB + " MB").orElse(NONE));
    }

    private void putFile(final String name, final String file)
    {
        put(name, files.text(file).orElse(""));
    }

    /** An empty value is one that could not be read. */
    private void put(final String name, final String value)
    {
        facts.put(name, value.isEmpty() ? UNKNOWN : value);
    }

    private static String orNone(final String text)
    {
        return text.isEmpty() ? NONE : text;
    }
}
