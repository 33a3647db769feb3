package io.clusterecho.commands;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a command prints while a test runs, in place of the process's own streams. */
final class StandardStreams implements BeforeEachCallback, AfterEachCallback
{
    private final PrintStream standardOut = System.out;
    private final PrintStream standardErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        System.setOut(standardOut);
        System.setErr(standardErr);
    }

    String out()
    {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err()
    {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Forget what was printed so far. */
    void clear()
    {
        out.reset();
        err.reset();
    }
}
