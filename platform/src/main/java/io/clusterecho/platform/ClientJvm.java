package io.clusterecho.platform;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The JVM of a client, compared with {@code config/jvm/client.options}, the flags that {@code bin/load-client} passes. The build
 * records that file in the jar.
 */
public final class ClientJvm
{
    private static final String OPTIONS = "config/jvm/client.options";
    private static final String RESOURCE = "client.options";

    private ClientJvm()
    {
    }

    /** Facts of this JVM by name, in a fixed order, and how its settings differ from those of {@code bin/load-client}. */
    public static Map<String, String> facts()
    {
        final Map<String, String> facts = MachineFacts.jvm();
        final String difference = difference();
        facts.put("settings", difference.isEmpty() ? "those of " + OPTIONS : difference);
        return facts;
    }

    /** Flags of {@code bin/load-client} that this JVM lacks, and those that it has in addition; empty if there are none. */
    public static String difference()
    {
        return difference(recordedFlags(), ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    /** Compare flags, except those that set properties or open modules, since they do not tune the JVM. */
    static String difference(final List<String> recorded, final List<String> own)
    {
        final List<String> missing = recorded.stream().filter((flag) -> !own.contains(flag)).toList();
        final List<String> added = own.stream().filter((flag) -> flag.startsWith("-X") && !recorded.contains(flag)).toList();
        final List<String> words = new ArrayList<>();
        if (!missing.isEmpty())
        {
            words.add("missing: " + String.join(" ", missing));
        }
        if (!added.isEmpty())
        {
            words.add("added: " + String.join(" ", added));
        }
        return words.isEmpty() ? "" : "other settings than " + OPTIONS + " (" + String.join("; ", words) + ")";
    }

    private static List<String> recordedFlags()
    {
        try (InputStream in = ClientJvm.class.getResourceAsStream(RESOURCE))
        {
            if (null == in)
            {
                throw new IllegalStateException(RESOURCE + " is missing: the build did not copy " + OPTIONS);
            }
            return flags(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(RESOURCE + " cannot be read", ex);
        }
    }

    /** Flags of an argument file of the java launcher, in which comments begin with {@code #}. */
    static List<String> flags(final String text)
    {
        return text.lines().map((line) -> line.replaceFirst("#.*", "").strip()).filter((line) -> !line.isEmpty())
            .flatMap((line) -> Stream.of(line.split("\\s+"))).toList();
    }
}
