package io.clusterecho.client.transport;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

import io.clusterecho.control.remote.InventoryHost;

/**
 * Kinds of transport, and their servers, each in a process of its own. Found on the class path by {@link ServiceLoader}, so that
 * this client does not depend on them. Stateless and safe for any thread.
 */
public interface TransportProvider
{
    /** All providers on the class path. */
    static List<TransportProvider> all()
    {
        return ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get).toList();
    }

    /** The kinds, in the order in which they are listed. */
    List<TransportKind> kinds();

    /**
     * Start the servers of a kind and wait until all are ready.
     *
     * @param host        of the servers, or null for this machine.
     * @param firstPort   first of enough consecutive free ports there.
     * @param flags       of their JVMs.
     * @param assignments settings of the servers, KEY=VALUE.
     * @return the servers, which end with this process at the latest; on a host that is cut off, when ssh notices.
     * @throws IllegalStateException with their output if they are not ready in time; none of them runs then.
     */
    Servers start(
        String kind, InventoryHost host, int firstPort, Path folder, List<String> flags, List<String> assignments);

    /** Command line of the program that has these kinds, and loads of its own, in a JVM with these flags. */
    List<String> program(List<String> flags, List<String> arguments);

    /** Servers that were started. One thread. */
    interface Servers extends AutoCloseable
    {
        /** Value of {@code --endpoints} for their clients. */
        String endpoints();

        /** How the first of them ended that runs no more, or empty. */
        Optional<String> end();

        /** Stop them, and kill those that do not end in time. */
        @Override
        void close();
    }
}
