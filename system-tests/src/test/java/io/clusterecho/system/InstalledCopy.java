package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A copy of the distribution in a folder whose path has blanks and letters beyond ASCII, run from another folder with such a
 * path. Closing it kills every process of the copy and deletes it. The paths are only in scripts, because the JVM of the tests
 * need not know these letters.
 */
final class InstalledCopy implements AutoCloseable
{
    /** As a user without any rights. */
    static final int NOBODY = 65_534;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long COMMAND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final String INSTALL = String.join("\n",
        "set -euo pipefail",
        "top=\"$1\" root=\"$2\"",
        "to=\"$top/a b/ünï\"",
        "mkdir -p \"$to/scripts\" \"$to/wörk dir\"",
        "cp \"$root\"/*.jar \"$to\"",
        "cp -r \"$root/config\" \"$root/bin\" \"$to\"",
        "cp \"$root/scripts/build-if-needed.sh\" \"$to/scripts\"",
        "chmod -R u+rwX,go+rX \"$top\"",
        "");
    private static final String RUN = String.join("\n",
        "export PATH=\"$JAVA_HOME/bin:$PATH\"",
        "cd \"$(dirname \"${BASH_SOURCE[0]}\")/a b/ünï/wörk dir\"",
        "exec \"$@\"",
        "");

    private final Path top;
    private final Path output;
    private final List<String> prefix;
    private final int uid;
    private final Set<String> before;

    /**
     * Copy the jars and scripts of the build.
     *
     * @param prefix words before each command.
     * @param uid    user that the prefix changes to, who then owns the copy; -1 for the user of the tests.
     */
    InstalledCopy(final int uid, final List<String> prefix) throws IOException
    {
        this.prefix = prefix;
        this.uid = uid;
        before = sharedMemory();
        output = Files.createTempDirectory("surround-output");
        top = Files.createTempDirectory("surround");
        Files.setPosixFilePermissions(top, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Path install = Files.writeString(output.resolve("install"), INSTALL);
        Files.writeString(top.resolve("run"), RUN);
        succeed("bash", install.toString(), top.toString(), EchoCluster.ROOT.toString());
        if (uid >= 0)
        {
            succeed("chown", "-R", uid + ":" + uid, top.toString());
        }
    }

    /**
     * Run a command in the working folder below the copy, as the user of the copy.
     *
     * @param words of the command; those of the copy are one folder up.
     */
    CommandResult run(final String... words)
    {
        return runAs(prefix, Path.of(System.getProperty("java.home")), words);
    }

    /**
     * Run a command in the working folder below the copy, and check that it does not crash.
     *
     * @param as      words before the command.
     * @param jdkHome of its JDK.
     * @param words   of the command.
     */
    CommandResult runAs(final List<String> as, final Path jdkHome, final String... words)
    {
        final List<String> command = new ArrayList<>(as);
        command.addAll(List.of("env", "LC_ALL=C.UTF-8", "JAVA_HOME=" + jdkHome, "bash", top.resolve("run").toString()));
        command.addAll(List.of(words));
        final CommandResult result = RunningCommand.start(command, output).await(COMMAND_TIMEOUT_NS);
        assertThat(result.err() + result.out()).as("%s: %s", command, result).doesNotContain("\tat ", "Exception in thread");
        return result;
    }

    /** Words that start the jar of the members. */
    static String[] node(final String... arguments)
    {
        return words(List.of("java", "-XX:TieredStopAtLevel=1", "-jar", "../cluster-node.jar"), arguments);
    }

    /**
     * Words that start the load client for two seconds.
     *
     * @param launcher and its own arguments.
     */
    static String[] load(final String... launcher)
    {
        return words(
            List.of(launcher), "run", "--rate", "500", "--warm-up", "1s", "--duration", "2s", "--json", "--base-dir",
            "cluster-data", "--connect-timeout", "60s", "--drain-timeout", "20s", "--output", "results", "--label", "short");
    }

    private static String[] words(final List<String> first, final String... others)
    {
        return Stream.concat(first.stream(), Stream.of(others)).toArray(String[]::new);
    }

    /** Check that no process and no shared memory of the copy is left. */
    void assertNothingIsLeft() throws IOException
    {
        assertThat(processes().stream().map((process) -> process.info().commandLine())).as("processes of %s", top).isEmpty();
        final Set<String> left = sharedMemory();
        left.removeAll(before);
        assertThat(left).as("folders in %s", SHARED_MEMORY).isEmpty();
    }

    @Override
    public void close() throws IOException
    {
        for (final ProcessHandle process : processes())
        {
            process.destroyForcibly();
            process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        }
        final Set<String> left = sharedMemory();
        left.removeAll(before);
        for (final String name : left)
        {
            succeed("rm", "-r", SHARED_MEMORY.resolve(name).toString());
        }
        succeed("rm", "-r", top.toString());
        succeed("rm", "-r", output.toString());
    }

    private void succeed(final String... words)
    {
        final List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C.UTF-8"));
        command.addAll(List.of(words));
        final CommandResult result = RunningCommand.start(command, Path.of(System.getProperty("java.io.tmpdir")))
            .await(COMMAND_TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s: %s", command, result).isZero();
    }

    private List<ProcessHandle> processes()
    {
        return ProcessHandle.allProcesses()
            .filter((process) -> process.info().commandLine().map((line) -> line.contains(top + "/")).orElse(false)).toList();
    }

    /** Folders of drivers of the user of the copy. */
    private Set<String> sharedMemory() throws IOException
    {
        try (Stream<Path> folders = Files.list(SHARED_MEMORY))
        {
            return folders.filter((folder) -> folder.getFileName().toString().startsWith("cluster-echo-"))
                .filter((folder) -> uid < 0 || Integer.valueOf(uid).equals(uidOf(folder)))
                .map((folder) -> folder.getFileName().toString()).collect(Collectors.toCollection(HashSet::new));
        }
    }

    private static Object uidOf(final Path folder)
    {
        try
        {
            return new TreeMap<>(Files.readAttributes(folder, "unix:uid")).get("uid");
        }
        catch (final IOException ex)
        {
            // It was deleted since it was listed.
            return Map.of();
        }
    }
}
