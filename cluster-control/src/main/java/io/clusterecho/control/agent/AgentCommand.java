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
 * Does with the members of its machine what is asked on its standard input, and answers on its standard output, a line of JSON
 * each, until its input ends. Another host starts it over ssh; the members that it started go on after it. One thread.
 */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Does with members on this machine what commands with --inventory on another one ask for, over standard input and",
        "output. Those commands start it over ssh; it ends with its input, and members go on." })
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

    /**
     * Answer requests until there are no more, or nobody is left to read an answer.
     */
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
            throw new UncheckedIOException("the connection broke", ex);
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
            System.err.println("nobody reads an answer: " + ex.getMessage());
            return false;
        }
    }

    private static ObjectNode notJson(final String text)
    {
        return MAPPER.createObjectNode().put("error", "a request is not JSON: " + text).put("exitCode", ControlFailure.UNUSABLE);
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
