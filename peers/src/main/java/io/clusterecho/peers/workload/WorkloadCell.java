package io.clusterecho.peers.workload;

import java.util.List;

/**
 * One load on one system, to be run once in each round.
 *
 * @param workload  of it.
 * @param setup     what distinguishes it from others of the same load, empty if nothing does.
 * @param payload   as published figures name it, empty if they do not.
 * @param system    that is measured.
 * @param heap      of server and client each, as {@code -Xmx} takes it.
 * @param arguments of the client, without those that say where the server is.
 */
record WorkloadCell(Workload workload, String setup, String payload, String system, String heap, List<String> arguments)
{
    /**
     * What all cells share that are compared with one another.
     */
    String group()
    {
        return workload.label() + (setup.isEmpty() ? "" : " " + setup);
    }
}
