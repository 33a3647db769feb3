package io.clusterecho.control.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.Profile;
import io.clusterecho.node.member.RoomNeeded;

/** Checks of the kernel: what delays threads, and the limits of this container. */
record KernelChecks(HostPlan plan, HostFiles files, JvmFlags flags)
{
    private static final String CLOCK_FOLDER = "sys/devices/system/clocksource/clocksource0/";
    /** Clock sources that are read without a system call. */
    private static final Set<String> FAST_CLOCKS =
        Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");
    private static final long LONGEST_SLACK_NS = 1_000;
    private static final long KB = 1 << 10;
    private static final String DAMON_FOLDER = "sys/kernel/mm/damon/admin/kdamonds";

    List<Check> all()
    {
        return List.of(
            clockSource(), timerSlack(), hugePages(), memorySampling(), swap(), KernelSetting.check("write-back", files),
            KernelSetting.check("free memory", files), KernelSetting.check("interruptions", files), memory(),
            containerProcessors());
    }

    Check clockSource()
    {
        final Optional<String> clock = files.text(CLOCK_FOLDER + "current_clocksource");
        if (clock.isEmpty())
        {
            return Check.unknown("clock source", "there is no /" + CLOCK_FOLDER + "current_clocksource", "tsc");
        }
        if (FAST_CLOCKS.contains(clock.get()))
        {
            return Check.ok("clock source", clock.get());
        }

        final String others = files.text(CLOCK_FOLDER + "available_clocksource").orElse("none");
        return Check.warn(
            "clock source", clock.get(), "tsc, because each reading of this one is a system call",
            List.of(others.split(" ")).contains("tsc") ? "echo tsc | sudo tee /" + CLOCK_FOLDER + "current_clocksource" :
                "choose another machine type # this one has " + others);
    }

    Check timerSlack()
    {
        final String file = files.nameForThisThread("timerslack_ns");
        final Optional<Long> slackNs = files.number(file);
        if (slackNs.isEmpty())
        {
            final String problem = files.read(file).problem();
            return Check.unknown(
                "timer slack", null == problem ? "/" + file + " is not a number" : problem, LONGEST_SLACK_NS + " ns");
        }

        final String found = slackNs.get() + " ns";
        // Not with profile compact: on few cores, shorter sleeps were measured to cost more than they save.
        final boolean isFit = slackNs.get() <= LONGEST_SLACK_NS || Profile.SHARED != plan.profile();
        return isFit ? Check.ok("timer slack", found) : Check.warn(
            "timer slack", found, LONGEST_SLACK_NS + " ns, because it lengthens each sleep of a member's thread",
            "echo " + LONGEST_SLACK_NS + " > /proc/$$/timerslack_ns # in the shell that starts members and clients; " +
            "in a systemd unit: TimerSlackNSec=1us");
    }

    Check hugePages()
    {
        final Optional<String> enabled = files.text("sys/kernel/mm/transparent_hugepage/enabled");
        return enabled.isEmpty() ?
            Check.unknown("huge pages", "there is no /sys/kernel/mm/transparent_hugepage/enabled", "madvise or never") :
            enabled.get().contains("[always]") ? Check.warn(
                "huge pages", enabled.get(), "madvise, because the kernel otherwise stops threads to compact memory",
                "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled") : Check.ok("huge pages", enabled.get());
    }

    /**
     * DAMON samples which memory is used, on a kernel thread that does not yield: on two cores it ran for up to 4 ms, twice a
     * second.
     */
    Check memorySampling()
    {
        for (final String name : files.names(DAMON_FOLDER))
        {
            final String folder = DAMON_FOLDER + "/" + name;
            if (files.text(folder + "/state").filter("on"::equals).isPresent())
            {
                final Optional<Long> sampleUs =
                    files.number(folder + "/contexts/0/monitoring_attrs/intervals/sample_us");
                return Check.warn(
                    "memory sampling", "DAMON" + sampleUs.map((us) -> ", each " + us / 1_000 + " ms").orElse(""),
                    "off, because its thread runs for milliseconds at a time, and does not yield",
                    "echo off | sudo tee /" + folder + "/state");
            }
        }

        return Check.ok("memory sampling", "off");
    }

    Check swap()
    {
        final long totalKb = memory("SwapTotal").orElse(0L);
        final long swappiness = files.number("proc/sys/vm/swappiness").orElse(0L);
        final String found = totalKb / KB + " MB, vm.swappiness=" + swappiness;
        return 0 == totalKb || swappiness <= 1 ? Check.ok("swap", found) : Check.warn(
            "swap", found, "at most 1, so that a member's memory is swapped only as a last resort",
            "sudo sysctl -w vm.swappiness=1");
    }

    /** Heaps, states and shared memory of drivers, compared with available memory and the container's limit, which counts all. */
    Check memory()
    {
        final long wanted = plan.memberCount() * (flags.maxHeapBytes() +
            plan.config().value(NodeSettings.STATE_LENGTH) + new RoomNeeded(plan.config()).sharedMemoryLength());
        final Optional<Long> available = memory("MemAvailable").map((kilobytes) -> kilobytes * KB);
        final Optional<Long> limit = ContainerLimits.of(files).memoryBytes();
        if (available.isEmpty())
        {
            return Check.unknown("memory", "/proc/meminfo has no MemAvailable", RoomNeeded.text(wanted));
        }

        final long usable = Math.min(available.get(), limit.orElse(Long.MAX_VALUE));
        final String found = RoomNeeded.text(available.get()) + " available" +
            limit.map((length) -> ", limit of this container " + RoomNeeded.text(length)).orElse("");
        return usable < wanted ? Check.fail(
            "memory", found, RoomNeeded.text(wanted) + " for heaps and buffers of " + plan.memberCount() +
            " members, because the kernel kills a process when memory runs out",
            limit.isPresent() && limit.get() < wanted ? "run the container with --memory=" + ((wanted >> 30) + 1) + "g" :
            "run fewer members on this host, or lower -Xmx in " + plan.jvmOptions()) : Check.ok("memory", found);
    }

    Check containerProcessors()
    {
        final Optional<Double> limit = ContainerLimits.of(files).cpuCount();
        return limit.isEmpty() ? Check.ok("cpu quota", "none") : Check.warn(
            "cpu quota", String.format(Locale.ROOT, "%.2f processors", limit.get()),
            "none, because all threads stop for the rest of a period once its quota is used up",
            "run the container with --cpuset-cpus=LIST instead of --cpus # in Kubernetes: whole processors, requests equal to " +
            "limits, and the static CPU manager");
    }

    private Optional<Long> memory(final String key)
    {
        return files.keyed("proc/meminfo", key + ":").map((text) -> text.replace(" kB", "")).filter(
            (text) -> text.matches("[0-9]{1,15}")).map(Long::valueOf);
    }
}
