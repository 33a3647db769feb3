package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.commands.LoadClient;
import io.clusterecho.process.JavaCommand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run in progress, in a browser: another process offers the load to the memory transport. */
class LivePageTest
{
    private static final Pattern ADDRESS = Pattern.compile("live charts at (http://127\\.0\\.0\\.1:[0-9]+/)");
    private static final Pattern MEDIAN = Pattern.compile("data-field=\"responseTimeNs\\.p50\" data-value=\"([0-9]+)\"");

    @TempDir
    private Path folder;

    private Process run;

    @AfterEach
    void end() throws InterruptedException
    {
        if (null != run)
        {
            run.destroy();
            run.waitFor();
        }
    }

    @Test
    void shouldDrawARunInProgress() throws Exception
    {
        final Browser browser = Browser.required();
        run = start();
        final String address = address();
        await("the first interval").atMost(Duration.ofSeconds(60)).until(() -> hasMedian(address));
        final String page = browser.drawn(address);

        assertThat(run.isAlive()).as("the run is in progress").isTrue();
        assertThat(page).contains("data-verdict=\"RUNNING\"").contains("Numbers so far are not a result")
            .contains("<h1>watched").contains("<canvas");
        final Matcher median = MEDIAN.matcher(page);
        assertThat(median.find()).as("a median on the page").isTrue();
        assertThat(Long.parseLong(median.group(1))).isGreaterThanOrEqualTo(2_000_000L);
    }

    private Process start() throws IOException
    {
        final List<String> command = JavaCommand.ofClass(LoadClient.class.getName(), List.of(), List.of(
            "--transport", "memory", "--memory-delay", "2ms", "--rate", "200", "--size", "64", "--warm-up", "250ms", "--duration",
            "5m", "--interval", "250ms", "--live", "--live-port", "0", "--quiet", "--label", "watched", "--output",
            folder.resolve("results").toString()));
        return new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(folder.resolve("out.txt").toFile()).start();
    }

    private static boolean hasMedian(final String address) throws IOException
    {
        try (InputStream in = URI.create(address + "run.json").toURL().openStream())
        {
            return new ObjectMapper().readTree(in).at("/runs/0/manifest/responseTimeNs/count").asLong() > 0;
        }
    }

    private String address()
    {
        await("the address of the live charts").atMost(Duration.ofSeconds(60))
            .until(() -> ADDRESS.matcher(Files.readString(folder.resolve("out.txt"))).find());
        try
        {
            final Matcher matcher = ADDRESS.matcher(Files.readString(folder.resolve("out.txt")));
            assertThat(matcher.find()).isTrue();
            return matcher.group(1);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
