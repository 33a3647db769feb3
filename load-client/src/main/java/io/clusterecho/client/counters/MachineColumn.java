package io.clusterecho.client.counters;

import java.util.function.ToLongFunction;

import io.clusterecho.platform.MachineUse;

/**
 * The columns of {@code machine.csv}, as sums over all cores of the machine.
 */
public enum MachineColumn
{
    /** Time in user mode. */
    USER_MS("user_ms", MachineUse::userMs),
    /** Time in the kernel. */
    SYSTEM_MS("system_ms", MachineUse::systemMs),
    /** Idle time. */
    IDLE_MS("idle_ms", MachineUse::idleMs),
    /** Idle time while a thread waited for a disk. */
    IO_WAIT_MS("io_wait_ms", MachineUse::ioWaitMs),
    /** Time withheld by the hypervisor. */
    STEAL_MS("steal_ms", MachineUse::stealMs),
    /** Periods in which the control group's quota was used up. */
    THROTTLED("throttled", MachineUse::throttledCount),
    /** Time for which the group was throttled. */
    THROTTLED_MS("throttled_ms", MachineUse::throttledMs),
    /** Time in which some thread waited for a core. */
    CPU_PRESSURE_MS("cpu_pressure_ms", MachineUse::cpuPressureMs),
    /** Time in which some thread waited for a disk. */
    IO_PRESSURE_MS("io_pressure_ms", MachineUse::ioPressureMs),
    /** Time in which some thread waited for memory. */
    MEMORY_PRESSURE_MS("memory_pressure_ms", MachineUse::memoryPressureMs);

    private final String label;
    private final ToLongFunction<MachineUse> value;

    MachineColumn(final String label, final ToLongFunction<MachineUse> value)
    {
        this.label = label;
        this.value = value;
    }

    /**
     * Name of the column, ending in its unit.
     */
    public String label()
    {
        return label;
    }

    long of(final MachineUse use)
    {
        return value.applyAsLong(use);
    }
}
