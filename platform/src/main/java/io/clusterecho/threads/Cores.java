package io.clusterecho.threads;

/** Rules by the number of cores, for clients and the servers that they measure. */
public final class Cores
{
    private static final int FEW = 8;

    private Cores()
    {
    }

    /** Whether there are so few cores that spinning threads would take them from threads with work. */
    public static boolean areFew()
    {
        return Runtime.getRuntime().availableProcessors() < FEW;
    }
}
