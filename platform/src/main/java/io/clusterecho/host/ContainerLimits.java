package io.clusterecho.host;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits of this process: by control groups, version 1 or 2, and by processor affinity.
 *
 * @param cpusAllowed processors that it may run on, as in {@code 0-3}; empty if unknown.
 * @param cpuCount    maximum processor time, in processors, with fractions; empty for no limit.
 * @param memoryBytes maximum memory, including shared memory that it fills; empty for no limit.
 */
public record ContainerLimits(Optional<String> cpusAllowed, Optional<Double> cpuCount, Optional<Long> memoryBytes)
{
    /** Value in version 1 for no limit: the largest multiple of a page. */
    private static final long NO_LIMIT = Long.MAX_VALUE / 4096 * 4096;
    private static final String NUMBER = "[0-9]{1,18}";

    /** Limits of this process: the lowest of its group and of the enclosing groups. */
    public static ContainerLimits of(final HostFiles files)
    {
        return new ContainerLimits(files.keyed("proc/self/status", "Cpus_allowed_list"), cpuCount(files), memoryBytes(files));
    }

    private static Optional<Double> cpuCount(final HostFiles files)
    {
        return Stream.concat(
            files.ofControlGroups("cpu", "cpu.max").stream().map((name) -> ratio(files.text(name).orElse("").split(" +"))),
            files.ofControlGroups("cpu", "cpu.cfs_quota_us").stream().map((name) -> ratio(
            files.text(name).orElse(""), files.text(name.replace("cpu.cfs_quota_us", "cpu.cfs_period_us")).orElse(""))))
            .min(Double::compare).filter(Double::isFinite);
    }

    private static double ratio(final String... quotaAndPeriod)
    {
        // "max" and -1 mean no limit.
        final boolean isLimit = 2 == quotaAndPeriod.length && quotaAndPeriod[0].matches(NUMBER) &&
            quotaAndPeriod[1].matches("[1-9][0-9]{0,17}");
        return isLimit ? Double.parseDouble(quotaAndPeriod[0]) / Double.parseDouble(quotaAndPeriod[1]) :
            Double.POSITIVE_INFINITY;
    }

    private static Optional<Long> memoryBytes(final HostFiles files)
    {
        return Stream.of("memory.max", "memory.limit_in_bytes")
            .flatMap((fileName) -> files.ofControlGroups("memory", fileName).stream())
            .flatMap((name) -> files.number(name).stream()).min(Long::compare).filter((lowest) -> lowest < NO_LIMIT);
    }
}
