package io.clusterecho.peers;

import java.util.Map;
import java.util.TreeMap;

import io.clusterecho.platform.BuildFacts;

/** Facts about a measured peer, stored with its results. */
public final class Facts
{
    /** Key of the library and its version. */
    public static final String LIBRARY = "peer.library";
    /** Key of the settings that are not the library's defaults. */
    public static final String TUNING = "peer.tuning";
    private static final String RESOURCE = "/peers-versions.properties";

    private Facts()
    {
    }

    /**
     * Facts of one peer by key, sorted.
     *
     * @param guarantees whether it is replicated, durable and ordered.
     * @param tuning     settings that are not the library's defaults, and why.
     */
    public static Map<String, String> of(final String peer, final String library, final String guarantees, final String tuning)
    {
        return new TreeMap<>(Map.of(
            "peer", peer, LIBRARY, library, "peer.guarantees", guarantees, TUNING, tuning));
    }

    /** Version of a library in this build. */
    public static String version(final String library)
    {
        final String version = BuildFacts.properties(RESOURCE).getProperty(library);
        if (null == version)
        {
            throw new IllegalArgumentException(RESOURCE + " has no version of " + library);
        }

        return version;
    }
}
