package io.clusterecho.testing;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for the servers of a test, in blocks below Linux's range of ephemeral ports. A port of that range will not do: a
 * media driver binds with {@code SO_REUSEADDR}, so the kernel may give the port of a running member to a socket of a client
 * that asks for any port, and the datagrams of both then go to one of them.
 */
public final class FreePorts
{
    /** Length of a block: room for nine members, ten ports each. */
    private static final int BLOCK_LENGTH = 100;

    private static final int FIRST = 18_000;
    /** Up to four processes test a module at a time, each with every fourth block; modules that use this follow each other. */
    private static final int FORK_COUNT = 4;
    private static final int FORK = Integer.getInteger("test.fork", 1) % FORK_COUNT;
    private static final int BLOCK_COUNT = 35;
    private static int nextBlock = ThreadLocalRandom.current().nextInt(BLOCK_COUNT);

    /**
     * A block in which no UDP or TCP port of the loopback address is bound. This process gets the same one again only after
     * all the others.
     *
     * @return the first of a hundred consecutive ports.
     * @throws IllegalStateException if there is none.
     */
    public static synchronized int block()
    {
        for (int i = 0; i < BLOCK_COUNT; i++)
        {
            final int first = FIRST + BLOCK_LENGTH * (FORK_COUNT * nextBlock + FORK);
            nextBlock = (nextBlock + 1) % BLOCK_COUNT;
            if (isFree(first))
            {
                return first;
            }
        }

        throw new IllegalStateException("a port is bound in each block of " + BLOCK_LENGTH + " from " + FIRST + " on");
    }

    private static boolean isFree(final int first)
    {
        for (int port = first; port < first + BLOCK_LENGTH; port++)
        {
            final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (ServerSocket tcp = new ServerSocket(); DatagramSocket udp = new DatagramSocket(null))
            {
                udp.setReuseAddress(false);
                udp.bind(address);
                tcp.bind(address);
            }
            catch (final IOException ex)
            {
                return false;
            }
        }

        return true;
    }
}
