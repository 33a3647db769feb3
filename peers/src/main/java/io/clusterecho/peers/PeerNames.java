package io.clusterecho.peers;

import java.util.Iterator;
import java.util.List;

import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.settings.InvalidSettingException;

/** Names of the peers on the class path, for picocli's completion candidates. */
public final class PeerNames implements Iterable<String>
{
    @Override
    public Iterator<String> iterator()
    {
        return peers().stream().map(Peer::name).iterator();
    }

    public static List<Peer> peers()
    {
        return TransportProvider.all().stream().flatMap((provider) -> provider.kinds().stream())
            .filter(Peer.class::isInstance).map(Peer.class::cast).toList();
    }

    /** Find a peer; an unknown name is an error of the option. */
    public static Peer peer(final String option, final String name)
    {
        return peers().stream().filter((peer) -> peer.name().equals(name)).findFirst()
            .orElseThrow(() -> new InvalidSettingException(option, name, "one of " + String.join(", ", new PeerNames())));
    }

    public static List<String> that(final Peer.Load load)
    {
        return peers().stream().filter((peer) -> peer.loads().contains(load)).map(Peer::name).toList();
    }
}
