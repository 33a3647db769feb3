package io.clusterecho.client.run;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.settings.InvalidSettingException;

/** Allowed values of {@code --transport}: the cluster, the echo in memory, and the kinds found on the class path. */
public final class TransportNames implements Iterable<String>
{
    public static final String CLUSTER = "cluster";
    /** Aeron Cluster by the name used among its peers. */
    public static final String AERON_CLUSTER = "aeron-cluster";
    /** An echo in this process with a known delay. */
    public static final String MEMORY = "memory";

    public static boolean isCluster(final String name)
    {
        return CLUSTER.equals(name) || AERON_CLUSTER.equals(name);
    }

    /** The kind that a name means, or null for the cluster and the echo in memory. */
    public static TransportKind kind(final String name)
    {
        return isCluster(name) || MEMORY.equals(name) ? null : kinds().filter((kind) -> kind.name().equals(name)).findFirst()
            .orElseThrow(() -> new InvalidSettingException(
            "--transport", name, "one of " + String.join(", ", new TransportNames())));
    }

    @Override
    public Iterator<String> iterator()
    {
        final List<String> names = new ArrayList<>(List.of(CLUSTER, MEMORY));
        kinds().map(TransportKind::name).forEach(names::add);
        if (names.size() > 2)
        {
            names.add(AERON_CLUSTER);
        }

        return names.iterator();
    }

    private static Stream<TransportKind> kinds()
    {
        return TransportProvider.all().stream().flatMap((provider) -> provider.kinds().stream());
    }
}
