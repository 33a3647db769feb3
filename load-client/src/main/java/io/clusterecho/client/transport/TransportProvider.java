package io.clusterecho.client.transport;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Kinds of transport, and the program that runs their servers. Found on the class path by {@link ServiceLoader}, so that this
 * client does not depend on them. Stateless and safe for any thread.
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

    /** Command line of the program that has the servers of these kinds, and loads of its own, in a JVM with these flags. */
    List<String> program(List<String> flags, List<String> arguments);
}
