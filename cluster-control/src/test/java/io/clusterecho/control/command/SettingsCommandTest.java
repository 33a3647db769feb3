package io.clusterecho.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.cluster.ConsensusModule;

import io.clusterecho.control.ClusterNode;
import io.clusterecho.process.JavaCommand;

@Timeout(60)
class SettingsCommandTest
{
    /** A JVM that waits until its standard input ends. */
    static final class Waiter
    {
        private Waiter()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            System.out.println("ready");
            System.in.read();
        }
    }

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream realOut = System.out;

    @TempDir
    private Path folder;

    @BeforeEach
    void captureOutput()
    {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreOutput()
    {
        System.setOut(realOut);
    }

    @Test
    void shouldListWhatDiffersAndWhatGivesMembersTheSame() throws IOException
    {
        final Path driver = file("driver.properties", "aeron.mtu.length=8k\naeron.dir=/dev/shm/own\nuser.home=x\n");
        final Path cluster = file("cluster.properties", "aeron.archive.file.sync.level=1\naeron.cluster.election.timeout=2s\n" +
            "aeron.cluster.log.channel=aeron:udp?term-length=128m\naeron.driver.stream.session.limit=9\n" +
            "aeron.archive.replication.channel=aeron:udp?endpoint=localhost:0\naeron.print.configuration=true\n");

        assertThat(execute("--of", driver.toString(), "--of", cluster.toString())).as(errors()).isZero();

        assertThat(row("aeron.mtu.length")).containsExactly("8192", "1408", "echo.mtu=8192");
        assertThat(row("aeron.dir")).endsWith("no counterpart");
        assertThat(row("aeron.driver.stream.session.limit")).containsExactly("9", "not known", "not tried");
        assertThat(row("aeron.print.configuration")).endsWith("not tried");
        assertThat(row("aeron.archive.file.sync.level")).containsExactly("1", "0", "echo.fsync=1");
        assertThat(row("aeron.cluster.election.timeout")).containsExactly("2s", "1s", "echo.election.timeout=2s");
        assertThat(row("aeron.cluster.log.channel")).last().isEqualTo("echo.log.term.length=134217728");
        assertThat(row("aeron.archive.replication.channel")).endsWith("by another");
        // What echo.fsync and echo.mtu change beside those is set back.
        assertThat(lastLine()).startsWith("to set all: --set ").contains(
            "--set aeron.archive.catalog.file.sync.level=0", "--set aeron.ipc.mtu.length=1408", "--set echo.fsync=1");
        assertThat(lastLine()).doesNotContain("session.limit", "print.configuration");
        assertThat(lines()).noneMatch((line) -> line.startsWith("user.home") || line.startsWith("aeron.file.page.size"));

        final String[] again =
            (lastLine().replace("to set all:", "").replace("'", "") + " --of " + driver + " --of " + cluster).strip().split(" ");
        out.reset();
        assertThat(execute(again)).as(errors()).isZero();
        assertThat(lines()).filteredOn((line) -> line.startsWith("aeron.")).as("these are not of all members").allMatch((line) ->
            line.endsWith("no counterpart") || line.endsWith("not tried"));
    }

    @Test
    void shouldTakePropertiesOfThisProcessForMembersHereAlone() throws IOException
    {
        final Path theirs = file("driver.properties", "aeron.archive.file.sync.level=1\n");
        System.setProperty("aeron.mtu.length", "4096");
        try
        {
            assertThat(execute("--of", theirs.toString())).as(errors()).isZero();

            assertThat(row("aeron.mtu.length")).containsExactly("1408", "4096", "aeron.mtu.length=1408");
            assertThat(System.getProperty("aeron.mtu.length")).isEqualTo("4096");
        }
        finally
        {
            System.clearProperty("aeron.mtu.length");
        }
    }

    @Test
    void shouldCompareWhatAComponentPrintedWithMembersOfAnotherProfile() throws IOException
    {
        final Path log = file("member.log", "started\n" + new ConsensusModule.Context().maxConcurrentSessions(77) + "\n");
        final Path settings = file("settings.properties", "echo.profile=dedicated\necho.max.sessions=78\n");

        assertThat(execute("--of", log.toString(), settings.toString())).as(errors()).isZero();

        assertThat(row("aeron.cluster.max.sessions")).containsExactly("77", "78", "echo.max.sessions=77");
        assertThat(lines()).noneMatch((line) -> line.startsWith("aeron.threading.mode") || line.startsWith("aeron.archive."));
    }

    @Test
    void shouldRejectWhatHasNoSettings() throws IOException
    {
        final Path nothing = file("nothing.txt", "a=b\n");
        assertThat(execute("--of", nothing.toString())).isEqualTo(2);
        assertThat(errors()).contains("--of=" + nothing + " is not allowed: with aeron.* properties");

        assertThat(execute("--of", "none.properties")).isEqualTo(2);
        assertThat(errors()).contains("--of=none.properties is not allowed").contains("no such file or folder");

        final Path wrong = file("wrong.properties", "aeron.mtu.length=muck\n");
        assertThat(execute("--of", wrong.toString())).isEqualTo(2);
        assertThat(errors()).contains("--of=" + wrong + " is not allowed: error parsing long: muc");
    }

    @Test
    void shouldReadThePropertiesThatJcmdPrintsOfAJvm() throws Exception
    {
        final Process process = jvm("-Daeron.mtu.length=4096", "-Daeron.dir=/dev/shm/own dir=1");
        final Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        final Path properties = folder.resolve("jcmd.txt");
        try
        {
            assertThat(new ProcessBuilder(jcmd.toString(), String.valueOf(process.pid()), "VM.system_properties")
                .redirectOutput(properties.toFile()).start().waitFor()).isZero();
        }
        finally
        {
            process.destroyForcibly().waitFor();
        }

        assertThat(execute("--of", properties.toString())).as(errors()).isZero();
        assertThat(row("aeron.mtu.length")).containsExactly("4096", "1408", "echo.mtu=4096");
        assertThat(row("aeron.dir")).startsWith("/dev/shm/own dir=1");
        assertThat(lines()).noneMatch((line) -> line.startsWith("java.") || line.startsWith(process.pid() + ""));
    }

    private static Process jvm(final String... flags) throws IOException
    {
        final Process process = new ProcessBuilder(
            JavaCommand.ofClass(Waiter.class.getName(), List.of(flags), List.of())).start();
        assertThat(process.inputReader().readLine()).isEqualTo("ready");
        return process;
    }

    private Path file(final String name, final String text) throws IOException
    {
        return Files.writeString(folder.resolve(name), text);
    }

    private int execute(final String... args)
    {
        err.reset();
        return ClusterNode.execute(
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Stream.concat(Stream.of("settings"), Stream.of(args)).toArray(String[]::new));
    }

    /** Cells of the row of a key, without the key. */
    private List<String> row(final String key)
    {
        final String line = lines().stream().filter((each) -> each.startsWith(key + " ")).findFirst().orElseThrow();
        final List<String> cells = List.of(line.split(" {2,}"));
        return cells.subList(1, cells.size());
    }

    private String lastLine()
    {
        return lines().get(lines().size() - 1);
    }

    private List<String> lines()
    {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String errors()
    {
        return err.toString(StandardCharsets.UTF_8);
    }
}
