package io.clusterecho.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.clusterecho.host.NetworkCard;

class ProcessorChecksTest
{
    private static final String PREFIX = "echo.launch.prefix";
    private static final String CORES = "echo.cores";

    @TempDir
    private Path root;

    private RecordedHost host;

    @BeforeEach
    void record()
    {
        host = new RecordedHost(root);
    }

    @ParameterizedTest
    @CsvSource({
        "compact, 3, 6, OK", "compact, 3, 5, WARN", "shared, 3, 15, OK", "shared, 3, 14, WARN", "dedicated, 1, 11, OK",
        "dedicated, 1, 10, FAIL" })
    void shouldCompareCoresWithThreads(final String profile, final int members, final int cores, final Check.Level level)
    {
        host.cores(cores);
        assertThat(checks(profile, members).cores().level()).isEqualTo(level);
    }

    @Test
    void shouldNameAProfileThatFits()
    {
        host.cores(4);
        final Check check = checks("dedicated", 3).cores();
        assertThat(check.found()).isEqualTo("4 processors for 3 members of profile dedicated and 1 load client");
        assertThat(check.wanted()).startsWith("27: 8 for each member, 2 for each client, 1 for the system");
        assertThat(check.fix()).isEqualTo("scripts/start-cluster.sh --profile compact");
    }

    @Test
    void shouldCountWhatAContainerGrants()
    {
        host.cores(64).put("proc/self/cgroup", "0::/").put("sys/fs/cgroup/cpu.max", "250000 100000");
        assertThat(checks("compact", 3).cores().found()).startsWith("2 processors");
        host.put("sys/fs/cgroup/cpu.max", "max 100000").put("proc/self/status", "Cpus_allowed_list:\t4-9");
        assertThat(checks("compact", 3).cores().found()).startsWith("6 processors");
    }

    @Test
    void shouldFailWhenMembersArePinnedToTooFew()
    {
        host.cores(32);
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 2-8").cores().level()).isEqualTo(Check.Level.FAIL);
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 2-9").cores().level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldReportAsUnknownWhatTheHostDoesNotReport()
    {
        assertThat(checks("compact", 3).cores().level()).isEqualTo(Check.Level.UNKNOWN);
        assertThat(checks("compact", 3).governor().level()).isEqualTo(Check.Level.UNKNOWN);
    }

    @Test
    void shouldWarnOfSpinningThreadsOnOneCore()
    {
        host.hyperThreads(16);
        assertThat(checks("dedicated", 1).hyperThreads().level()).isEqualTo(Check.Level.WARN);
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 1,9").hyperThreads().level()).isEqualTo(Check.Level.WARN);
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 1-7").hyperThreads().level()).isEqualTo(Check.Level.OK);
        assertThat(checks("compact", 3).hyperThreads().level()).isEqualTo(Check.Level.OK);
        assertThat(checks("dedicated", 1).hyperThreads().fix()).contains("/sys/devices/system/cpu/smt/control");
    }

    @Test
    void shouldWantIsolatedProcessorsForSpinningMembers()
    {
        host.cores(16);
        assertThat(checks("compact", 3).isolation().level()).isEqualTo(Check.Level.OK);
        assertThat(checks("dedicated", 1, CORES, "any").isolation().fix())
            .isEqualTo("scripts/start-cluster.sh --profile dedicated --set echo.cores=1-15");
        assertThat(checks("dedicated", 1).isolation().fix()).contains("--isolate 1-8");
        assertThat(checks("dedicated", 1, CORES, "3-10").isolation().fix()).contains("--isolate 3-10");
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 2-9").isolation().fix()).contains("--isolate 2-9");
        assertThat(checks("dedicated", 2).isolation().wanted()).endsWith("too few");
        host.put("sys/devices/system/cpu/nohz_full", "2-15");
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 2-9").isolation().level()).isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWarnOfProcessorsWithoutLoadBalancing()
    {
        host.cores(16).put("sys/devices/system/cpu/isolated", "2-15").put("sys/devices/system/cpu/nohz_full", "2-15");
        final Check check = checks("dedicated", 1, PREFIX, "taskset -c 2-9").isolation();
        assertThat(check.level()).isEqualTo(Check.Level.WARN);
        assertThat(check.wanted()).startsWith("no isolcpus=2-9");
        assertThat(check.fix()).endsWith("--set echo.cores=2-9");
        assertThat(checks("dedicated", 1, CORES, "2-9").isolation().level()).as("one for each thread").isEqualTo(Check.Level.OK);
    }

    @Test
    void shouldWantGovernorsThatDoNotSlowDown()
    {
        host.cores(2).put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
        assertThat(checks("compact", 3).governor().level()).isEqualTo(Check.Level.OK);
        host.put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
        assertThat(checks("compact", 3).governor().level()).isEqualTo(Check.Level.WARN);
    }

    @Test
    void shouldWantMembersOnTheNodeOfTheCard()
    {
        final Optional<NetworkCard> card =
            Optional.of(new NetworkCard("eth0", Optional.of("ena"), Optional.empty(), 9001, Optional.of(1)));
        host.cores(16);
        assertThat(checks("dedicated", 1).cardNode(card).level()).as("one node").isEqualTo(Check.Level.OK);
        host.put("sys/devices/system/node/node0/cpulist", "0-7").put("sys/devices/system/node/node1/cpulist", "8-15");
        assertThat(checks("dedicated", 1).cardNode(card).fix()).contains("numactl -N 1 -m 1");
        assertThat(checks("dedicated", 1, PREFIX, "taskset -c 4-11").cardNode(card).level()).isEqualTo(Check.Level.WARN);
        assertThat(checks("dedicated", 1, PREFIX, "numactl -N 1").cardNode(card).level()).isEqualTo(Check.Level.OK);
        assertThat(checks("dedicated", 1).cardNode(Optional.empty()).level()).as("loopback").isEqualTo(Check.Level.OK);
    }

    private ProcessorChecks checks(final String profile, final int members, final String... settings)
    {
        return new ProcessorChecks(host.plan(profile, members, settings), host.files());
    }
}
