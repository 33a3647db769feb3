package io.clusterecho.host;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The processors of a host, as numbered by the kernel. A core with hyper-threads is several processors.
 *
 * @param socketCount number of packages; 0 if unknown.
 * @param siblings    for each online processor those on its core, itself included.
 * @param nodes       processors of each NUMA node; empty if unknown.
 * @param isolated    processors without load balancing, by boot parameter.
 * @param tickless    processors without timer tick while one thread runs, by boot parameter.
 * @param governors   frequency governors in use; empty if this kernel does not control frequencies, as on most virtual machines.
 */
public record Processors(
    SortedSet<Integer> online,
    int socketCount,
    SortedMap<Integer, SortedSet<Integer>> siblings,
    SortedMap<Integer, SortedSet<Integer>> nodes,
    SortedSet<Integer> isolated,
    SortedSet<Integer> tickless,
    SortedSet<String> governors)
{
    private static final String CPU_FOLDER = "sys/devices/system/cpu/";
    private static final String NODE_FOLDER = "sys/devices/system/node/";
    private static final int FEW = 8;

    /** Whether this process has so few that spinning threads would take them from threads with work. */
    public static boolean areFew()
    {
        return Runtime.getRuntime().availableProcessors() < FEW;
    }

    public static Processors of(final HostFiles files)
    {
        final SortedSet<Integer> online = list(files, CPU_FOLDER + "online");
        final SortedSet<String> packages = new TreeSet<>();
        final SortedSet<String> governors = new TreeSet<>();
        final SortedMap<Integer, SortedSet<Integer>> siblings = new TreeMap<>();
        for (final int cpu : online)
        {
            final String folder = CPU_FOLDER + "cpu" + cpu + "/";
            files.text(folder + "topology/physical_package_id").ifPresent(packages::add);
            files.text(folder + "cpufreq/scaling_governor").ifPresent(governors::add);
            final SortedSet<Integer> onCore = list(files, folder + "topology/thread_siblings_list");
            siblings.put(cpu, onCore.isEmpty() ? new TreeSet<>(java.util.List.of(cpu)) : onCore);
        }

        final SortedMap<Integer, SortedSet<Integer>> nodes = new TreeMap<>();
        files.names(NODE_FOLDER).stream().filter((name) -> name.matches("node[0-9]{1,4}")).forEach((name) -> nodes.put(
            Integer.parseInt(name.substring("node".length())), list(files, NODE_FOLDER + name + "/cpulist")));

        return new Processors(
            online, packages.size(), siblings, nodes, list(files, CPU_FOLDER + "isolated"),
            list(files, CPU_FOLDER + "nohz_full"), governors);
    }

    /** Number of online cores; hyper-threads of one core count once. */
    public int coreCount()
    {
        return (int)siblings.values().stream().distinct().count();
    }

    public boolean isThreaded()
    {
        return coreCount() < online.size();
    }

    /** The NUMA nodes, as in {@code 0: 0-3; 1: 4-7}. */
    public String nodesText()
    {
        return nodes.entrySet().stream().map((node) -> node.getKey() + ": " + CpuList.format(node.getValue()))
            .collect(Collectors.joining("; "));
    }

    private static SortedSet<Integer> list(final HostFiles files, final String name)
    {
        try
        {
            return CpuList.parse(files.text(name).orElse(""));
        }
        catch (final IllegalArgumentException ex)
        {
            // Some kernels write "(null)" into nohz_full.
            return new TreeSet<>();
        }
    }
}
