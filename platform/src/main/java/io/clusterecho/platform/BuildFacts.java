package io.clusterecho.platform;

import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

import io.clusterecho.settings.Io;

/** Versions that this program was built from, written into the jar by the build. */
public final class BuildFacts
{
    private static final String RESOURCE = "/cluster-echo-build.properties";

    /** Versions of the program and of the libraries that affect its numbers, by name, in a fixed order. */
    public static Map<String, String> versions()
    {
        final Properties properties = properties(RESOURCE);
        final Map<String, String> versions = new LinkedHashMap<>();
        Stream.of("cluster-echo", "commit", "aeron", "agrona", "hdrhistogram", "java").forEach((name) ->
            versions.put(name, "java".equals(name) ? Runtime.version().toString() : properties.getProperty(name, "unknown")));

        return versions;
    }

    /** Properties that the build wrote into the jar, by their absolute name. */
    public static Properties properties(final String resource)
    {
        final Properties properties = new Properties();
        Io.run(resource + " cannot be read", () -> properties.load(new StringReader(text(resource))));
        return properties;
    }

    /** A text that the build packed into a jar, by its absolute name. */
    public static String text(final String resource)
    {
        return Io.call(resource + " cannot be read", () ->
        {
            try (InputStream in = BuildFacts.class.getResourceAsStream(resource))
            {
                if (null == in)
                {
                    throw new IllegalStateException(resource + " is missing: build again");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    public static String[] lines()
    {
        return versions().entrySet().stream().map((entry) -> entry.getKey() + " " + entry.getValue()).toArray(String[]::new);
    }
}
