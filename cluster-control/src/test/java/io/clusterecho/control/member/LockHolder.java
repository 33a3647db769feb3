package io.clusterecho.control.member;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.settings.Settings;

/** A process that only holds the lock of a member's folder, until it is killed. */
public final class LockHolder
{
    private LockHolder()
    {
    }

    /** @param args base folder and id of the member. */
    public static void main(final String[] args) throws InterruptedException
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), args[0], "test")
            .put(NodeSettings.HOSTS.key(), "127.0.0.1,127.0.0.1", "test")
            .put(NodeSettings.MEMBER_ID.key(), args[1], "test");
        try (MemberFolder folder = MemberFolder.open(new NodeConfig(settings), () -> { }))
        {
            System.out.println("holds " + folder.dir());
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
