package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.testing.FreePorts;
import io.clusterecho.testing.Need;

import org.agrona.IoUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands in unfriendly surroundings: another user, a path with blanks, drivers of others, little shared memory, other JDKs. */
@Tag("slow")
@Tag("alone")
@Timeout(600)
class SurroundingsIT
{
    private static final int UNUSABLE = 2;
    private static final int NOT_READY = 3;
    private static final int RUN_FAILED = 4;
    /** Of doctor: this host is not fit. Of a run: two cores may miss a rate. */
    private static final List<Integer> GOOD_OR_NOT = List.of(0, 4);
    private static final Path THIS_JDK = Path.of(System.getProperty("java.home"));
    private static final String[] CLIENT = { "java", "@../config/jvm/client.options", "-jar", "../load-client.jar" };
    private static final int MEMBERS = 3;

    private final int basePort = FreePorts.block();

    @Test
    void shouldServeAUserWithoutRightsInAFolderWithBlanksAndOtherLetters() throws IOException
    {
        try (InstalledCopy copy = new InstalledCopy(InstalledCopy.NOBODY, nobody()))
        {
            serve(copy, THIS_JDK, nobody());
        }
    }

    @ParameterizedTest
    @EnumSource(names = { "JDK_17", "JDK_21", "JDK_25" })
    void shouldServeWithEverySupportedJdk(final Need need) throws IOException
    {
        final Path jdk = need.jdk();
        try (InstalledCopy copy = new InstalledCopy(-1, List.of()))
        {
            serve(copy, jdk, List.of());
        }
    }

    @Test
    void shouldNotCrashAtDriversOfOtherUsers() throws IOException
    {
        final List<String> nobody = nobody();
        final Path shared = Path.of("/dev/shm/cluster-echo-foreign-" + ProcessHandle.current().pid());
        final Path closed = Path.of(shared + "-folder");
        final Path closedFile = Path.of(shared + "-file");
        try (InstalledCopy copy = new InstalledCopy(InstalledCopy.NOBODY, nobody);
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(shared.toString()).threadingMode(ThreadingMode.INVOKER).dirDeleteOnShutdown(true)))
        {
            assertThat(driver.aeronDirectoryName()).isEqualTo(shared.toString());
            Files.createDirectory(closed);
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
            Files.createDirectory(closedFile);
            Files.copy(shared.resolve("cnc.dat"), closedFile.resolve("cnc.dat"));
            Files.setPosixFilePermissions(closedFile.resolve("cnc.dat"), PosixFilePermissions.fromString("rw-------"));

            final CommandResult doctor = copy.run(InstalledCopy.node("doctor", "--base-port", String.valueOf(basePort)));
            assertThat(GOOD_OR_NOT).as("%s", doctor).contains(doctor.exitCode());
            final CommandResult status = copy.run(InstalledCopy.node("status"));
            assertThat(status.exitCode()).as("%s", status).isEqualTo(NOT_READY);
            assertThat(status.out()).startsWith("No cluster was started in ").hasLineCount(1);
        }
        finally
        {
            IoUtil.delete(closed.toFile(), true);
            IoUtil.delete(closedFile.toFile(), true);
        }
    }

    @Test
    void shouldNameThePermissionThatAnotherUserLacks() throws IOException
    {
        final List<String> nobody = nobody();
        try (InstalledCopy copy = new InstalledCopy(-1, List.of()))
        {
            succeed(copy, start("1"));
            // Folders are closed to other users when start makes them.
            for (final String command : List.of("status", "stop", "snapshot"))
            {
                assertDenied(copy.runAs(nobody, THIS_JDK, InstalledCopy.node(command)), "read", "settings.properties");
            }
            succeed(copy, "mkdir", "-m", "a+rwx", "results");
            final CommandResult load = copy.runAs(nobody, THIS_JDK, InstalledCopy.load(CLIENT));
            assertThat(load.exitCode()).as("%s", load).isNotZero();
            assertThat(load.err()).contains("no permission to read ", "run the command as root");

            succeed(copy, "chmod", "a+rx", "cluster-data");
            succeed(copy, "chmod", "a+r", "cluster-data/settings.properties");
            final CommandResult status = copy.runAs(nobody, THIS_JDK, InstalledCopy.node("status"));
            assertThat(status.exitCode()).as("%s", status).isEqualTo(NOT_READY);
            assertThat(status.out()).contains("unknown", "no permission to read ").doesNotContain("down");

            succeed(copy, "chmod", "-R", "a+rX", "cluster-data");
            final CommandResult seen = copy.runAs(nobody, THIS_JDK, InstalledCopy.node("status", "--json"));
            assertThat(seen.exitCode()).as("%s", seen).isEqualTo(NOT_READY);
            final JsonNode member = seen.json().at("/members/0");
            assertThat(member.path("alive").asBoolean()).as("%s", seen).isTrue();
            final String aeronDir = member.path("ending").asText().replaceAll(".* read (/dev/shm/[^:]*): .*", "$1");
            assertDenied(copy.runAs(nobody, THIS_JDK, InstalledCopy.node("snapshot")), "read", aeronDir);
            assertDenied(copy.runAs(nobody, THIS_JDK, InstalledCopy.node("stop")), "write", "control.lock");

            // Written by the requests to a leader.
            succeed(copy, "chmod", "-R", "a+rX", aeronDir);
            final CommandResult open = copy.runAs(nobody, THIS_JDK, InstalledCopy.node("status"));
            assertThat(open.exitCode()).as("%s", open).isZero();
            assertDenied(copy.runAs(nobody, THIS_JDK, InstalledCopy.node("snapshot")), "write", "cnc.dat");

            succeed(copy, "chmod", "a+rw", "cluster-data/control.lock");
            final CommandResult stop = copy.runAs(nobody, THIS_JDK, InstalledCopy.node("stop", "--deadline", "2s"));
            assertThat(stop.exitCode()).as("%s", stop).isNotZero();
            assertThat(stop.err()).contains("no permission to stop member 0, pid ", "run the command as root");

            succeed(copy, InstalledCopy.node("status"));
            succeed(copy, InstalledCopy.node("stop"));
            copy.assertNothingIsLeft();
        }
    }

    @Tag("matrix-31")
    @Test
    void shouldRefuseAnInsufficientSharedMemoryAndStartInItWithShorterTerms() throws IOException
    {
        try (InstalledCopy copy = new InstalledCopy(-1, List.of()))
        {
            final long beginNs = System.nanoTime();
            final CommandResult start = copy.runAs(withSharedMemory("64m"), THIS_JDK, start(String.valueOf(MEMBERS)));
            assertThat(System.nanoTime() - beginNs).isLessThan(TimeUnit.SECONDS.toNanos(20));
            assertThat(start.exitCode()).as("%s", start).isEqualTo(UNUSABLE);
            assertThat(start.err()).hasLineCount(1).containsPattern(
                "a file system with [0-9]+ MB free for 3 members; /dev/shm has 64 MB: enlarge it .*--shm-size=1g.*" +
                "or lower echo.log.term.length and echo.client.term.length");
            copy.assertNothingIsLeft();

            // All in one process: the file system is only there for it and its children.
            final CommandResult round = copy.runAs(
                withSharedMemory("256m"), THIS_JDK, "bash", "-euc", String.join("; ",
                    words(start(String.valueOf(MEMBERS))) + " --set echo.log.term.length=64k --set echo.client.term.length=64k " +
                        "--set echo.max.message.length=4k",
                    words(InstalledCopy.node("status")), words(InstalledCopy.node("stop"))));
            assertThat(round.exitCode()).as("%s", round).isZero();
            assertThat(round.out()).contains("The cluster serves: 3 members", "leader", "Stopped member 0, 1, 2");
            copy.assertNothingIsLeft();
        }
    }

    @Test
    void shouldShowTheStatusOfMembersWhoseSharedMemoryIsFull() throws IOException
    {
        try (InstalledCopy copy = new InstalledCopy(-1, List.of()))
        {
            final String status = words(InstalledCopy.node("status"));
            final CommandResult round = copy.runAs(
                withSharedMemory("256m"), THIS_JDK, "bash", "-euc", String.join("; ",
                    words(start("1")) + " --set echo.log.term.length=64k --set echo.client.term.length=64k " +
                        "--set echo.max.message.length=4k",
                    "kill -9 $(" + status + " --json | sed -n 's/.*\"pid\" : \\([0-9]*\\).*/\\1/p')",
                    "dd if=/dev/zero of=/dev/shm/filler bs=4k 2> /dev/null || true",
                    status + " || test $? = " + NOT_READY, "rm /dev/shm/filler", words(InstalledCopy.node("stop"))));
            assertThat(round.exitCode()).as("%s", round).isZero();
            assertThat(round.out()).contains("down", "ended without a status");
            assertThat(round.err()).doesNotContain("Cleaner", "\tat ");
        }
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenTheSharedMemoryOfTheClientFills() throws IOException
    {
        try (InstalledCopy copy = new InstalledCopy(-1, List.of()))
        {
            succeed(copy, start("1"));
            final CommandResult small = copy.runAs(withSharedMemory("8m"), THIS_JDK, InstalledCopy.load(CLIENT));
            assertThat(small.exitCode()).as("%s", small).isEqualTo(UNUSABLE);
            assertThat(small.err()).contains("/dev/shm has 8 MB free, but the client's media driver needs ")
                .doesNotContain("\tat ");

            // Pages of its terms that are not yet allocated cannot be any more.
            final CommandResult full = copy.runAs(
                withSharedMemory("80m"), THIS_JDK, "bash", "-uc", words(CLIENT) +
                " run --base-dir cluster-data --rate 300 --size 512 --warm-up 1s --duration 20s --connect-timeout 60s " +
                "--output results --json 2> progress & client=$!; " +
                "until grep -q measure progress; do sleep 0.1; kill -0 $client || break; done; " +
                "dd if=/dev/zero of=/dev/shm/filler bs=64k 2> /dev/null; wait $client; status=$?; " +
                "cat progress >&2; exit $status");
            assertThat(full.exitCode()).as("%s", full).isEqualTo(RUN_FAILED);
            assertThat(full.err()).doesNotContain("\tat ");
            assertThat(full.json().at("/verdict/reasons").toString()).as("%s", full)
                .contains("the load ended early: its agent failed with shared memory or a disk is full");
            assertThat(full.json().path("answered").asLong()).as("%s", full).isPositive();

            succeed(copy, InstalledCopy.node("stop"));
            copy.assertNothingIsLeft();
        }
    }

    /** Start, load and stop a cluster with the commands of a copy. */
    private void serve(final InstalledCopy copy, final Path jdk, final List<String> as) throws IOException
    {
        final CommandResult doctor = copy.runAs(as, jdk, InstalledCopy.node("doctor", "--base-port", String.valueOf(basePort)));
        assertThat(GOOD_OR_NOT).as("%s", doctor).contains(doctor.exitCode());
        final CommandResult start = copy.runAs(as, jdk, start(String.valueOf(MEMBERS)));
        assertThat(start.exitCode()).as("%s", start).isZero();
        final CommandResult status = copy.runAs(as, jdk, InstalledCopy.node("status", "--json"));
        assertThat(status.exitCode()).as("%s", status).isZero();
        assertThat(status.json().path("well").asBoolean()).as("%s", status).isTrue();
        assertAnswered(copy.runAs(as, jdk, InstalledCopy.load(CLIENT)));
        assertAnswered(copy.runAs(as, jdk, InstalledCopy.load("../bin/load-client")));
        final CommandResult snapshot = copy.runAs(as, jdk, "../bin/cluster-node", "snapshot");
        assertThat(snapshot.exitCode()).as("%s", snapshot).isZero();
        final CommandResult stop = copy.runAs(as, jdk, InstalledCopy.node("stop"));
        assertThat(stop.exitCode()).as("%s", stop).isZero();
        assertThat(stop.out()).startsWith("Stopped member 0, 1, 2 of ");
        copy.assertNothingIsLeft();
    }

    private static void assertAnswered(final CommandResult run)
    {
        assertThat(GOOD_OR_NOT).as("%s", run).contains(run.exitCode());
        final JsonNode result = run.json();
        assertThat(result.path("scheduled").asLong()).as("%s", run).isEqualTo(1000);
        assertThat(result.path("answered").asLong()).as("%s", run).isEqualTo(1000);
    }

    private static void assertDenied(final CommandResult result, final String use, final String file)
    {
        assertThat(result.exitCode()).as("%s", result).isEqualTo(UNUSABLE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).hasLineCount(1)
            .contains("no permission to " + use + " ", file + ": run the command as root");
    }

    private static void succeed(final InstalledCopy copy, final String... words)
    {
        final CommandResult result = copy.run(words);
        assertThat(result.exitCode()).as("%s", result).isZero();
    }

    private String[] start(final String memberCount)
    {
        return InstalledCopy.node(
            "start", "--members", memberCount, "--base-port", String.valueOf(basePort), "--timeouts", "fast",
            "--deadline", "120s");
    }

    private static String words(final String... command)
    {
        return String.join(" ", command);
    }

    private static List<String> nobody()
    {
        Need.root();
        final String uid = String.valueOf(InstalledCopy.NOBODY);
        return List.of(Need.SETPRIV.program().toString(), "--reuid=" + uid, "--regid=" + uid, "--clear-groups");
    }

    /** Words that run a command with its own shared memory. */
    private static List<String> withSharedMemory(final String length)
    {
        return PrivateMounts.words("mount -t tmpfs -o size=" + length + " tmpfs /dev/shm");
    }
}
