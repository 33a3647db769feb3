package io.clusterecho.peers.ratis;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.IntStream;

import io.clusterecho.peers.Members;

import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;

/** The members as a Ratis group. */
final class RatisGroup
{
    private static final RaftGroupId ID =
        RaftGroupId.valueOf(UUID.nameUUIDFromBytes("cluster-echo".getBytes(StandardCharsets.US_ASCII)));

    private RatisGroup()
    {
    }

    static RaftGroup of(final Members members)
    {
        return RaftGroup.valueOf(
            ID, IntStream.range(0, members.endpoints().size()).mapToObj((memberId) -> peer(members, memberId)).toList());
    }

    static RaftPeer peer(final Members members, final int memberId)
    {
        return RaftPeer.newBuilder()
            .setId("member-" + memberId).setAddress(members.endpoint(memberId).toString()).build();
    }
}
