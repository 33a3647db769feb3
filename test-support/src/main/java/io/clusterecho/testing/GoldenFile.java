package io.clusterecho.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares a text with a resource beside the test. The actual text is written to {@code target/golden}; copy it over the
 * resource if the change is intended.
 */
public final class GoldenFile
{
    private static final Path PRODUCED = Path.of("target", "golden");
    private static final String FACTS = "(?ms)^  \"(versions|machine|jvm)\" : \\{\\R.*?^  \\}";

    /**
     * Compare a text with its resource.
     *
     * @throws IOException if files cannot be read or written.
     */
    public static void check(final Class<?> test, final String name, final String text) throws IOException
    {
        Files.createDirectories(PRODUCED);
        Files.writeString(PRODUCED.resolve(name), text);
        try (InputStream in = test.getResourceAsStream(name))
        {
            assertNotNull(in, name + " is not a resource of " + test);
            assertEquals(new String(in.readAllBytes(), StandardCharsets.UTF_8), text);
        }
    }

    /**
     * Compare a JSON document of a result with its resource, without the facts about machine and build.
     *
     * @throws IOException if files cannot be read or written.
     */
    public static void checkDocument(final Class<?> test, final String name, final String document) throws IOException
    {
        check(test, name, document.replaceAll(FACTS, "  \"$1\" : \"of this machine\""));
    }
}
