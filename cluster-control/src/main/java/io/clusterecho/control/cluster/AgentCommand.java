package io.clusterecho.control.cluster;

import java.util.concurrent.Callable;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.CallServer;
import io.clusterecho.process.JsonLines;

import picocli.CommandLine.Command;

/** Executes requests from standard input until it ends, one line of JSON each; started members outlive it. One thread. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Run members here for commands on another host (host agent).",
    description = {
        "",
        "Commands with --inventory start it over ssh. It reads requests from standard input, answers on standard output and " +
        "ends with its input; members keep running." })
public final class AgentCommand implements Callable<Integer>
{
    @Override
    public Integer call()
    {
        final JsonLines lines = JsonLines.ofParent();
        try (HostAgent agent = new HostAgent(MemberLauncher.ofThisJar(null)))
        {
            server(agent, lines).serve();
        }

        return ControlFailure.DONE;
    }

    public static CallServer server(final HostAgent agent, final JsonLines lines)
    {
        return new CallServer(lines, (request, listeners) -> agent.answer(request));
    }
}
