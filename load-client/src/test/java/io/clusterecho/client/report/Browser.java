package io.clusterecho.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Chromium of this machine without a window, which opens a page and tells what became of it.
 */
final class Browser
{
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long DEADLINE_S = 60;

    private final Path executable;

    private Browser(final Path executable)
    {
        this.executable = executable;
    }

    static Optional<Browser> find()
    {
        return NAMES.stream()
            .flatMap((name) -> Stream.of(System.getenv("PATH").split(File.pathSeparator)).map((dir) -> Path.of(dir, name)))
            .filter(Files::isExecutable).findFirst().map(Browser::new);
    }

    /**
     * A browser, or a test that is not made, and says so.
     */
    static Browser required()
    {
        final Optional<Browser> browser = find();
        if (browser.isEmpty())
        {
            System.out.println("no chromium, chromium-browser or google-chrome on PATH: what the page shows was NOT checked");
        }
        assumeTrue(browser.isPresent(), "no browser to open the page with");
        return browser.get();
    }

    /**
     * What a page shows when it has been drawn without an error: neither data nor scripts, which could satisfy a test by
     * themselves.
     *
     * @param page   to open.
     * @param parent of a folder for the browser's own files.
     * @return as HTML.
     */
    String drawn(final Path page, final Path parent) throws IOException, InterruptedException
    {
        final String document = dump(page, Files.createTempDirectory(parent, "browser"));
        assertThat(document).contains("data-state=\"drawn\"").doesNotContain("This page is not complete: <");
        final Matcher error = Pattern.compile("<p class=\"page-error\">This page is not complete: ([^<]*)").matcher(document);
        assertThat(error.find() ? error.group(1) : "").isEmpty();
        return document.replaceAll("(?s)<(script|noscript|style)\\b.*?</\\1>", "");
    }

    /**
     * The document after its scripts have run.
     *
     * @param page   to open.
     * @param folder for the browser's own files, new and empty.
     * @return as HTML.
     */
    String dump(final Path page, final Path folder) throws IOException, InterruptedException
    {
        final Path out = folder.resolve("dump.html");
        final List<String> command = new ArrayList<>(List.of(
            executable.toString(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--user-data-dir=" + folder.resolve("profile"), "--dump-dom", page.toUri().toString()));
        final Process process = new ProcessBuilder(command)
            .redirectOutput(out.toFile()).redirectError(folder.resolve("errors.txt").toFile()).start();
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS))
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("the browser did not end within " + DEADLINE_S + " s: " + command);
        }

        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
