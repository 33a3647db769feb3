package io.clusterecho.peers.etcd;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The {@code etcd} of this machine.
 */
final class EtcdBinary
{
    private EtcdBinary()
    {
    }

    /**
     * Look for it.
     *
     * @param name a path, or a name that is looked for in the folders of {@code PATH}.
     * @return where it is, or nothing.
     */
    static Optional<Path> find(final String name)
    {
        if (name.indexOf(File.separatorChar) >= 0)
        {
            return Optional.of(Path.of(name)).filter(EtcdBinary::isProgram);
        }

        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter((folder) -> !folder.isEmpty())
            .map((folder) -> Path.of(folder).resolve(name))
            .filter(EtcdBinary::isProgram)
            .findFirst();
    }

    /**
     * Ask a program for its version.
     *
     * @param binary the program.
     * @return the version, or that it is not known.
     */
    static String version(final Path binary)
    {
        try
        {
            final Process process = new ProcessBuilder(binary.toString(), "--version")
                .redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))).start();
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return said.lines().filter((line) -> line.startsWith("etcd Version: "))
                .map((line) -> line.substring("etcd Version: ".length()).trim()).findFirst().orElse("of unknown version");
        }
        catch (final IOException ex)
        {
            return "of unknown version";
        }
    }

    private static boolean isProgram(final Path path)
    {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
