package io.clusterecho.process;

import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Command lines of Java programs, for the JVM that runs this one. */
public final class JavaCommand
{
    /** A command that runs the program of a jar with a main class in its manifest. */
    public static List<String> ofJar(final Path jar, final List<String> flags, final List<String> arguments)
    {
        return words(flags, List.of("-jar", jar.toString()), arguments);
    }

    /** A command that runs a class of this program, from the class path of this process. */
    public static List<String> ofClass(final String mainClass, final List<String> flags, final List<String> arguments)
    {
        return words(opened(flags), List.of("-cp", System.getProperty("java.class.path"), mainClass), arguments);
    }

    /** A command that runs the program of a class again: its jar, or its main class if it runs from folders of classes. */
    public static List<String> ofProgram(
        final Class<?> code, final String mainClass, final List<String> flags, final List<String> arguments)
    {
        final Path place = placeOf(code);
        return place.toString().endsWith(".jar") ?
            ofJar(place, opened(flags), arguments) : ofClass(mainClass, flags, arguments);
    }

    /** The jar, or the folder of classes, that a class was loaded from. */
    public static Path placeOf(final Class<?> type)
    {
        try
        {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Flags of this JVM that a regular expression matches as a whole. */
    public static List<String> ownFlags(final String pattern)
    {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> flag.matches(pattern)).toList();
    }

    /** A class path needs the --add flags of this process for what a jar opens by its manifest. */
    private static List<String> opened(final List<String> flags)
    {
        return Stream.concat(flags.stream(), ownFlags("--add-.*").stream()).toList();
    }

    private static List<String> words(final List<String> flags, final List<String> program, final List<String> arguments)
    {
        final String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(List.of(java), flags, program, arguments).flatMap(List::stream).toList();
    }
}
