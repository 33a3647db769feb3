package io.clusterecho.control.cluster;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.control.remote.CallServer;
import io.clusterecho.control.remote.HostCalls;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.process.JsonLines;
import io.clusterecho.settings.Io;
import org.agrona.CloseHelper;

/**
 * Executes the requests of commands on another host; started members outlive it. Keeps the clusters of earlier requests,
 * because a member started by this process is observed more closely than one that was found again. One thread.
 */
public final class HostAgent implements AutoCloseable
{
    private static final String CREDENTIALS_FILE = "credentials";
    private static final String HELLO = "hello";

    private final MemberLauncher launcher;
    private final Map<Path, Folder> folders = new HashMap<>();

    public HostAgent(final MemberLauncher launcher)
    {
        this.launcher = launcher;
    }

    /** Executes requests from these lines until they end, one line of JSON each. */
    public CallServer server(final JsonLines lines)
    {
        return new CallServer(lines, (request, listeners) -> answer(request));
    }

    /** The answer to a greeting, which has the versions of this build, or to a call to the host, a member or the backup. */
    public JsonNode answer(final JsonNode request)
    {
        return CallProtocol.answer(HELLO.equals(request.path("do").asText()) ? Map.of("versions", BuildFacts.versions()) :
            folders.computeIfAbsent(Path.of(request.path("base").asText()), Folder::new).answer(request));
    }

    private static Object ofNone(final Method method, final String reason)
    {
        ControlFailure.notReadyIf(!method.getAnnotation(Asked.class).isOfAny(), reason);
        final Class<?> type = method.getReturnType();
        return boolean.class == type ? Boolean.FALSE : List.class == type ? List.of() :
            MemberErrors.class == type ? MemberErrors.NONE : null;
    }

    @Override
    public void close()
    {
        folders.values().forEach(Folder::close);
    }

    /** The base folder of a cluster, which may not exist. */
    private final class Folder implements HostCalls, ElectionWatch
    {
        private final Path baseDir;
        /** Null until it is needed. */
        private Cluster known;
        private ElectionWatch watch;

        private Folder(final Path baseDir)
        {
            this.baseDir = baseDir;
        }

        private Object answer(final JsonNode request)
        {
            final boolean isOfBackup = request.path("backup").asBoolean();
            final Method method = CallProtocol.method(
                request, HostCalls.class, MemberHost.class, ElectionWatch.class, isOfBackup ? Node.class : ClusterMember.class);
            final Class<?> type = method.getDeclaringClass();
            if (HostCalls.class != type && !isKnown())
            {
                return ofNone(method, "no cluster was started in " + baseDir);
            }
            if (type.isInstance(this))
            {
                return invoke(this, method, request);
            }
            if (MemberHost.class == type)
            {
                return invoke(known.hosts().get(0), method, request);
            }
            if (isOfBackup && known.backup().isEmpty())
            {
                return ofNone(method, "the cluster in " + baseDir + " was started without a backup");
            }

            return invoke(
                isOfBackup ? known.backup().get() : known.members().get(request.path("member").asInt()), method, request);
        }

        private static Object invoke(final Object target, final Method method, final JsonNode request)
        {
            return CallProtocol.invoke(target, method, request, (type) -> null);
        }

        /** Whether a cluster was started here, and not deleted since. */
        private boolean isKnown()
        {
            if (null == known || !Files.exists(new ClusterFiles(baseDir).settingsFile()))
            {
                use(RecordedClusters.in(baseDir, launcher).orElse(null));
            }
            return null != known;
        }

        private void use(final Cluster cluster)
        {
            close();
            if (null != known)
            {
                Stream.concat(known.members().stream(), known.backup().stream()).forEach(Node::endSamples);
            }
            known = cluster;
        }

        @Override
        public List<Change> since(final long timeNs)
        {
            watch = null == watch ? known.watchElections() : watch;
            return watch.since(timeNs);
        }

        @Override
        public void close()
        {
            CloseHelper.close(watch);
            watch = null;
        }

        @Override
        public Optional<Map<String, String>> settings()
        {
            return RecordedClusters.in(baseDir, launcher).map((cluster) -> ClusterFiles.withoutDefaults(cluster.shared()));
        }

        @Override
        public String configure(final Map<String, String> shared, final String credentials, final int memberCount)
        {
            final TreeMap<String, String> settings = new TreeMap<>(shared);
            if (!credentials.isEmpty())
            {
                settings.put(NodeSettings.CREDENTIALS_FILE.key(), writeSecret(credentials).toString());
            }
            use(RecordedClusters.configure(baseDir, settings, launcher));
            final String room = known.hosts().get(0).configure(known.shared(), memberCount);
            if (!known.isAnyAlive())
            {
                known.prepare(System.err::println);
            }
            return room;
        }

        private Path writeSecret(final String text)
        {
            final Path file = baseDir.resolve(CREDENTIALS_FILE);
            new ClusterFiles(baseDir).makeBaseDir();
            return Io.call("cannot write " + file, () ->
            {
                Files.deleteIfExists(file);
                Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                return Files.writeString(file, text + "\n");
            });
        }

        @Override
        public void forget()
        {
            use(null);
            Io.run("cannot delete the files in " + baseDir, () -> Files.deleteIfExists(baseDir.resolve(CREDENTIALS_FILE)));
            new ClusterFiles(baseDir).delete();
        }
    }
}
