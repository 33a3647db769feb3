package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

import io.clusterecho.testing.Need;

/**
 * A Chromium of this machine without a window, which opens a page and tells what became of it.
 */
final class Browser
{
    private static final long DEADLINE_S = 60;
    private static final int DESK_WIDTH = 1200;
    private static final int PHONE_WIDTH = 390;
    private static final int HEIGHT = 3000;

    private final Path executable;

    private Browser(final Path executable)
    {
        this.executable = executable;
    }

    /**
     * A browser of this machine, or the end of the calling test.
     */
    static Browser required()
    {
        return new Browser(Need.BROWSER.program());
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
        return drawn(List.of(page.toUri().toString()), parent);
    }

    /**
     * As {@link #drawn(Path, Path)}, of a page that asks its server for what it draws.
     *
     * @param address of the page.
     * @param parent  of a folder for the browser's own files.
     * @return as HTML.
     */
    String drawnLive(final String address, final Path parent) throws IOException, InterruptedException
    {
        // The page's clock is run ahead, but not while an answer is outstanding: it asks a few times.
        return drawn(List.of("--virtual-time-budget=4000", address), parent);
    }

    private String drawn(final List<String> what, final Path parent) throws IOException, InterruptedException
    {
        final Path folder = Files.createTempDirectory(parent, "browser");
        final String document = dump(what, folder);
        assertThat(Files.readString(folder.resolve("errors.txt")).lines().filter((line) -> line.contains(":CONSOLE")))
            .as("what the page said on the console").isEmpty();
        assertThat(document).as(Files.readString(folder.resolve("errors.txt")))
            .contains("data-state=\"drawn\"").doesNotContain("This page is not complete: <");
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
        return dump(List.of(page.toUri().toString()), folder);
    }

    private String dump(final List<String> what, final Path folder) throws IOException, InterruptedException
    {
        final Path out = folder.resolve("dump.html");
        run(folder, out, Stream.concat(Stream.of("--dump-dom"), what.stream()).toList());
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    /**
     * Keep what a page looks like on a desk and on a phone, for people to look at: below {@code target/screenshots}.
     *
     * @param page   to open.
     * @param name   of the pictures.
     * @param parent of folders for the browser's own files.
     */
    void screenshots(final Path page, final String name, final Path parent) throws IOException, InterruptedException
    {
        final Path target = Files.createDirectories(Path.of("target", "screenshots").toAbsolutePath());
        screenshot(page, target.resolve(name + "-desktop.png"), DESK_WIDTH, parent);
        screenshot(page, target.resolve(name + "-phone.png"), PHONE_WIDTH, parent);
    }

    private void screenshot(final Path page, final Path picture, final int width, final Path parent)
        throws IOException, InterruptedException
    {
        Files.deleteIfExists(picture);
        final Path folder = Files.createTempDirectory(parent, "browser");
        run(folder, folder.resolve("out.txt"), List.of(
            "--hide-scrollbars", "--window-size=" + width + "," + HEIGHT, "--screenshot=" + picture, page.toUri().toString()));
        assertThat(picture).as(Files.readString(folder.resolve("errors.txt"))).isRegularFile();
        final BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(width);
        // Of one colour only is a page that shows nothing.
        assertThat(IntStream.range(0, image.getHeight()).map((y) -> image.getRGB(image.getWidth() / 2, y)).distinct().count())
            .as(picture.toString()).isGreaterThan(2);
    }

    private void run(final Path folder, final Path out, final List<String> options) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(
            executable.toString(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--enable-logging=stderr", "--user-data-dir=" + folder.resolve("profile")));
        command.addAll(options);
        final Process process = new ProcessBuilder(command)
            .redirectOutput(out.toFile()).redirectError(folder.resolve("errors.txt").toFile()).start();
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS))
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("the browser did not end within " + DEADLINE_S + " s: " + command);
        }
    }
}
