package io.clusterecho.peers;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/** Another system to measure: a transport and a server for it. Stateless and thread-safe. */
public interface Peer extends TransportKind
{
    /** Default of {@code --endpoints}, for servers and clients. */
    String DEFAULT_ENDPOINT = "127.0.0.1:21000";

    /** Durability of members that flush. */
    String FLUSHED = "flushed: an acknowledged message was flushed to the disks of a majority; it survives the loss of power " +
        "everywhere, as far as the disks keep what they confirm";

    /** Start a server in this process, ready for sessions; an invalid address or setting, or a port in use, is an error. */
    PeerServer serve(ServeRequest request);

    @Override
    default long maxLengthBytes()
    {
        return 1 << 20;
    }

    @Override
    default String durability()
    {
        return "none: one server, which stores nothing";
    }

    /** Default endpoints of its server, in the form of {@code --endpoints}. */
    default String defaultEndpoints()
    {
        return serverCount() > 1 ? Members.DEFAULT : DEFAULT_ENDPOINT;
    }

    @Override
    default String endpointsFrom(final int firstPort)
    {
        return serverCount() > 1 ? Members.local(firstPort) : TransportKind.super.endpointsFrom(firstPort);
    }

    /** All peers on the class path. */
    static List<Peer> all()
    {
        return TransportProvider.all().stream().flatMap((provider) -> provider.kinds().stream())
            .filter(Peer.class::isInstance).map(Peer.class::cast).toList();
    }

    /** Find a peer; an unknown name is an error of the option. */
    static Peer of(final String option, final String name)
    {
        return all().stream().filter((peer) -> peer.name().equals(name)).findFirst()
            .orElseThrow(() -> new InvalidSettingException(option, name, "one of " + String.join(", ", new Names())));
    }

    /**
     * Facts of one peer by key, sorted.
     *
     * @param guarantees whether it is replicated, durable and ordered.
     * @param tuning     settings that are not the library's defaults, and why.
     */
    static Map<String, String> facts(final String peer, final String library, final String guarantees, final String tuning)
    {
        return new TreeMap<>(Map.of(
            "peer", peer, "peer.library", library, "peer.guarantees", guarantees, "peer.tuning", tuning));
    }

    /** Version of a library in this build. */
    static String version(final String library)
    {
        return Objects.requireNonNull(
            BuildFacts.properties("/peers-versions.properties").getProperty(library), () -> "no version of " + library);
    }

    /** Names of the peers on the class path, for completion on a command line. */
    final class Names implements Iterable<String>
    {
        @Override
        public Iterator<String> iterator()
        {
            return all().stream().map(Peer::name).iterator();
        }
    }

    /**
     * Arguments of {@code serve}.
     *
     * @param memberId  of this server, if there are several.
     * @param settings  of the peer, from {@code --set}.
     */
    record ServeRequest(String endpoints, int memberId, Path dataDir, Settings settings)
    {
    }
}
