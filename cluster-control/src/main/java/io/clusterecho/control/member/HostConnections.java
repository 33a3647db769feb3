package io.clusterecho.control.member;

import java.util.List;

/** Connects to several hosts concurrently, because each connection takes a second or more, most of it waiting. */
public final class HostConnections
{
    private HostConnections()
    {
    }

    /** Connect to hosts, and wait until all attempts are done; the next request to a host reports why one failed. */
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
