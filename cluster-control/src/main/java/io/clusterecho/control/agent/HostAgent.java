package io.clusterecho.control.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.HeldLog;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The requests that an {@link AgentCommand} answers. Keeps the clusters of earlier requests, because a member started by this
 * process is observed more closely than one that was found again. One thread.
 */
public final class HostAgent implements AutoCloseable
{
    private static final String CREDENTIALS_FILE = "credentials";

    private final ObjectMapper mapper = CallProtocol.MAPPER;
    private final MemberLauncher launcher;
    private final Map<Path, Cluster> clusters = new HashMap<>();
    private final Map<Path, ElectionWatch> watches = new HashMap<>();
    private final Map<String, ProcessSource> sources = new HashMap<>();

    public HostAgent(final MemberLauncher launcher)
    {
        this.launcher = launcher;
    }

    public JsonNode answer(final JsonNode request)
    {
        final String what = request.path("do").asText();
        final Path baseDir = Path.of(request.path("base").asText());
        return switch (what)
        {
            case "hello" -> mapper.createObjectNode().set("versions", mapper.valueToTree(BuildFacts.versions()));
            case "machine" -> mapper.valueToTree(MachineUse.now());
            case "environment" -> environment(baseDir);
            case "settings" -> mapper.valueToTree(
                RecordedClusters.in(baseDir, launcher).map(Cluster::shared).map(ClusterFiles::withoutDefaults).orElse(null));
            case "configure" -> configure(baseDir, request);
            case "forget" -> forget(baseDir);
            case "room" -> mapper.valueToTree(host(baseDir).checkRoom(request.path("members").asInt()));
            case "watch" -> watch(baseDir);
            case "changes" -> changes(baseDir, request.path("since").asLong());
            case "unwatch" -> unwatch(baseDir);
            default -> ofNode(what, baseDir, request);
        };
    }

    private JsonNode ofNode(final String what, final Path baseDir, final JsonNode request)
    {
        final boolean isOfBackup = request.path("backup").asBoolean();
        final boolean isSample = "sample".equals(what);
        final Method method = isSample || "sources".equals(what) ? null :
            CallProtocol.method(isOfBackup ? Backup.class : ClusterMember.class, request);
        if (!clusters.containsKey(baseDir) && RecordedClusters.in(baseDir, launcher).isEmpty())
        {
            return ofNone(method, noCluster(baseDir));
        }
        final Optional<? extends Node> node = isOfBackup ? cluster(baseDir).backup() :
            Optional.of(cluster(baseDir).members().get(request.path("member").asInt()));
        if (node.isEmpty())
        {
            return ofNone(method, new ControlFailure(
                ControlFailure.NOT_READY, "the cluster in " + baseDir + " was started without a backup"));
        }

        final String process = baseDir + "/" + (isOfBackup ? "backup" : request.path("member").asText());
        return null != method ? CallProtocol.answer(CallProtocol.invoke(node.get(), method, request, (type) -> null)) :
            isSample ? sample(process, node.get(), request.path("suffix").asText()) : sources(process, node.get());
    }

    private static JsonNode ofNone(final Method method, final ControlFailure failure)
    {
        if (null == method || !method.getAnnotation(Asked.class).isOfAny())
        {
            throw failure;
        }
        final Class<?> type = method.getReturnType();
        return CallProtocol.answer(boolean.class == type ? Boolean.FALSE : List.class == type ? List.of() :
            MemberErrors.class == type ? MemberErrors.NONE : HeldLog.class == type ? HeldLog.NOTHING : null);
    }

    private static ControlFailure noCluster(final Path baseDir)
    {
        return new ControlFailure(ControlFailure.NOT_READY, "no cluster was started in " + baseDir);
    }

    private Cluster cluster(final Path baseDir)
    {
        return clusters.computeIfAbsent(
            baseDir,
            (dir) -> RecordedClusters.in(dir, launcher).orElseThrow(() -> noCluster(dir)));
    }

    private MemberHost host(final Path baseDir)
    {
        return cluster(baseDir).hosts().get(0);
    }

    private JsonNode configure(final Path baseDir, final JsonNode request)
    {
        checkNetwork(request);
        final TreeMap<String, String> shared = new TreeMap<>();
        request.path("settings").properties().forEach((entry) -> shared.put(entry.getKey(), entry.getValue().asText()));
        final String credentials = request.path("credentials").asText();
        if (!credentials.isEmpty())
        {
            shared.put(NodeSettings.CREDENTIALS_FILE.key(), writeSecret(baseDir, credentials).toString());
        }
        final Cluster cluster = RecordedClusters.configure(baseDir, shared, launcher);
        clusters.put(baseDir, cluster);
        final String room = host(baseDir).checkRoom(request.path("members").asInt());
        if (!cluster.isAnyAlive())
        {
            cluster.prepare(System.err::println);
        }

        return mapper.valueToTree(room);
    }

    private JsonNode forget(final Path baseDir)
    {
        if (!Files.isDirectory(baseDir))
        {
            return mapper.nullNode();
        }
        RecordedClusters.in(baseDir, launcher).ifPresent((cluster) -> cluster.hosts().get(0).forget());
        clusters.remove(baseDir);
        try
        {
            Files.deleteIfExists(baseDir.resolve(CREDENTIALS_FILE));
            try (Stream<Path> left = Files.list(baseDir))
            {
                if (left.findAny().isEmpty())
                {
                    Files.delete(baseDir);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot delete the files in " + baseDir, ex);
        }

        return mapper.nullNode();
    }

    private static Path writeSecret(final Path baseDir, final String text)
    {
        final Path file = baseDir.resolve(CREDENTIALS_FILE);
        try
        {
            Files.createDirectories(
                baseDir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, text + "\n");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + file, ex);
        }
    }

    /**
     * Check the host's network against the inventory: a member that binds to another interface, or one with another MTU, would
     * measure something else.
     */
    private static void checkNetwork(final JsonNode request)
    {
        final String address = request.path("address").asText();
        final String wanted = request.path("interface").asText();
        final int mtuLength = request.path("mtu").asInt();
        try
        {
            final NetworkInterface found =
                NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            if (null == found)
            {
                throw new InvalidSettingException("address", address, "an address of this host");
            }
            if (!wanted.isEmpty() && !wanted.equals(found.getName()))
            {
                throw new InvalidSettingException("interface", wanted, found.getName() + ", which has " + address);
            }
            if (mtuLength > 0 && mtuLength != found.getMTU())
            {
                throw new InvalidSettingException(
                    "mtu", mtuLength, found.getMTU() + ", the MTU of " + found.getName());
            }
        }
        catch (final UnknownHostException | SocketException ex)
        {
            throw new InvalidSettingException("address", address, "a name or address of this host: " + ex.getMessage());
        }
    }

    private JsonNode environment(final Path baseDir)
    {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("machine", MachineFacts.machine(baseDir));
        facts.put("jvm", MachineFacts.jvm());
        facts.put("build", BuildFacts.versions());
        return mapper.valueToTree(facts);
    }

    private JsonNode watch(final Path baseDir)
    {
        if (!watches.containsKey(baseDir))
        {
            watches.put(baseDir, cluster(baseDir).watchElections());
        }

        return mapper.nullNode();
    }

    private JsonNode changes(final Path baseDir, final long sinceNs)
    {
        watch(baseDir);
        final ArrayNode changes = mapper.createArrayNode();
        for (final ElectionWatch.Change change : watches.get(baseDir).since(sinceNs))
        {
            changes.addArray().add(change.timeNs()).add(change.memberId()).add(change.stateBefore()).add(change.state())
                .add(change.isLeader());
        }

        return changes;
    }

    private JsonNode unwatch(final Path baseDir)
    {
        final ElectionWatch watch = watches.remove(baseDir);
        if (null != watch)
        {
            watch.close();
        }

        return mapper.nullNode();
    }

    private JsonNode sources(final String process, final Node node)
    {
        final ArrayNode suffixes = mapper.createArrayNode();
        for (final ProcessSource source : node.sources())
        {
            suffixes.add(source.suffix());
            final ProcessSource before = sources.put(process + source.suffix(), source);
            if (null != before)
            {
                before.close();
            }
        }

        return suffixes;
    }

    private JsonNode sample(final String process, final Node node, final String suffix)
    {
        if (!sources.containsKey(process + suffix))
        {
            sources(process, node);
        }
        final ProcessSource source = sources.get(process + suffix);
        final long[] values = DriverSample.newValues();
        final ObjectNode sample = mapper.createObjectNode().put("pid", null == source ? -1 : source.take(values));
        sample.set("values", mapper.valueToTree(values));
        return sample;
    }

    @Override
    public void close()
    {
        watches.values().forEach(ElectionWatch::close);
        sources.values().forEach(ProcessSource::close);
    }
}
