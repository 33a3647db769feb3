package io.clusterecho.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Recorded files of a host below {@code /proc} and {@code /sys}, in a folder. */
public final class RecordedHost
{
    private final Path root;

    /**
     * A host without files.
     *
     * @param root an empty folder.
     */
    public RecordedHost(final Path root)
    {
        this.root = root;
    }

    /**
     * A server with two sockets of two cores with two hyper-threads each, and a card on the second node.
     *
     * @param root an empty folder.
     */
    public static RecordedHost server(final Path root)
    {
        final RecordedHost host = new RecordedHost(root)
            .put("proc/sys/kernel/hostname", "measuring-1")
            .put("proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Tue Mar 3 2026")
            .put("etc/os-release", "NAME=\"Some Linux\"\nPRETTY_NAME=\"Some Linux 12 (calm)\"")
            .put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast Processor 9000\nflags\t\t: fpu tsc hypervisor\n")
            .put("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/vda ro isolcpus=2-3 secret=hunter2 nohz_full=2-3 quiet")
            .put("proc/meminfo", "MemTotal:       65536000 kB\nMemAvailable:   60000000 kB\n")
            .put("proc/loadavg", "0.10 0.20 0.30 1/100 4242")
            .put("proc/self/timerslack_ns", "50000")
            .put("proc/self/status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n")
            .put("proc/self/cgroup", "0::/slice/box")
            .put("sys/fs/cgroup/slice/cpu.max", "400000 100000")
            .put("sys/fs/cgroup/slice/box/cpu.max", "max 100000")
            .put("sys/fs/cgroup/slice/box/memory.max", "8589934592")
            .put("proc/self/mounts",
                "/dev/vda / ext4 rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,size=8388608k 0 0\n" +
                "/dev/nvme1n1 /mnt/with\\040blank xfs rw,noatime 0 0")
            .put("proc/sys/net/core/rmem_max", "212992")
            .put("proc/sys/net/core/wmem_max", "4194304")
            .put("sys/devices/system/cpu/online", "0-7")
            .put("sys/devices/system/cpu/isolated", "2-3")
            .put("sys/devices/system/cpu/nohz_full", "(null)")
            .put("sys/devices/system/node/node0/cpulist", "0-1,4-5")
            .put("sys/devices/system/node/node1/cpulist", "2-3,6-7")
            .put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc")
            .put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
            .put("sys/class/dmi/id/sys_vendor", "Some Vendor")
            .put("sys/class/dmi/id/product_name", "Server 12")
            .put("sys/class/net/lo/operstate", "unknown")
            .put("sys/class/net/veth12/operstate", "up")
            .put("sys/class/net/eth9/operstate", "down")
            .put("sys/class/net/eth0/operstate", "up")
            .put("sys/class/net/eth0/speed", "50000")
            .put("sys/class/net/eth0/mtu", "9001")
            .put("sys/class/net/eth0/device/numa_node", "1")
            .put("sys/bus/pci/drivers/ena/module/version", "2.8.9g");
        for (int cpu = 0; cpu < 8; cpu++)
        {
            final String folder = "sys/devices/system/cpu/cpu" + cpu + "/";
            host.put(folder + "topology/physical_package_id", String.valueOf(cpu % 4 / 2))
                .put(folder + "topology/thread_siblings_list", cpu % 4 + "," + (cpu % 4 + 4))
                .put(folder + "cpufreq/scaling_governor", "powersave");
        }
        return host.link("sys/class/net/eth0/device/driver", "../../../../bus/pci/drivers/ena");
    }

    /**
     * Put a file.
     *
     * @param name    relative to the root.
     * @param content of it.
     */
    public RecordedHost put(final String name, final String content)
    {
        try
        {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), content + "\n");
            return this;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Put a symbolic link.
     *
     * @param name   relative to the root.
     * @param target relative to the folder of the link.
     */
    public RecordedHost link(final String name, final String target)
    {
        try
        {
            Files.createDirectories(root.resolve(name).getParent());
            Files.createSymbolicLink(root.resolve(name), Path.of(target));
            return this;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Reader of the host's files. */
    public HostFiles files()
    {
        return new HostFiles(root);
    }
}
