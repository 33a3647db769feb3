package io.clusterecho.client.counters;

import java.util.Locale;
import java.util.function.ToLongFunction;

import io.clusterecho.platform.MachineUse;

/** The columns of {@code machine.csv}: sums over all cores of the machine, and levels of its memory. */
public enum MachineColumn
{
    USER_MS(MachineUse::userMs),
    SYSTEM_MS(MachineUse::systemMs),
    IDLE_MS(MachineUse::idleMs),
    /** Idle time while a thread waited for a disk. */
    IO_WAIT_MS(MachineUse::ioWaitMs),
    /** Time withheld by the hypervisor. */
    STEAL_MS(MachineUse::stealMs),
    /** Periods in which the control group's quota was used up. */
    THROTTLED(MachineUse::throttledCount),
    THROTTLED_MS(MachineUse::throttledMs),
    /** Time in which some thread waited for a core. */
    CPU_PRESSURE_MS(MachineUse::cpuPressureMs),
    /** Time in which some thread waited for a disk. */
    IO_PRESSURE_MS(MachineUse::ioPressureMs),
    /** Time in which some thread waited for memory. */
    MEMORY_PRESSURE_MS(MachineUse::memoryPressureMs),
    /** Memory of the page cache that waits to be written to a disk, at the end of the row. */
    DIRTY_MIB(MachineUse::dirtyKib, true),
    /** Memory of the page cache that is being written to a disk, at the end of the row. */
    WRITEBACK_MIB(MachineUse::writebackKib, true);

    private static final double KIB_PER_MIB = 1024;

    private final ToLongFunction<MachineUse> value;
    private final boolean isLevel;

    MachineColumn(final ToLongFunction<MachineUse> value)
    {
        this(value, false);
    }

    MachineColumn(final ToLongFunction<MachineUse> value, final boolean isLevel)
    {
        this.value = value;
        this.isLevel = isLevel;
    }

    /** Name of the column, ending in its unit. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a value counts by itself, in MiB, and not by its growth. */
    boolean isLevel()
    {
        return isLevel;
    }

    /** Divisor of a raw value to get the unit of the column. */
    double divisor()
    {
        return isLevel ? KIB_PER_MIB : 1;
    }

    long of(final MachineUse use)
    {
        return value.applyAsLong(use);
    }
}
