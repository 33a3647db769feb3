package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.host.HostFiles;
import io.clusterecho.host.RecordedHost;

class MachineFactsTest
{
    private static final String UNKNOWN = "could not be read";

    @TempDir
    private Path root;

    @Test
    void shouldTellAllThatARecordedHostSays()
    {
        final Map<String, String> facts =
            MachineFacts.machine(RecordedHost.server(root).files(), Map.of("zone", "eu-west-1b"), root);
        assertThat(facts)
            .containsEntry("hostName", "measuring-1")
            .containsEntry("kernel", "#1 SMP PREEMPT_DYNAMIC Tue Mar 3 2026")
            .containsEntry("distribution", "Some Linux 12 (calm)")
            .containsEntry("cpuModel", "Fast Processor 9000")
            .containsEntry("cpusOnline", "0-7")
            .containsEntry("sockets", "2")
            .containsEntry("cores", "4")
            .containsEntry("hyperThreads", "yes")
            .containsEntry("numaNodes", "0: 0-1,4-5; 1: 2-3,6-7")
            .containsEntry("governor", "powersave")
            .containsEntry("isolatedCpus", "2-3")
            .containsEntry("ticklessCpus", "none")
            .containsEntry("memoryTotal", "65536000 kB")
            .containsEntry("clockSource", "tsc")
            .containsEntry("transparentHugePages", "always [madvise] never")
            .containsEntry("timerSlackNs", "50000")
            .containsEntry("rmemMax", "212992")
            .containsEntry("wmemMax", "4194304")
            .containsEntry("hypervisor", "yes")
            .containsEntry("product", "Some Vendor Server 12")
            .containsEntry("zone", "eu-west-1b")
            .containsEntry("network", "eth0 (ena 2.8.9g, 50000 Mbit/s, MTU 9001, NUMA node 1)")
            .containsEntry("sharedMemory", "tmpfs on tmpfs at /dev/shm (rw,nosuid,size=8388608k)")
            .containsEntry("clusterFileSystem", "ext4 on /dev/vda at / (rw,relatime)")
            .containsEntry("cpusAllowed", "0-7")
            .containsEntry("cpuLimit", "4.00")
            .containsEntry("memoryLimit", "8192 MB");
    }

    @Test
    void shouldKeepOfTheKernelsCommandLineWhatHasABearingAndNoSecret()
    {
        assertThat(MachineFacts.machine(RecordedHost.server(root).files(), Map.of(), null))
            .containsEntry("kernelParameters", "isolcpus=2-3 nohz_full=2-3");
    }

    @Test
    void shouldReportWhatCouldNotBeRead()
    {
        final Map<String, String> facts = MachineFacts.machine(new HostFiles(root), Map.of(), root.resolve("gone"));
        assertThat(facts)
            .containsEntry("governor", UNKNOWN).containsEntry("clockSource", UNKNOWN).containsEntry("network", UNKNOWN)
            .containsEntry("clusterFileSystem", UNKNOWN);
    }

    @Test
    void shouldReadThisMachine()
    {
        final Map<String, String> facts = MachineFacts.machine(Path.of("").toAbsolutePath());
        assertThat(facts.get("clusterFileSystem")).contains(" on ", " at /");
        assertThat(facts.get("memoryTotal")).endsWith("kB");
        assertThat(facts.get("cpusAllowed")).matches("[0-9,-]+");
    }
}
