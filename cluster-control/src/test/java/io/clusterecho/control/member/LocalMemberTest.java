package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.SemanticVersion;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.CncFileDescriptor;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.testing.Need;

/** A member whose process is a sleep instead of a JVM. */
class LocalMemberTest
{
    private static final long EXIT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    @TempDir
    private Path dir;

    private Path memberDir;
    private Path aeronDir;
    private Path script;
    private LocalMember member;

    @BeforeEach
    void makeMember() throws IOException
    {
        memberDir = dir.resolve("member-1");
        aeronDir = dir.resolve("aeron");
        script = dir.resolve("member.sh");
        writeScript("echo member $1 sleeps", "exec sleep 60");
        member = newMember();
    }

    @AfterEach
    void endMember()
    {
        for (final ProcessHandle child : members())
        {
            child.destroyForcibly();
            child.onExit().join();
        }
    }

    /** Child processes of this JVM that are members, or will become one. */
    private List<ProcessHandle> members()
    {
        return ProcessHandle.current().children()
            .filter((child) ->
            {
                final String command = child.info().commandLine().orElse("");
                return child.isAlive() && (command.endsWith("sleep 60") || command.contains(script.toString()));
            })
            .toList();
    }

    @Test
    void shouldStartAProcessThatAnotherCommandFindsAgain()
    {
        member.start();

        final LocalMember found = newMember();
        assertThat(found.pid()).isEqualTo(member.pid()).isPresent();
        assertThat(found.isRecorded()).isTrue();
        assertThat(found.exitCode()).isEmpty();
        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> !found.output().isEmpty())).isTrue();
        found.kill();
        assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        assertThat(member.exitCode()).hasValue(KILLED);
        // This process did not start it, and finds no exit line.
        assertThat(found.exitCode()).isEmpty();
        assertThat(found.output()).containsExactly("member 1 sleeps");
    }

    /** As that of another version of Aeron; a result goes without it. */
    @Test
    void shouldSayWhoseErrorsItCannotRead() throws IOException
    {
        final UnsafeBuffer cnc = new UnsafeBuffer(new byte[2 * CncFileDescriptor.META_DATA_LENGTH]);
        cnc.putInt(CncFileDescriptor.cncVersionOffset(0), SemanticVersion.compose(99, 0, 0));
        Files.write(Files.createDirectories(aeronDir).resolve(CncFileDescriptor.CNC_FILE), cnc.byteArray());

        assertThatThrownBy(member::errors).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("cannot read " + aeronDir.resolve(CncFileDescriptor.CNC_FILE));
        assertThat(Endings.errors(List.of(member), Instant.ofEpochMilli(1))).isEmpty();

        Files.delete(aeronDir.resolve(CncFileDescriptor.CNC_FILE));
        Files.createFile(Files.createDirectories(memberDir).resolve(MemberFolder.CLUSTER_DIR));
        assertThatThrownBy(member::errors).isInstanceOf(ControlFailure.class).hasMessageContaining("cannot read the marks of");
    }

    @Test
    void shouldSampleTheDiskOfItsLog() throws IOException
    {
        assertThat(member.samples().get("").values()).containsOnly(DriverSample.MISSING);

        Files.createDirectories(memberDir.resolve(MemberFolder.ARCHIVE_DIR));
        final long[] values = member.samples().get("").values();
        assertThat(values[CounterColumn.DISK.ordinal()]).isNotNegative();
        assertThat(values[CounterColumn.DISK_FREE_MIB.ordinal()]).isPositive();
    }

    @Test
    void shouldRefuseToStartTwice()
    {
        member.start();
        final long pid = member.pid().orElseThrow();

        assertThatThrownBy(member::start).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("member 1 runs").hasMessageContaining(String.valueOf(pid));
        assertThat(member.pid()).hasValue(pid);
    }

    @Test
    void shouldLeaveEverythingOfAMemberThatRuns() throws IOException
    {
        member.start();
        fillFolders();

        assertThatThrownBy(member::cleanUp).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(member::wipe).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(member::deleteData).isInstanceOf(IllegalStateException.class);

        assertThat(member.isAlive()).isTrue();
        assertThat(member.hasLog()).isTrue();
        assertThat(aeronDir.resolve(CncFileDescriptor.CNC_FILE)).exists();
        assertThat(member.isRecorded()).isTrue();
    }

    @Test
    void shouldWipeAndCleanUpAndDeleteAfterTheEnd() throws IOException
    {
        member.start();
        fillFolders();
        member.terminate();
        assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        assertThat(member.exitCode()).hasValue(TERMINATED);

        member.wipe();
        assertThat(member.hasLog()).isFalse();
        assertThat(memberDir.resolve(MemberFolder.CLUSTER_DIR)).doesNotExist();
        assertThat(member.logFile()).exists();

        member.cleanUp();
        assertThat(aeronDir).doesNotExist();
        assertThat(member.isRecorded()).isFalse();

        assertThat(member.deleteData()).isTrue();
        assertThat(memberDir).doesNotExist();
        assertThat(member.deleteData()).isFalse();
    }

    @Test
    void shouldCleanUpTheEmptyFolderOfADriverThatWasKilledAtItsStart() throws IOException
    {
        Files.createDirectories(aeronDir);
        member.cleanUp();
        assertThat(aeronDir).doesNotExist();

        Files.createFile(Files.createDirectories(aeronDir).resolve("holiday.jpg"));
        member.cleanUp();
        assertThat(aeronDir.resolve("holiday.jpg")).exists();
    }

    @Test
    void shouldStopAPausedMember()
    {
        member.start();
        member.pause();
        member.terminate();
        assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
    }

    @Test
    void shouldNotTouchAnotherProcessThatHasItsPidNow() throws IOException
    {
        final Process stranger = new ProcessBuilder("sleep", "60").start();
        final String start = ProcessRecord.of(stranger.pid()).orElseThrow().start();
        new ProcessRecord(stranger.pid(), start + "0").write(
            Files.createDirectories(memberDir).resolve("process.properties"));

        assertThat(member.isRecorded()).isTrue();
        assertThat(member.pid()).isEmpty();
        member.terminate();
        member.pause();
        member.dumpStacks();
        member.kill();

        assertThat(ProcessRecord.of(stranger.pid())).contains(new ProcessRecord(stranger.pid(), start));
        assertThat(Files.readString(Path.of("/proc/" + stranger.pid() + "/stat"))).doesNotContain(") T ");
        member.cleanUp();
        assertThat(member.isRecorded()).isFalse();
        member.start();
        assertThat(member.pid().orElseThrow()).isNotEqualTo(stranger.pid());
    }

    @Test
    void shouldNotTakeARecordThatCannotBeReadForAnEndedMember() throws IOException
    {
        fillFolders();
        Files.createDirectory(memberDir.resolve("process.properties"));

        assertThatThrownBy(member::pid).isInstanceOf(ControlFailure.class)
            .hasMessageContaining(memberDir.resolve("process.properties").toString());
        assertThatThrownBy(member::start).isInstanceOf(ControlFailure.class);
        assertThatThrownBy(member::wipe).isInstanceOf(ControlFailure.class);
        assertThatThrownBy(member::deleteData).isInstanceOf(ControlFailure.class);
        assertThat(member.hasLog()).isTrue();
        assertThat(member.counters()).isEmpty();
    }

    @Test
    void shouldLeaveNoProcessThatItCouldNotRecord() throws IOException
    {
        // At the path of the temporary file for the record.
        Files.createDirectories(memberDir.resolve("process.properties.new"));

        assertThatThrownBy(member::start).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("process.properties").hasMessageContaining(" KB free");

        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> members().isEmpty())).isTrue();
        assertThat(member.isRecorded()).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFindAMemberWithoutARecordByItsLock() throws IOException
    {
        writeScript(
            "exec " + Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 -cp '" +
            System.getProperty("java.class.path") + "' " + LockHolder.class.getName() + " " + dir + " 1 $0");
        member.start();
        final long pid = member.pid().orElseThrow();
        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> FolderLock.holder(memberDir).isPresent()))
            .as("%s", member.output()).isTrue();
        // As if the process that started it had been killed before it could write the record.
        Files.delete(memberDir.resolve("process.properties"));

        final LocalMember found = newMember();
        assertThat(found.pid()).hasValue(pid);
        assertThat(found.isRecorded()).isFalse();
        assertThatThrownBy(found::start).isInstanceOf(IllegalStateException.class);
        found.terminate();
        assertThat(found.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        assertThat(FolderLock.holder(memberDir)).as("the file remains, but not the lock").isEmpty();
    }

    @Test
    void shouldNotTakeThePidInAnUnusedLockForAMember() throws IOException
    {
        Files.writeString(
            Files.createDirectories(memberDir).resolve(FolderLock.FILE), "pid=" + ProcessHandle.current().pid() + "\n");
        assertThat(member.pid()).isEmpty();
    }

    @Test
    void shouldNameTheFolderThatItCannotUse() throws IOException
    {
        Files.createFile(memberDir);

        assertThatThrownBy(member::start).hasMessageContaining(memberDir.toString());
        assertThat(member.hasLog()).isFalse();
    }

    @Test
    void shouldNameTheLogThatItCannotRead() throws IOException
    {
        Files.createDirectories(member.logFile());

        assertThatThrownBy(member::output).hasMessageContaining(member.logFile().toString());
        assertThatThrownBy(member::start).hasMessageContaining(member.logFile().toString());
        assertThat(member.isRecorded()).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFailToWipeWhatCannotBeDeleted() throws IOException
    {
        // Its files cannot be deleted.
        Files.createSymbolicLink(
            Files.createDirectories(memberDir).resolve(MemberFolder.ARCHIVE_DIR), Path.of("/proc/sys/kernel/random"));
        Files.createDirectories(memberDir.resolve(MemberFolder.CLUSTER_DIR));

        assertThatThrownBy(member::wipe).isInstanceOf(ControlFailure.class).hasMessageContaining(memberDir.toString());
        assertThat(memberDir.resolve(MemberFolder.ARCHIVE_DIR)).exists();
    }

    @Test
    void shouldReportAMemberWhoseProgramDoesNotStart()
    {
        final LocalMember broken = newMember(dir.resolve("missing.sh").toString(), "");
        broken.start();
        assertThat(broken.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        assertThat(broken.exitCode()).hasValue(127);
        assertThat(String.join("\n", broken.output())).contains("missing.sh");
    }

    @Test
    void shouldKeepALargeLogAsideWhenItStarts() throws IOException
    {
        Files.createDirectories(memberDir);
        Files.write(member.logFile(), new byte[(16 << 20) + 1]);
        member.start();
        assertThat(memberDir.resolve("member-earlier.log")).hasSize((16 << 20) + 1);
        assertThat(Files.size(member.logFile())).isLessThan(1000);
    }

    @Test
    void shouldLimitTheFilesOfARunningProcess() throws IOException
    {
        Need.PRLIMIT.program();
        assertThatThrownBy(() -> member.limitFiles(64)).isInstanceOf(ControlFailure.class).hasMessage("member 1 does not run");
        member.start();
        final String before = fileLimits();

        member.limitFiles(64);
        assertThat(fileLimits()).matches("Max open files +64 +[0-9]+ +files *").isNotEqualTo(before);
        member.releaseFiles();
        assertThat(fileLimits()).matches("Max open files +([0-9]+) +\\1 +files *");
    }

    private String fileLimits() throws IOException
    {
        return Files.readAllLines(Path.of("/proc/" + member.pid().orElseThrow() + "/limits")).stream()
            .filter((line) -> line.startsWith("Max open files")).findFirst().orElseThrow();
    }

    private void fillFolders() throws IOException
    {
        Files.createDirectories(memberDir.resolve(MemberFolder.CLUSTER_DIR));
        Files.createFile(Files.createDirectories(memberDir.resolve(MemberFolder.ARCHIVE_DIR)).resolve("archive.catalog"));
        Files.createFile(memberDir.resolve(FolderLock.FILE));
        Files.createFile(Files.createDirectories(aeronDir).resolve(CncFileDescriptor.CNC_FILE));
    }

    private void writeScript(final String... lines) throws IOException
    {
        Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private LocalMember newMember()
    {
        return newMember(script + " {id}", "");
    }

    private LocalMember newMember(final String prefix, final String faultLibrary)
    {
        try
        {
            final Path jar = Files.exists(dir.resolve("node.jar")) ? dir.resolve("node.jar") :
                Files.createFile(dir.resolve("node.jar"));
            return new LocalMember(
                new Node.Place(
                    false, "", MemberEndpoints.ofAll(List.of("127.0.0.1", "127.0.0.1"), 20_000, false).get(1), memberDir,
                    aeronDir),
                dir.resolve("settings.properties"), new MemberLauncher(jar, jar, List.of()), prefix, faultLibrary);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
