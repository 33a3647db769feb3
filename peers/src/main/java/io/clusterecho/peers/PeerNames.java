package io.clusterecho.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The peers on the class path, by their names.
 */
public final class PeerNames extends ArrayList<String>
{
    private static final long serialVersionUID = 1L;

    /**
     * All names, for picocli's help.
     */
    public PeerNames()
    {
        peers().forEach((peer) -> add(peer.name()));
    }

    /**
     * All peers.
     *
     * @return in the order of their list.
     */
    public static List<Peer> peers()
    {
        final List<Peer> peers = new ArrayList<>();
        for (final TransportKind kind : ServiceLoader.load(TransportKind.class))
        {
            if (kind instanceof Peer peer)
            {
                peers.add(peer);
            }
        }

        return peers;
    }

    /**
     * One peer.
     *
     * @param option that named it.
     * @param name   that was given.
     * @throws InvalidSettingException for a name that means none.
     */
    public static Peer peer(final String option, final String name)
    {
        return peers().stream().filter((peer) -> peer.name().equals(name)).findFirst()
            .orElseThrow(() -> new InvalidSettingException(option, name, "one of " + String.join(", ", new PeerNames())));
    }

    /**
     * Peers that know a load.
     *
     * @param load that they must know.
     */
    public static List<String> that(final Peer.Load load)
    {
        return peers().stream().filter((peer) -> peer.loads().contains(load)).map(Peer::name).toList();
    }
}
