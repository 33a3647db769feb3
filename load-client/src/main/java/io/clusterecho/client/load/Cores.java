package io.clusterecho.client.load;

/**
 * What follows from the number of cores, for clients and for the servers that they are measured with.
 */
public final class Cores
{
    private static final int FEW = 8;

    private Cores()
    {
    }

    /**
     * Whether threads that spin would take their turns from others that have work.
     *
     * @return true if so.
     */
    public static boolean areFew()
    {
        return Runtime.getRuntime().availableProcessors() < FEW;
    }
}
