package io.clusterecho.control.member;

import java.util.List;

/**
 * Makes connections to several hosts at once: each takes a second or more, most of which is waiting.
 */
public final class HostConnections
{
    private HostConnections()
    {
    }

    /**
     * Connect to hosts, and wait until that is done. Nothing fails: whatever is asked of a host next tells what is wrong.
     *
     * @param hosts to connect to; of this machine there is nothing to do.
     */
    public static void make(final List<MemberHost> hosts)
    {
        final List<Thread> threads =
            hosts.stream().map((host) -> new Thread(host::connect, "connect-" + host.name())).toList();
        threads.forEach(Thread::start);
        try
        {
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
