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
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.control.remote.HostCalls;
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

    private final MemberLauncher launcher;
    private final Map<Path, Folder> folders = new HashMap<>();

    public HostAgent(final MemberLauncher launcher)
    {
        this.launcher = launcher;
    }

    public JsonNode answer(final JsonNode request)
    {
        final String what = request.path("do").asText();
        final Folder folder = folders.computeIfAbsent(Path.of(request.path("base").asText()), Folder::new);
        return CallProtocol.answer(Arrays.stream(HostCalls.class.getMethods()).anyMatch((one) -> one.getName().equals(what)) ?
            CallProtocol.invoke(folder, CallProtocol.method(HostCalls.class, request), request, (type) -> null) :
            folder.ofNode(request));
    }

    private static Object ofNone(final Method method, final String reason)
    {
        if (!method.getAnnotation(Asked.class).isOfAny())
        {
            throw ControlFailure.notReady(reason);
        }
        final Class<?> type = method.getReturnType();
        return boolean.class == type ? Boolean.FALSE : List.class == type ? List.of() :
            MemberErrors.class == type ? MemberErrors.NONE : HeldLog.class == type ? HeldLog.NOTHING : null;
    }

    /** Check the host's network: a member that binds to another interface or MTU would measure something else. */
    private static void checkNetwork(final HostCalls.Configuration wanted)
    {
        final String address = wanted.address();
        try
        {
            final NetworkInterface found =
                NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            InvalidSettingException.throwIf(null == found, "address", address, "an address of this host");
            InvalidSettingException.throwIf(
                !wanted.interfaceName().isEmpty() && !wanted.interfaceName().equals(found.getName()), "interface",
                wanted.interfaceName(), found.getName() + ", which has " + address);
            InvalidSettingException.throwIf(
                wanted.mtuLength() > 0 && wanted.mtuLength() != found.getMTU(), "mtu", wanted.mtuLength(),
                found.getMTU() + ", the MTU of " + found.getName());
        }
        catch (final UnknownHostException | SocketException ex)
        {
            throw new InvalidSettingException("address", address, "a name or address of this host: " + ex.getMessage());
        }
    }

    @Override
    public void close()
    {
        folders.values().forEach(Folder::unwatch);
    }

    /** The base folder of a cluster, which may not exist. */
    private final class Folder implements HostCalls
    {
        private final Path baseDir;
        /** Null until it is needed. */
        private Cluster known;
        private ElectionWatch watch;

        private Folder(final Path baseDir)
        {
            this.baseDir = baseDir;
        }

        private Optional<Cluster> cluster()
        {
            known = null == known ? RecordedClusters.in(baseDir, launcher).orElse(null) : known;
            return Optional.ofNullable(known);
        }

        private void endSamples()
        {
            if (null != known)
            {
                Stream.<Node>concat(known.members().stream(), known.backup().stream()).forEach(Node::endSamples);
            }
        }

        private Cluster requireCluster()
        {
            return cluster().orElseThrow(() -> ControlFailure.notReady(noCluster()));
        }

        private String noCluster()
        {
            return "no cluster was started in " + baseDir;
        }

        private Object ofNode(final JsonNode request)
        {
            final boolean isOfBackup = request.path("backup").asBoolean();
            final Method method = CallProtocol.method(isOfBackup ? Backup.class : ClusterMember.class, request);
            if (cluster().isEmpty())
            {
                return ofNone(method, noCluster());
            }
            final Optional<? extends Node> node =
                isOfBackup ? known.backup() : Optional.of(known.members().get(request.path("member").asInt()));
            return node.isEmpty() ? ofNone(method, "the cluster in " + baseDir + " was started without a backup") :
                CallProtocol.invoke(node.get(), method, request, (type) -> null);
        }

        @Override
        public Map<String, Map<String, String>> hello()
        {
            return Map.of("versions", BuildFacts.versions());
        }

        @Override
        public MachineUse machine()
        {
            return MachineUse.now();
        }

        @Override
        public Map<String, Map<String, String>> environment()
        {
            final Map<String, Map<String, String>> facts = new LinkedHashMap<>();
            facts.put("machine", MachineFacts.machine(baseDir));
            facts.put("jvm", MachineFacts.jvm());
            facts.put("build", BuildFacts.versions());
            return facts;
        }

        @Override
        public Optional<Map<String, String>> settings()
        {
            return RecordedClusters.in(baseDir, launcher).map((cluster) -> ClusterFiles.withoutDefaults(cluster.shared()));
        }

        @Override
        public String configure(final Configuration configuration)
        {
            checkNetwork(configuration);
            final TreeMap<String, String> shared = new TreeMap<>(configuration.settings());
            if (!configuration.credentials().isEmpty())
            {
                shared.put(NodeSettings.CREDENTIALS_FILE.key(), writeSecret(configuration.credentials()).toString());
            }
            endSamples();
            known = RecordedClusters.configure(baseDir, shared, launcher);
            final String room = room(configuration.memberCount());
            if (!known.isAnyAlive())
            {
                known.prepare(System.err::println);
            }
            return room;
        }

        private Path writeSecret(final String text)
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

        @Override
        public void forget()
        {
            if (!Files.isDirectory(baseDir))
            {
                return;
            }
            RecordedClusters.in(baseDir, launcher).ifPresent((cluster) -> cluster.hosts().get(0).forget());
            endSamples();
            known = null;
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
        }

        @Override
        public String room(final int memberCount)
        {
            return requireCluster().hosts().get(0).checkRoom(memberCount);
        }

        @Override
        public void watch()
        {
            watch = null == watch ? requireCluster().watchElections() : watch;
        }

        @Override
        public List<ElectionWatch.Change> changes(final long sinceNs)
        {
            watch();
            return watch.since(sinceNs);
        }

        @Override
        public void unwatch()
        {
            if (null != watch)
            {
                watch.close();
                watch = null;
            }
        }
    }
}
