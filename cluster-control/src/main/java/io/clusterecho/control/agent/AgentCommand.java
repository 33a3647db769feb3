package io.clusterecho.control.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.process.JsonLines;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;

/**
 * Executes requests from standard input on the members of this machine and answers on standard output, one line of JSON each,
 * until the input ends. Another host starts it over ssh; members that it started outlive it. One thread.
 */
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
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Override
    public Integer call()
    {
        final JsonLines lines = JsonLines.ofParent();
        try (HostAgent agent = new HostAgent(MAPPER, MemberLauncher.ofThisJar(null)))
        {
            serve(agent, lines);
        }

        return ControlFailure.DONE;
    }

    /** Answer requests until the input ends or the reader of the answers is gone. */
    static void serve(final HostAgent agent, final JsonLines lines)
    {
        try
        {
            JsonLines.Received line = lines.receive();
            while (null != line &&
                isSent(lines, null == line.message() ? notJson(line.text()) : answer(agent, line.message())))
            {
                line = lines.receive();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("connection lost", ex);
        }
    }

    private static boolean isSent(final JsonLines lines, final ObjectNode answer)
    {
        try
        {
            lines.send(answer);
            return true;
        }
        catch (final IOException ex)
        {
            System.err.println("cannot send an answer, the reader is gone: " + ex.getMessage());
            return false;
        }
    }

    private static ObjectNode notJson(final String text)
    {
        return MAPPER.createObjectNode().put("error", "request is not JSON: " + text).put("exitCode", ControlFailure.UNUSABLE);
    }

    public static ObjectNode answer(final HostAgent agent, final JsonNode request)
    {
        final ObjectNode answer = MAPPER.createObjectNode().put("id", request.path("id").asLong());
        try
        {
            return answer.set("answer", agent.answer(request));
        }
        catch (final InvalidSettingException ex)
        {
            return answer.put("error", ex.getMessage()).put("exitCode", ControlFailure.UNUSABLE);
        }
        catch (final ControlFailure ex)
        {
            return answer.put("error", ex.getMessage()).put("exitCode", ex.exitCode());
        }
        catch (final RuntimeException ex)
        {
            ex.printStackTrace();
            return answer.put("error", ex.toString()).put("exitCode", ControlFailure.NOT_READY);
        }
    }
}
