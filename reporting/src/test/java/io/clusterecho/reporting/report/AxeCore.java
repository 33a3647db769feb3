package io.clusterecho.reporting.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** The script of axe-core, which checks the accessibility of a page from within. */
final class AxeCore
{
    private static final String PROPERTIES = "/META-INF/maven/org.webjars.npm/axe-core/pom.properties";

    private AxeCore()
    {
    }

    static String source()
    {
        try (InputStream properties = AxeCore.class.getResourceAsStream(PROPERTIES))
        {
            final Properties values = new Properties();
            values.load(properties);
            final String name = "/META-INF/resources/webjars/axe-core/" + values.getProperty("version") + "/axe.min.js";
            try (InputStream script = AxeCore.class.getResourceAsStream(name))
            {
                return new String(script.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("axe-core cannot be read", ex);
        }
    }
}
