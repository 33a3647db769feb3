package io.clusterecho.peers.ratis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.settings.InvalidSettingException;

import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;

/**
 * The members as {@code --endpoints} names them: {@code 0=host:port,1=host:port...}.
 *
 * @param text      as it was given.
 * @param endpoints by member id.
 */
record RatisGroup(String text, List<Endpoint> endpoints)
{
    static final String DEFAULT = local(21_000);

    private static final RaftGroupId ID =
        RaftGroupId.valueOf(UUID.nameUUIDFromBytes("cluster-echo".getBytes(StandardCharsets.US_ASCII)));

    static RatisGroup parse(final String given)
    {
        final String text = null == given ? DEFAULT : given;
        final List<Endpoint> endpoints = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final String prefix = endpoints.size() + "=";
            if (!part.startsWith(prefix))
            {
                throw new InvalidSettingException("--endpoints", text, "members in order, as in " + DEFAULT);
            }
            endpoints.add(Endpoint.parse(part.substring(prefix.length())));
        }

        return new RatisGroup(text, endpoints);
    }

    /**
     * Three members on this machine.
     */
    static String local(final int firstPort)
    {
        return "0=127.0.0.1:" + firstPort + ",1=127.0.0.1:" + (firstPort + 1) + ",2=127.0.0.1:" + (firstPort + 2);
    }

    RaftGroup raftGroup()
    {
        final List<RaftPeer> peers = new ArrayList<>();
        for (int i = 0; i < endpoints.size(); i++)
        {
            peers.add(peer(i));
        }

        return RaftGroup.valueOf(ID, peers);
    }

    RaftPeer peer(final int memberId)
    {
        return RaftPeer.newBuilder()
            .setId("member-" + memberId).setAddress(endpoints.get(memberId).toString()).build();
    }
}
