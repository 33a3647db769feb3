package io.clusterecho.control.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.control.member.CoreNeed;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Processors;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.node.member.MemberThreads;
import io.clusterecho.node.member.Profile;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;

/**
 * What will run on this host: a member's configuration, the members that run here, load clients by their number, other hosts
 * that exchange messages with this one, and the file of JVM flags that members are started with.
 */
record HostPlan(
    NodeConfig config,
    List<MemberEndpoints> members,
    int clientCount,
    List<String> peers,
    Path jvmOptions)
{
    private static final Pattern MAX_HEAP = Pattern.compile("(?m)(?:^|\\s)-Xmx([0-9]+[kKmMgG]?)(?=\\s|$)");
    /** The JVM's own limit is a quarter of the memory; config/jvm/node.options allows a gigabyte. */
    private static final long DEFAULT_HEAP_LENGTH = 1L << 30;

    Profile profile()
    {
        return Profile.of(config.profile());
    }

    int memberCount()
    {
        return members.size();
    }

    CoreNeed coreNeed()
    {
        return new CoreNeed(profile(), memberCount(), clientCount);
    }

    /** The other hosts: those of members and those of {@code --peer}. */
    List<String> others()
    {
        return Stream.concat(config.members().stream().map(MemberEndpoints::host), peers.stream())
            .distinct().filter((host) -> !OwnAddress.isOwn(host)).toList();
    }

    /** A port of a host on which nothing listens, for a probe of the path MTU. */
    int probePort(final String host)
    {
        return config.members().stream().filter((member) -> host.equals(member.host())).findFirst()
            .orElse(config.members().get(0)).probePort();
    }

    /** Maximum heap of a member in bytes, by the last flag in the files that it is started with. */
    long maxHeapBytes()
    {
        long length = DEFAULT_HEAP_LENGTH;
        for (final Path file : List.of(jvmOptions, MemberLauncher.optionsOf(jvmOptions, config.profile())))
        {
            // Few profiles have a file.
            final Matcher flag = MAX_HEAP.matcher(Io.orElse("", () -> Files.readString(file)).replaceAll("#.*", ""));
            while (flag.find())
            {
                length = Quantity.parseSize(flag.group(1).toLowerCase(Locale.ROOT));
            }
        }

        return length;
    }

    /** Cores that the members' threads are pinned to, one each; empty if not pinned. Rejects cores that are not available. */
    SortedSet<Integer> cores(final HostFiles files)
    {
        return members.isEmpty() ? new TreeSet<>() :
            new TreeSet<>(MemberThreads.coresOfAll(config, files));
    }

    /** Cores that the launch prefix pins all members to; empty for programs other than taskset and numactl. */
    SortedSet<Integer> launchedOn(final Processors processors)
    {
        final SortedSet<Integer> pinned = new TreeSet<>();
        for (final MemberEndpoints member : members)
        {
            final List<String> words = List.of(config.value(NodeSettings.LAUNCH_PREFIX)
                .replace("{id}", String.valueOf(member.memberId())).strip().split("[\\s=]+"));
            for (int i = 1; i < words.size(); i++)
            {
                try
                {
                    switch (words.get(i - 1))
                    {
                        case "-c", "--cpu-list", "-C", "--physcpubind" -> pinned.addAll(CpuList.parse(words.get(i)));
                        case "-N", "--cpunodebind" -> CpuList.parse(words.get(i))
                            .forEach((node) -> pinned.addAll(processors.nodes().getOrDefault(node, new TreeSet<>())));
                        default ->
                        {
                            // Another argument of the program.
                        }
                    }
                }
                catch (final IllegalArgumentException ex)
                {
                    throw new InvalidSettingException(
                        NodeSettings.LAUNCH_PREFIX.key(), config.value(NodeSettings.LAUNCH_PREFIX),
                        "a list of processors, as in 0-3,8, in place of " + words.get(i));
                }
            }
        }

        return pinned;
    }
}
