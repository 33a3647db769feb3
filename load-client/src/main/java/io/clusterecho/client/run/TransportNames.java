package io.clusterecho.client.run;

import java.util.Iterator;
import java.util.stream.Stream;

import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.settings.InvalidSettingException;

/** Allowed values of {@code --transport}: the cluster, the echo in memory, and the kinds found on the class path. */
public final class TransportNames implements Iterable<String>
{
    public static final String CLUSTER = "cluster";
    /** An echo in this process with a known delay. */
    public static final String MEMORY = "memory";

    public static boolean isCluster(final String name)
    {
        return CLUSTER.equals(name);
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
        return Stream.concat(Stream.of(CLUSTER, MEMORY), kinds().map(TransportKind::name)).iterator();
    }

    private static Stream<TransportKind> kinds()
    {
        return TransportProvider.all().stream().flatMap((provider) -> provider.kinds().stream());
    }
}
