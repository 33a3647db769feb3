package io.clusterecho.peers.workload;

import java.util.List;

/**
 * One workload on one system, run once in each round.
 *
 * @param setup     distinguishes it from other cells of the same workload; may be empty.
 * @param payload   payload in the published figures; may be empty.
 * @param heap      of server and client each, a value of {@code -Xmx}.
 * @param arguments of the client, without the address of the server.
 */
record WorkloadCell(Workload workload, String setup, String payload, String system, String heap, List<String> arguments)
{
    private static final String CONCURRENCY = "--concurrency";

    /** Name of the group of cells that are compared with each other. */
    String group()
    {
        return workload.label() + (setup.isEmpty() ? "" : " " + setup);
    }

    /** Whether it is a closed loop with one message in flight. */
    boolean isOneByOne()
    {
        return "ping-pong".equals(arguments.get(0)) &&
            (!arguments.contains(CONCURRENCY) || "1".equals(argument(CONCURRENCY)));
    }

    /** Value of an option of the client. */
    String argument(final String option)
    {
        final int index = arguments.indexOf(option);
        if (index < 0)
        {
            throw new IllegalArgumentException(option + " is not among " + arguments);
        }

        return arguments.get(index + 1);
    }
}
