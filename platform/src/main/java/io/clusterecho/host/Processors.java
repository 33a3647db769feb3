package io.clusterecho.host;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The processors of a host, as the kernel numbers them. A core with hyper-threads is several of them.
 *
 * @param online      that are switched on.
 * @param socketCount packages that they are in; 0 if that is not told.
 * @param siblings    each processor that is online with those on its core, itself included.
 * @param nodes       processors of each NUMA node; empty if that is not told.
 * @param isolated    that the scheduler leaves alone, by boot parameter.
 * @param tickless    that are spared the timer's tick while one thread runs, by boot parameter.
 * @param governors   that choose their frequency; empty where nothing of this kernel does, as on most virtual machines.
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

    /**
     * Of a host.
     *
     * @param files of it.
     */
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
        for (final String name : files.names(NODE_FOLDER))
        {
            if (name.matches("node[0-9]{1,4}"))
            {
                nodes.put(Integer.parseInt(name.substring("node".length())), list(files, NODE_FOLDER + name + "/cpulist"));
            }
        }

        return new Processors(
            online, packages.size(), siblings, nodes, list(files, CPU_FOLDER + "isolated"),
            list(files, CPU_FOLDER + "nohz_full"), governors);
    }

    /**
     * Cores that are online; hyper-threads of one core count once.
     *
     * @return how many.
     */
    public int coreCount()
    {
        return (int)siblings.values().stream().distinct().count();
    }

    /**
     * Whether cores are shared by hyper-threads.
     *
     * @return true if any is.
     */
    public boolean isThreaded()
    {
        return coreCount() < online.size();
    }

    /**
     * The NUMA nodes in words.
     *
     * @return as in {@code 0: 0-3; 1: 4-7}.
     */
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
            // "(null)" is what some kernels say of nohz_full.
            return new TreeSet<>();
        }
    }
}
