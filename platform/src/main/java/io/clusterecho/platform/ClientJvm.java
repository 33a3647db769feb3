package io.clusterecho.platform;

import java.lang.management.ManagementFactory;
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
    private static final String RESOURCE = "/io/clusterecho/platform/client.options";

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
        return difference(flags(BuildFacts.text(RESOURCE)), ManagementFactory.getRuntimeMXBean().getInputArguments());
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

    /** Flags of an argument file of the java launcher, in which comments begin with {@code #}. */
    static List<String> flags(final String text)
    {
        return text.lines().map((line) -> line.replaceFirst("#.*", "").strip()).filter((line) -> !line.isEmpty())
            .flatMap((line) -> Stream.of(line.split("\\s+"))).toList();
    }
}
