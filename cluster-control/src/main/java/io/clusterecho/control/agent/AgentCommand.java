package io.clusterecho.control.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.LocalFailure;
import io.clusterecho.control.member.MemberLauncher;
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
        final PrintStream out = System.out;
        // Whatever else has something to say must not come between the answers.
        System.setOut(System.err);
        try (HostAgent agent = new HostAgent(MAPPER, MemberLauncher.ofThisJar(null)))
        {
            serve(agent, System.in, out);
        }

        return LocalFailure.DONE;
    }

    /**
     * Answer requests until there are no more, or nobody is left to read an answer.
     */
    public static void serve(final HostAgent agent, final InputStream requests, final PrintStream answers)
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8)))
        {
            for (String line = in.readLine(); null != line && !answers.checkError(); line = in.readLine())
            {
                answers.println(answer(agent, line));
                answers.flush();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("the connection broke", ex);
        }
    }

    public static ObjectNode answer(final HostAgent agent, final String line)
    {
        final ObjectNode answer = MAPPER.createObjectNode();
        try
        {
            final JsonNode request = MAPPER.readTree(line);
            answer.put("id", request.path("id").asLong());
            return answer.set("answer", agent.answer(request));
        }
        catch (final JsonProcessingException ex)
        {
            return answer.put("error", "a request is not JSON: " + ex.getOriginalMessage())
                .put("exitCode", LocalFailure.UNUSABLE);
        }
        catch (final InvalidSettingException ex)
        {
            return answer.put("error", ex.getMessage()).put("exitCode", LocalFailure.UNUSABLE);
        }
        catch (final LocalFailure ex)
        {
            return answer.put("error", ex.getMessage()).put("exitCode", ex.exitCode());
        }
        catch (final RuntimeException ex)
        {
            ex.printStackTrace();
            return answer.put("error", ex.toString()).put("exitCode", LocalFailure.NOT_READY);
        }
    }
}
