package io.clusterecho.control.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.LeaderControl;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberSeed;
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

    private final ObjectMapper mapper;
    private final MemberLauncher launcher;
    private final Map<Path, Cluster> clusters = new HashMap<>();
    private final Map<Path, ElectionWatch> watches = new HashMap<>();
    private final Map<String, ProcessSource> sources = new HashMap<>();

    public HostAgent(final ObjectMapper mapper, final MemberLauncher launcher)
    {
        this.mapper = mapper;
        this.launcher = launcher;
    }

    public JsonNode answer(final JsonNode request)
    {
        final String what = request.path("do").asText();
        final Path baseDir = Path.of(request.path("base").asText());
        return switch (what)
        {
            case "hello" -> mapper.createObjectNode().set("versions", mapper.valueToTree(BuildFacts.versions()));
            case "ping" -> mapper.createObjectNode().put("nowNs", System.nanoTime());
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
            default -> request.path("backup").asBoolean() ? ofBackup(what, baseDir, request) :
                ofMember(what, baseDir, request);
        };
    }

    private JsonNode ofBackup(final String what, final Path baseDir, final JsonNode request)
    {
        if (!clusters.containsKey(baseDir) && RecordedClusters.in(baseDir, launcher).isEmpty())
        {
            return ofNone(what, noCluster(baseDir));
        }

        final Optional<Backup> found = cluster(baseDir).backup();
        if (found.isEmpty())
        {
            return ofNone(what, new ControlFailure(
                ControlFailure.NOT_READY, "the cluster in " + baseDir + " was started without a backup"));
        }

        final Backup backup = found.get();
        return switch (what)
        {
            case "pid" -> mapper.valueToTree(backup.pid().stream().boxed().findFirst().orElse(null));
            case "recorded" -> mapper.valueToTree(backup.isRecorded());
            case "start" -> done(backup::start);
            case "terminate" -> done(backup::terminate);
            case "kill" -> done(backup::kill);
            case "exit" -> mapper.valueToTree(backup.exitCode().isPresent() ? backup.exitCode().getAsInt() : null);
            case "said" -> mapper.valueToTree(backup.output());
            case "clean" -> done(backup::cleanUp);
            case "delete" -> mapper.valueToTree(backup.deleteData());
            case "log" -> mapper.valueToTree(backup.hasLog());
            case "storage" -> mapper.valueToTree(backup.storage());
            case "purge" -> done(() -> backup.purge(request.path("snapshots").asInt()));
            case "seed" -> mapper.valueToTree(backup.seed());
            case "counters" -> mapper.valueToTree(backup.counters().orElse(null));
            case "errors" -> mapper.valueToTree(backup.errors());
            case "sources" -> sources(baseDir + "/backup", backup.sources(List.of()));
            case "sample" -> sample(
                baseDir + "/backup", () -> backup.sources(List.of()), request.path("suffix").asText());
            default -> throw new ControlFailure(ControlFailure.UNUSABLE, "unknown request: " + what);
        };
    }

    private JsonNode ofMember(final String what, final Path baseDir, final JsonNode request)
    {
        if (!clusters.containsKey(baseDir) && RecordedClusters.in(baseDir, launcher).isEmpty())
        {
            return ofNone(what, noCluster(baseDir));
        }

        final ClusterMember member = cluster(baseDir).members().get(request.path("member").asInt());
        return switch (what)
        {
            case "pid" -> mapper.valueToTree(member.pid().stream().boxed().findFirst().orElse(null));
            case "recorded" -> mapper.valueToTree(member.isRecorded());
            case "start" -> done(member::start);
            case "terminate" -> done(member::terminate);
            case "kill" -> done(member::kill);
            case "disk" -> done(() -> member.disk(DiskAction.valueOf(request.path("action").asText())));
            case "calls" -> done(() -> member.calls(
                new CallFault(CallFault.Kind.valueOf(request.path("kind").asText()), request.path("amount").asLong())));
            case "releaseCalls" -> done(member::releaseCalls);
            case "limitFiles" -> done(() -> member.limitFiles(request.path("count").asLong()));
            case "releaseFiles" -> done(member::releaseFiles);
            case "pause" -> done(member::pause);
            case "resume" -> done(member::resume);
            case "stacks" -> done(member::dumpStacks);
            case "impair" -> done(() -> member.impair(mapper.convertValue(request.path("impairment"), Impairment.class)));
            case "restore" -> done(member::restoreLink);
            case "exit" -> mapper.valueToTree(member.exitCode().isPresent() ? member.exitCode().getAsInt() : null);
            case "said" -> mapper.valueToTree(member.output());
            case "clean" -> done(member::cleanUp);
            case "wipe" -> done(member::wipe);
            case "aside" -> done(() -> member.setAside(request.path("folder").asText()));
            case "delete" -> mapper.valueToTree(member.deleteData());
            case "log" -> mapper.valueToTree(member.hasLog());
            case "storage" -> mapper.valueToTree(member.storage());
            case "purge" -> done(() -> member.purge(request.path("position").asLong(), request.path("snapshots").asInt()));
            case "seed" -> mapper.valueToTree(member.seed());
            case "seeded" -> mapper.valueToTree(member.isSeeded());
            case "putSeed" -> done(() -> member.putSeed(mapper.convertValue(request.path("seed"), MemberSeed.class)));
            case "counters" -> mapper.valueToTree(member.counters().orElse(null));
            case "errors" -> mapper.valueToTree(member.errors());
            case "ask" -> done(() -> member.ask(
                LeaderControl.Action.valueOf(request.path("action").asText()), request.path("clusterId").asInt(),
                Deadline.in(request.path("timeoutNs").asLong())));
            case "sources" -> sources(baseDir + "/" + member.memberId(), member.sources());
            case "sample" -> sample(
                baseDir + "/" + member.memberId(), member::sources, request.path("suffix").asText());
            default -> throw new ControlFailure(ControlFailure.UNUSABLE, "unknown request: " + what);
        };
    }

    /** Answers for a member, or the backup, of a folder in which no cluster was started. */
    private JsonNode ofNone(final String what, final ControlFailure failure)
    {
        return switch (what)
        {
            case "pid", "counters", "exit" -> mapper.nullNode();
            case "recorded", "log", "delete", "seeded" -> mapper.valueToTree(false);
            case "said" -> mapper.createArrayNode();
            case "errors" -> mapper.valueToTree(new MemberErrors(0, 0, 0, ""));
            case "terminate", "kill", "resume", "stacks", "clean" -> mapper.nullNode();
            default -> throw failure;
        };
    }

    private static ControlFailure noCluster(final Path baseDir)
    {
        return new ControlFailure(ControlFailure.NOT_READY, "no cluster was started in " + baseDir);
    }

    private JsonNode done(final Runnable action)
    {
        action.run();
        return mapper.nullNode();
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

    private JsonNode sources(final String process, final List<ProcessSource> found)
    {
        final ArrayNode suffixes = mapper.createArrayNode();
        for (final ProcessSource source : found)
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

    private JsonNode sample(final String process, final Supplier<List<ProcessSource>> all, final String suffix)
    {
        if (!sources.containsKey(process + suffix))
        {
            sources(process, all.get());
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
