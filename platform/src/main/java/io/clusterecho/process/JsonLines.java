package io.clusterecho.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Messages between two processes: one JSON object per line, UTF-8, over the standard input and output of one of them. One thread
 * receives; any thread may send.
 */
public final class JsonLines
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BufferedReader in;
    private final OutputStream out;

    /**
     * A received line.
     *
     * @param text    of the line, without its end.
     * @param message in the line, or null if it is not a JSON object, such as the greeting of a host.
     */
    public record Received(String text, JsonNode message)
    {
    }

    public JsonLines(final InputStream in, final OutputStream out)
    {
        this.in = new BufferedReader(new InputStreamReader(in, UTF_8));
        this.out = out;
    }

    /**
     * Lines to and from the process that started this one. All other output of this process goes to its standard error from now
     * on, because it must not mix with the lines.
     */
    public static JsonLines ofParent()
    {
        System.setOut(System.err);
        return new JsonLines(System.in, new FileOutputStream(FileDescriptor.out));
    }

    /** Send a message; an {@link IOException} if the reader is gone. */
    public void send(final ObjectNode message) throws IOException
    {
        final byte[] line = (message + "\n").getBytes(UTF_8);
        synchronized (out)
        {
            out.write(line);
            out.flush();
        }
    }

    /** Wait for a line; null at the end of the input, and an {@link IOException} if the input breaks. */
    public Received receive() throws IOException
    {
        final String line = in.readLine();
        return null == line ? null : new Received(line, parse(line));
    }

    private static JsonNode parse(final String line)
    {
        try
        {
            return line.startsWith("{") ? MAPPER.readTree(line) : null;
        }
        catch (final JsonProcessingException ex)
        {
            return null;
        }
    }
}
