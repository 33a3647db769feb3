package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.CallFault.Kind;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Need;

/**
 * The fault library in a process that writes, syncs and reads clocks by the classes that Aeron uses. Its output is a file in
 * the folder of the faults, as the log of a member is, so that each answer shows that none of them affects that.
 */
@EnabledOnOs(OS.LINUX)
class CallFaultsTest
{
    private static final Path SCRIPT = Path.of("../scripts/build-fault-library.sh").toAbsolutePath().normalize();
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long DELAY_MS = 300;
    private static final String FULL = "failed, No space left on device,";
    private static final String BROKEN = "failed, .*Input/output error.*";
    private static final List<String> WRITES = List.of("write", "write-at", "write-two");
    private static final List<String> SYNCS = List.of("sync-data", "sync-all", "sync-map");

    @TempDir
    private static Path libraries;
    private static Path library;

    @TempDir
    private Path dir;
    @TempDir
    private Path otherDir;

    private CallFaults faults;
    private Process process;
    private PrintStream words;
    private int answerCount;

    @BeforeAll
    static void build() throws IOException, InterruptedException
    {
        Need.CC.program();
        library = libraries.resolve("fault-library.so");
        assertThat(new ProcessBuilder(SCRIPT.toString(), library.toString()).inheritIO().start().waitFor()).isZero();
    }

    @BeforeEach
    void start() throws IOException
    {
        faults = new CallFaults(1, dir, library.toString());
        start(faults.prefix());
    }

    private void start(final List<String> prefix) throws IOException
    {
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:+UseSerialGC", "-cp",
            System.getProperty("java.class.path"), CallingProgram.class.getName(), dir.toString(), otherDir.toString()));
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile()).start();
        words = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answerCount = 0;
        assertThat(answer()).isEqualTo("ready");
    }

    @AfterEach
    void end() throws InterruptedException
    {
        process.destroyForcibly().waitFor();
    }

    private Path log()
    {
        return dir.resolve("member.log");
    }

    private String answer() throws IOException
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> lines().size() > answerCount)).as("%s", lines()).isTrue();
        return lines().get(answerCount++);
    }

    private List<String> lines()
    {
        try
        {
            final String text = Files.readString(log());
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private String say(final String word) throws IOException
    {
        words.println(word);
        return answer();
    }

    private void inject(final Kind kind, final long amount)
    {
        faults.add(new CallFault(kind, amount), OptionalLong.of(process.pid()));
    }

    /** Number of calls that a kind of fault has changed since the process started, by the layout in fault-library.c. */
    private long count(final Kind kind) throws IOException
    {
        final byte[] file = Files.readAllBytes(dir.resolve("call-faults.dat"));
        return ByteBuffer.wrap(file).order(ByteOrder.nativeOrder()).getLong(72 + 16 * kind.ordinal());
    }

    private static long delayMs(final String answer)
    {
        return Long.parseLong(answer.replaceFirst(".* after ([0-9]+) ms", "$1"));
    }

    @Test
    void shouldSlowDownEachWriteOfTheFolder() throws IOException
    {
        inject(Kind.SLOW_WRITE, TimeUnit.MILLISECONDS.toNanos(DELAY_MS));
        for (final String word : WRITES)
        {
            final String answer = say(word);
            assertThat(answer).startsWith("wrote 8 ");
            assertThat(delayMs(answer)).isGreaterThanOrEqualTo(DELAY_MS);
            say("write-outside");
            say("sync-all");
        }
        assertThat(count(Kind.SLOW_WRITE)).isEqualTo(WRITES.size());
        faults.clear();
        say("write");
        assertThat(count(Kind.SLOW_WRITE)).isEqualTo(WRITES.size());
    }

    @Test
    void shouldSlowDownEachSyncOfTheFolder() throws IOException
    {
        inject(Kind.SLOW_SYNC, TimeUnit.MILLISECONDS.toNanos(DELAY_MS));
        for (final String word : SYNCS)
        {
            final String answer = say(word);
            assertThat(answer).startsWith("synced ");
            assertThat(delayMs(answer)).isGreaterThanOrEqualTo(DELAY_MS);
            say("sync-outside");
            say("write");
        }
        assertThat(count(Kind.SLOW_SYNC)).isEqualTo(SYNCS.size());
    }

    @Test
    void shouldStallUntilReleased() throws IOException
    {
        for (final String word : List.of("write-at", "sync-data"))
        {
            final long before = count(Kind.STALL);
            inject(Kind.STALL, 0);
            words.println(word);
            assertThat(Deadline.in(TimeUnit.MILLISECONDS.toNanos(DELAY_MS)).await(() -> lines().size() > answerCount)).isFalse();
            assertThat(count(Kind.STALL)).isEqualTo(before + 1);
            faults.clear();
            assertThat(answer()).matches("(wrote 8|synced) .*");
        }
    }

    @Test
    void shouldFailAsManySyncsAsRequested() throws IOException
    {
        for (final String word : SYNCS)
        {
            inject(Kind.SYNC_ERROR, 2);
            assertThat(say("sync-outside")).startsWith("synced ");
            assertThat(say(word)).matches(BROKEN);
            assertThat(say(word)).matches(BROKEN);
            assertThat(say(word)).startsWith("synced ");
            faults.add(CallFault.of(Kind.SYNC_ERROR), OptionalLong.of(process.pid()));
            assertThat(say(word)).matches(BROKEN);
            faults.clear();
            assertThat(say(word)).startsWith("synced ");
        }
        assertThat(count(Kind.SYNC_ERROR)).isEqualTo(3L * SYNCS.size());
    }

    @Test
    void shouldHaveNoSpaceAfterSomeBytes() throws IOException
    {
        inject(Kind.NO_SPACE, 20);
        assertThat(say("write")).startsWith("wrote 8 ");
        assertThat(say("write-two")).startsWith("wrote 8 ");
        assertThat(say("write-at")).startsWith("wrote 4 ");
        assertThat(say("write-at")).startsWith(FULL);
        assertThat(say("write-two")).startsWith(FULL);
        assertThat(say("write-outside")).startsWith("wrote 8 ");
        assertThat(say("sync-all")).startsWith("synced ");
        faults.clear();
        assertThat(say("write-at")).startsWith("wrote 8 ");
    }

    @Test
    void shouldSkipSyncs() throws IOException
    {
        inject(Kind.SKIPPED_SYNC, 0);
        for (final String word : SYNCS)
        {
            assertThat(say(word)).startsWith("synced ");
        }
        say("sync-outside");
        assertThat(count(Kind.SKIPPED_SYNC)).isEqualTo(SYNCS.size());
    }

    @Test
    void shouldShiftTheWallClockAlone() throws IOException
    {
        final long[] before = clock();
        for (final long stepMs : new long[]{ 600_000, -600_000, 0 })
        {
            inject(Kind.CLOCK_STEP, TimeUnit.MILLISECONDS.toNanos(stepMs));
            final long[] after = clock();
            assertThat(after[0] - before[0]).isCloseTo(stepMs, within(60_000L));
            assertThat(after[1] - before[1]).isCloseTo(stepMs, within(60_000L));
        }
        inject(Kind.CLOCK_STEP, TimeUnit.HOURS.toNanos(1));
        faults.clear();
        assertThat(clock()[1] - before[1]).isCloseTo(0, within(60_000L));
    }

    private long[] clock() throws IOException
    {
        final String[] fields = say("clock").split(" ");
        return new long[]{ Long.parseLong(fields[1]), Long.parseLong(fields[2]) };
    }

    @Test
    void shouldCombineFaultsOfDifferentKinds() throws IOException
    {
        inject(Kind.SLOW_SYNC, TimeUnit.MILLISECONDS.toNanos(DELAY_MS));
        inject(Kind.SYNC_ERROR, 1);
        final String answer = say("sync-data");
        assertThat(answer).matches(BROKEN);
        assertThat(delayMs(answer)).isGreaterThanOrEqualTo(DELAY_MS);
    }

    @Test
    void shouldFailForAProcessWithoutTheLibrary() throws IOException, InterruptedException
    {
        end();
        start(List.of());
        assertThatThrownBy(() -> faults.add(CallFault.of(Kind.STALL), OptionalLong.of(process.pid())))
            .isInstanceOf(ControlFailure.class).hasMessageContaining("member 1 does not run with the fault library");
        assertThatThrownBy(() -> faults.add(CallFault.of(Kind.STALL), OptionalLong.empty()))
            .isInstanceOf(ControlFailure.class).hasMessageContaining("member 1 does not run with the fault library");
        assertThat(say("write-at")).startsWith("wrote 8 ");
    }

    @Test
    void shouldBeginWithoutFaults() throws IOException, InterruptedException
    {
        inject(Kind.NO_SPACE, 0);
        assertThat(say("write-at")).startsWith(FULL);
        end();
        start(faults.prefix());
        assertThat(say("write-at")).startsWith("wrote 8 ");
        assertThat(count(Kind.NO_SPACE)).isZero();
    }

    @Test
    void shouldRefuseALibraryThatCannotBeLoaded() throws IOException
    {
        final Path blank = Files.createFile(dir.resolve("a library.so"));
        for (final Path file : List.of(dir.resolve("missing.so"), dir, blank))
        {
            assertThatThrownBy(() -> new CallFaults(1, dir, file.toString()).prefix())
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.fault.library")
                .hasMessageContaining(file.toString()).hasMessageContaining("build-fault-library.sh");
        }
        assertThat(new CallFaults(1, dir, "").prefix()).isEmpty();
    }

    @Test
    void shouldRefuseToBuildWithoutACompiler() throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), dir.resolve("x.so").toString())
            .redirectErrorStream(true).redirectOutput(dir.resolve("out").toFile());
        builder.environment().put("CC", "no-such-compiler");
        assertThat(builder.start().waitFor()).isEqualTo(2);
        assertThat(Files.readAllLines(dir.resolve("out"))).containsExactly("build-fault-library.sh: the C compiler " +
            "no-such-compiler is missing: install one (Debian: gcc, libc6-dev)");
    }
}
