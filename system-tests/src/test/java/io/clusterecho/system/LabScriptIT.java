package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emulated hosts whose set-up fails half-way leave nothing behind. */
@Tag("any-driver")
class LabScriptIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Path NAMESPACES = Path.of("/run/netns");

    @TempDir
    private Path folder;

    private final String prefix = "lab" + ProcessHandle.current().pid();

    @BeforeEach
    void checkNeeds()
    {
        Need.root();
        Need.IP.program();
        Need.SSHD.program();
    }

    @Test
    void shouldRemoveHostsWhoseSetUpFailed() throws IOException
    {
        // Called once the namespaces and the folder exist.
        final CommandResult result = hosts(failing("ssh-keygen"), "up", lab().toString());

        assertThat(result.exitCode()).as("%s", result).isEqualTo(1);
        assertThat(result.err()).contains("hosts-lab.sh: up failed; what it created is removed");
        assertThat(namespaces()).isEmpty();
        assertThat(lab()).doesNotExist();
    }

    @Test
    void shouldRemoveWhatIsLeftOfHosts() throws IOException
    {
        assertThat(hosts("", "up", lab().toString()).exitCode()).isZero();
        Files.delete(lab().resolve("inventory.properties"));
        assertThat(command("", "ip", "netns", "pids", prefix + "-0").out()).isNotEmpty();
        hosts("", "inject", "1");

        final CommandResult result = hosts("", "down", lab().toString());

        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(namespaces()).isEmpty();
        assertThat(lab()).doesNotExist();
    }

    @Test
    void shouldRemoveNamespacesWhoseSetUpFailed() throws IOException
    {
        final String ip = Need.IP.program().toString();
        final String path = program("ip", "[[ \"$*\" != *member1* ]] || exit 1\nexec " + ip + " \"$@\"\n");
        final CommandResult result =
            command(path, EchoCluster.ROOT.resolve("scripts/netns-lab.sh").toString(), "up", "3");

        assertThat(result.exitCode()).as("%s", result).isEqualTo(1);
        assertThat(result.err()).contains("netns-lab.sh: up failed; what it created is removed");
        assertThat(namespaces()).isEmpty();
    }

    private Path lab()
    {
        return folder.resolve("lab");
    }

    private CommandResult hosts(final String path, final String... arguments)
    {
        return command(path, Stream.concat(
            Stream.of(EchoCluster.ROOT.resolve("scripts/hosts-lab.sh").toString()), Stream.of(arguments)).toArray(String[]::new));
    }

    /** @param path of a folder whose programs come before all others, or empty. */
    private CommandResult command(final String path, final String... command)
    {
        return RunningCommand.start(
            Stream.concat(
                Stream.of("env", "NETNS_PREFIX=" + prefix, "PATH=" + path + ":" + System.getenv("PATH")), Stream.of(command))
                .toList(),
            folder).await(TIMEOUT_NS);
    }

    private String failing(final String name) throws IOException
    {
        return program(name, "exit 1\n");
    }

    /** A folder with a program. */
    private String program(final String name, final String script) throws IOException
    {
        final Path programs = Files.createDirectories(folder.resolve("programs"));
        final Path program = Files.writeString(programs.resolve(name), "#!/usr/bin/env bash\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return programs.toString();
    }

    private List<String> namespaces() throws IOException
    {
        if (!Files.exists(NAMESPACES))
        {
            return List.of();
        }
        try (Stream<Path> names = Files.list(NAMESPACES))
        {
            return names.map((name) -> name.getFileName().toString()).filter((name) -> name.startsWith(prefix + "-")).toList();
        }
    }
}
