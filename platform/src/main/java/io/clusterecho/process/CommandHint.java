package io.clusterecho.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Commands of this program, for help and hints: as a user can type them in the working folder. */
public final class CommandHint
{
    /** The command line of a launcher, {@code cluster-node} or {@code load-client}, which is also the name of its jar. */
    public static String of(final String program, final String arguments)
    {
        return program(JavaCommand.placeOf(CommandHint.class), Path.of("").toAbsolutePath(), program) + " " + arguments;
    }

    /** A path as short as it can be typed in the working folder. */
    public static String path(final Path path)
    {
        return path(path, Path.of("").toAbsolutePath());
    }

    /** The launcher beside the jar or folder that this code runs from, which passes the JVM flags; without one, the jar. */
    static String program(final Path place, final Path workingDir, final String program)
    {
        final Path launcher = place.resolveSibling("bin").resolve(program);
        final Path jar = place.resolveSibling(program + ".jar");
        if (!Files.isExecutable(launcher))
        {
            return "java -jar " + (Files.exists(jar) ? path(jar, workingDir) : jar.getFileName());
        }

        final String shown = path(launcher, workingDir);
        // A shell searches a name without a slash on the PATH.
        return shown.contains("/") ? shown : "./" + shown;
    }

    private static String path(final Path path, final Path workingDir)
    {
        final Path absolute = workingDir.resolve(path).normalize();
        final Path shown = absolute.startsWith(workingDir) && !absolute.equals(workingDir) ?
            workingDir.relativize(absolute) : absolute;
        return shown.toString().matches("[A-Za-z0-9._/-]+") ? shown.toString() : "'" + shown + "'";
    }

    /** A word in quotes where a shell would not take it as one plain word. */
    public static String quoted(final Object word)
    {
        final String text = word.toString();
        return text.matches("[A-Za-z0-9_./:=,@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
