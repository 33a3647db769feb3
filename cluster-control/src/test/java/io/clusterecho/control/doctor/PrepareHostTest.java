package io.clusterecho.control.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.testing.Need;

/** Runs the script on the files of a recorded host, like a user. */
@Timeout(60)
class PrepareHostTest
{
    private static final Path SCRIPT = Path.of("../scripts/prepare-host.sh");
    private static final String RECEIVE = "proc/sys/net/core/rmem_max";
    private static final String SEND = "proc/sys/net/core/wmem_max";
    private static final String SWAPPINESS = "proc/sys/vm/swappiness";
    private static final String HUGE_PAGES = "sys/kernel/mm/transparent_hugepage/enabled";
    private static final String GOVERNOR = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    private static final String FREE_MEMORY = "proc/sys/vm/min_free_kbytes";
    private static final String TCP_RECEIVE = "proc/sys/net/ipv4/tcp_rmem";
    private static final String STATE = "var/lib/cluster-echo/host-before.tsv";
    private static final int REFUSED = 2;

    @TempDir
    private Path root;

    private RecordedHost host;

    private record Outcome(int exitCode, String text)
    {
    }

    @BeforeEach
    void record()
    {
        host = new RecordedHost(root).cores(8)
            .put(RECEIVE, "212992").put(SEND, "16777216").put(SWAPPINESS, "60").put(GOVERNOR, "powersave")
            .put(HUGE_PAGES, "[always] madvise never");
    }

    @Test
    void shouldChangeNothingUnlessToldTo() throws Exception
    {
        final TreeMap<String, String> before = contents();
        final Outcome outcome = prepare();
        assertThat(outcome.exitCode()).as("%s", outcome).isZero();
        assertThat(outcome.text())
            .contains("would    net.core.rmem_max = 4194304 (is 212992): ", "ok       net.core.wmem_max = 16777216")
            .contains("would    governor of cpu0 = performance (is powersave): ", "Nothing was changed")
            .contains("unknown  ksm/run: /sys/kernel/mm/ksm/run does not exist");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void shouldApplyAndPutBack() throws Exception
    {
        final TreeMap<String, String> before = contents();
        final Outcome applied = prepare("--apply");
        assertThat(applied.exitCode()).as("%s", applied).isZero();
        assertThat(host.text(RECEIVE)).isEqualTo("4194304");
        assertThat(host.text(SEND)).as("is enough").isEqualTo("16777216");
        assertThat(host.text(SWAPPINESS)).isEqualTo("1");
        assertThat(host.text(GOVERNOR)).isEqualTo("performance");
        assertThat(host.text(HUGE_PAGES)).isEqualTo("madvise");

        final Outcome undone = prepare("--undo");
        assertThat(undone.exitCode()).as("%s", undone).isZero();
        // A kernel accepts the name of the choice, and writes the list of choices itself.
        before.put(HUGE_PAGES, "always\n");
        assertThat(contents()).isEqualTo(before);
        assertThat(prepare("--undo").text()).contains("Nothing to undo");
    }

    @Test
    void shouldSetWhatDependsOnMemoryAndLeaveLimitsInBytes() throws Exception
    {
        host.put("proc/meminfo", "MemTotal:       24609680 kB").put(FREE_MEMORY, "67584")
            .put("proc/sys/vm/dirty_background_ratio", "10").put("proc/sys/vm/dirty_ratio", "0")
            .put("proc/sys/vm/dirty_bytes", "1048576").put(TCP_RECEIVE, "4096 131072 212992");
        final TreeMap<String, String> before = contents();
        assertThat(prepare("--apply").text()).contains("ok       vm.dirty_bytes = 1048576");
        assertThat(host.text(FREE_MEMORY)).isEqualTo("246096");
        assertThat(host.text("proc/sys/vm/dirty_background_ratio")).isEqualTo("5");
        assertThat(host.text("proc/sys/vm/dirty_ratio")).isEqualTo("0");
        assertThat(host.text(TCP_RECEIVE)).isEqualTo("4096 131072 4194304");
        prepare("--undo");
        before.put(HUGE_PAGES, "always\n");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void shouldSetTheValuesOfTheGuideOnRequest() throws Exception
    {
        host.put("proc/meminfo", "MemTotal:       98304000 kB").put(FREE_MEMORY, "67584")
            .put("proc/sys/vm/dirty_ratio", "20").put(TCP_RECEIVE, "4096 131072 212992")
            .put("proc/sys/vm/dirty_expire_centisecs", "3000");
        final Outcome outcome = prepare("--apply", "--guide");
        assertThat(outcome.text())
            .contains("guide    vm.dirty_expire_centisecs = 3000: the guide sets it, to a value not known here");
        assertThat(host.text(RECEIVE)).isEqualTo("16777216");
        assertThat(host.text(FREE_MEMORY)).isEqualTo("8388608");
        assertThat(host.text("proc/sys/vm/dirty_ratio")).isEqualTo("80");
        assertThat(host.text(TCP_RECEIVE)).isEqualTo("4096 131072 16777216");
        assertThat(host.text("proc/sys/vm/dirty_expire_centisecs")).isEqualTo("3000");
        assertThat(prepare("--guide", "--base-dir", root.toString()).text()).contains(",nodiratime,discard ");
    }

    @Test
    void shouldKeepTheFirstValuesWhenAppliedAgain() throws Exception
    {
        prepare("--apply");
        host.put(RECEIVE, "300000");
        prepare("--apply");
        assertThat(host.text(RECEIVE)).isEqualTo("4194304");
        prepare("--undo");
        assertThat(host.text(RECEIVE)).isEqualTo("212992");
        assertThat(root.resolve(STATE)).doesNotExist();
    }

    @Test
    void shouldPrintBootParametersAndWriteNone() throws Exception
    {
        assertThat(prepare("--isolate", "4-7").text())
            .contains("boot     nohz_full=4-7 rcu_nocbs=4-7 irqaffinity=0-3 isolcpus=managed_irq,4-7");
        assertThat(prepare("--apply").text()).contains("boot     nohz_full=2-7 ");
        assertThat(contents().keySet()).noneMatch((name) -> name.contains("grub") || name.contains("cmdline"));
    }

    @Test
    void shouldRefuseWhatItDoesNotKnowOrMayNotDo() throws Exception
    {
        for (final String[] arguments : new String[][]{
            { "--aply" }, { "--isolate", "all" }, { "--base-dir", "/no/such/folder" }, { "--state" } })
        {
            final Outcome outcome = prepare(arguments);
            assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(REFUSED);
            assertThat(outcome.text()).contains(arguments[0]).hasLineCount(1);
        }
    }

    @Test
    void shouldRefuseToChangeAHostWithoutRoot() throws Exception
    {
        final List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name")))
        {
            command.addAll(List.of(Need.SETPRIV.program().toString(), "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        // By standard input, because the tree may be readable by its owner only.
        command.addAll(List.of("bash", "-s", "--", "--apply"));
        final Outcome outcome = run(command, withoutSource());
        assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(REFUSED);
        assertThat(outcome.text()).contains("--apply needs root");
    }

    @Test
    void shouldGrantTheBuffersThatMembersAskFor() throws Exception
    {
        prepare("--apply");
        assertThat(Integer.parseInt(host.text(RECEIVE))).isEqualTo(SocketBuffers.MAX_LENGTH);
        assertThat(KernelSetting.check("network", host.files()).level()).isEqualTo(Check.Level.OK);
    }

    private static String withoutSource() throws IOException
    {
        return Files.readString(SCRIPT).replaceFirst("(?m)^source .*$", "");
    }

    private Outcome prepare(final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString(), "--root", root.toString()));
        command.addAll(List.of(arguments));
        return run(command, "");
    }

    private static Outcome run(final List<String> command, final String input) throws Exception
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try
        {
            process.getOutputStream().write(input.getBytes(UTF_8));
            process.getOutputStream().close();
            final String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Outcome(process.waitFor(), text);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    /** All files of the host, except the state file. */
    private TreeMap<String, String> contents() throws IOException
    {
        final TreeMap<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                contents.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        contents.remove(STATE);
        return contents;
    }
}
