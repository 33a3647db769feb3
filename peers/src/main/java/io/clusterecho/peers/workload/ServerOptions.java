package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * What the suite may change of the peers' servers, to find what makes them fastest.
 *
 * @param areCompilersKept whether they leave their compiler threads as they are.
 * @param jvmFlags         of each server, besides those of its heap, which come after them.
 */
record ServerOptions(boolean areCompilersKept, List<String> jvmFlags)
{
    /**
     * Further arguments of {@code serve}.
     *
     * @param first that come before them.
     */
    List<String> arguments(final List<String> first)
    {
        final List<String> arguments = new ArrayList<>(first);
        if (areCompilersKept)
        {
            arguments.add("--keep-compilers");
        }
        return arguments;
    }

    /** Flags of the JVM. */
    List<String> flags(final List<String> ofHeap)
    {
        final List<String> flags = new ArrayList<>(jvmFlags);
        flags.addAll(ofHeap);
        return flags;
    }
}
