package io.clusterecho.client.counters;

import java.util.function.ToLongFunction;

import io.clusterecho.platform.MachineUse;

/**
 * The columns of {@code machine.csv}: what the machine did in a row, as sums over its cores.
 */
public enum MachineColumn
{
    /** In user mode. */
    USER_MS("user_ms", MachineUse::userMs),
    /** In the kernel. */
    SYSTEM_MS("system_ms", MachineUse::systemMs),
    /** With nothing to do. */
    IDLE_MS("idle_ms", MachineUse::idleMs),
    /** With nothing to do while a thread waited for a disk. */
    IO_WAIT_MS("io_wait_ms", MachineUse::ioWaitMs),
    /** Given to other guests by the hypervisor. */
    STEAL_MS("steal_ms", MachineUse::stealMs),
    /** Periods in which the control group's quota was used up. */
    THROTTLED("throttled", MachineUse::throttledCount),
    /** For which the group was kept from running. */
    THROTTLED_MS("throttled_ms", MachineUse::throttledMs),
    /** In which some thread waited for a core. */
    CPU_PRESSURE_MS("cpu_pressure_ms", MachineUse::cpuPressureMs),
    /** In which some thread waited for a disk. */
    IO_PRESSURE_MS("io_pressure_ms", MachineUse::ioPressureMs),
    /** In which some thread waited for memory. */
    MEMORY_PRESSURE_MS("memory_pressure_ms", MachineUse::memoryPressureMs);

    private final String label;
    private final ToLongFunction<MachineUse> value;

    MachineColumn(final String label, final ToLongFunction<MachineUse> value)
    {
        this.label = label;
        this.value = value;
    }

    /**
     * Name of the column, with its unit last.
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
