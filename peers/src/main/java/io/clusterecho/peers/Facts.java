package io.clusterecho.peers;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

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
     * Facts of one peer.
     *
     * @param guarantees whether it is replicated, durable and ordered.
     * @param tuning     settings that are not the library's defaults, and why.
     * @return values by key, sorted.
     */
    public static Map<String, String> of(final String peer, final String library, final String guarantees, final String tuning)
    {
        return new TreeMap<>(Map.of(
            "peer", peer, LIBRARY, library, "peer.guarantees", guarantees, TUNING, tuning));
    }

    /** Version of a library in this build. */
    public static String version(final String library)
    {
        final Properties properties = new Properties();
        try (InputStream in = Facts.class.getResourceAsStream(RESOURCE))
        {
            if (null == in)
            {
                throw new IllegalStateException(RESOURCE + " is missing: build again");
            }
            properties.load(in);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(RESOURCE + " cannot be read", ex);
        }

        final String version = properties.getProperty(library);
        if (null == version)
        {
            throw new IllegalArgumentException(RESOURCE + " has no version of " + library);
        }

        return version;
    }
}
