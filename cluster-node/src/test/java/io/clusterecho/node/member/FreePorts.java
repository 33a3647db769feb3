package io.clusterecho.node.member;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for a test cluster, below the system's ephemeral range.
 */
final class FreePorts
{
    private static final int FIRST = 21_000;
    private static final int COUNT = 100;
    private static final int RANGE = 30;

    private FreePorts()
    {
    }

    static int basePort()
    {
        while (true)
        {
            final int basePort = FIRST + ThreadLocalRandom.current().nextInt(COUNT) * COUNT;
            if (isFree(basePort))
            {
                return basePort;
            }
        }
    }

    private static boolean isFree(final int basePort)
    {
        for (int port = basePort; port < basePort + RANGE; port++)
        {
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
            catch (final SocketException ex)
            {
                return false;
            }
        }

        return true;
    }
}
